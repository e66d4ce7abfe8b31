// Makes entries of a resource written as JSON and asks them whether a query matches.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/search/expression.h"
#include "fhir/search/extract.h"
#include "fhir/search/query.h"
#include "fhir/search/registry.h"

namespace fhir::search {

inline const Registry& R4() {
  static const std::unique_ptr<const Registry> kRegistry = Registry::BuildR4();
  return *kRegistry;
}

inline constexpr std::string_view kBaseUrl = "http://here/fhir";

inline IndexEntries Extract(std::string_view json, std::span<const model::Edit> edits = {},
                            TimeZone zone = TimeZone::Utc()) {
  auto document = json::Document::Parse(json);
  EXPECT_TRUE(document.has_value()) << json;
  ExtractOptions options{std::move(zone), std::string(kBaseUrl)};
  IndexEntries entries;
  model::StoredForm stored;
  EXPECT_TRUE(ExtractEntries(R4(), options, document->Root(), edits, stored, &entries).has_value());
  return entries;
}

inline Result<Query> Ask(std::string_view type, std::string_view query, QueryOptions options = {}) {
  options.base_url = kBaseUrl;
  auto parameters = DecodeParameters(query);
  if (!parameters) return Fail(parameters.error());
  return ParseQuery(R4(), type, *parameters, options);
}

inline bool Matches(std::string_view type, const IndexEntries& entries, std::string_view query,
                    const QueryOptions& options = {}) {
  const auto parsed = Ask(type, query, options);
  EXPECT_TRUE(parsed.has_value()) << query << ": "
                                  << (parsed ? "" : parsed.error().issues[0].diagnostics);
  return parsed && Matches(parsed->where, {"x", 0, &entries});
}

// All values of the index with this key, tag byte and NULs included.
inline std::vector<std::string> ValuesOf(const IndexEntries& entries, std::string_view key) {
  std::vector<std::string> values;
  for (const auto& entry : entries.List()) {
    if (R4().IndexAt(entry.index).key == key) values.emplace_back(entries.ValueOf(entry));
  }
  return values;
}

}  // namespace fhir::search
