// fhir/search/types/xhtml_text.h
//
// The text of a narrative.
#pragma once

#include <string>
#include <string_view>

namespace fhir::search {

// What a reader sees of `xhtml`, for the words in it: no tags, attributes and comments; character
// references resolved (a letter with an accent may become the bare letter: words are folded
// anyway); a space where an element other than an inline one begins or ends. Never fails: what is
// not well-formed is text.
std::string TextOfXhtml(std::string_view xhtml);

}  // namespace fhir::search
