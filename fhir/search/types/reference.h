// fhir/search/types/reference.h
//
// Values of references to resources of this server; chains, _has and includes
// read them too.
#pragma once

#include <string>
#include <string_view>

#include "fhir/search/types/search_type.h"

namespace fhir::search {

inline constexpr char kLocalReferenceTag = '\x01';

// 0x01 | Type/id | 0x00
std::string LocalReferenceValue(std::string_view type, std::string_view id);
// 0x01 | Type/: what all references to that type begin with.
std::string LocalReferencePrefix(std::string_view type);
// 0x02 | url | 0x00
std::string UrlReferenceValue(std::string_view url);

// "Type/id" or the URL of a value; empty for values of another kind.
std::string_view LiteralIn(std::string_view value);
std::string_view UrlIn(std::string_view value);

}  // namespace fhir::search
