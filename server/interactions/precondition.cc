#include "server/interactions/precondition.h"

#include <array>
#include <charconv>
#include <string>

#include "fhir/base/time.h"
#include "server/interactions/field_list.h"

namespace server {
namespace {

constexpr std::size_t kHttpDateSize = 29;  // "Wed, 01 Jan 2020 10:00:00 GMT"

bool HasETag(std::string_view list, std::uint64_t version) {
  bool found = false;
  ForEachItem(list, ",", [&](std::string_view item) {
    found = found || item == "*" || ParseETag(item) == version;
  });
  return found;
}

}  // namespace

std::optional<std::uint64_t> ParseETag(std::string_view text) {
  text = Trim(text);
  if (text.starts_with("W/")) text.remove_prefix(2);
  if (text.size() < 3 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return version;
}

std::optional<std::int64_t> ParseHttpDate(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  text = Trim(text);
  if (text.size() != kHttpDateSize || !text.ends_with(" GMT")) return std::nullopt;
  std::size_t month = 0;
  while (month < kMonths.size() && kMonths[month] != text.substr(8, 3)) ++month;
  if (month == kMonths.size()) return std::nullopt;
  const std::string digits = std::to_string(month + 1);
  std::string instant(text.substr(12, 4));
  instant.append(month + 1 < 10 ? "-0" : "-").append(digits);
  instant.append("-").append(text.substr(5, 2));
  instant.append("T").append(text.substr(17, 8)).append("Z");
  const auto range = fhir::ParseDateTime(instant, fhir::TimeZone::Utc());
  if (!range) return std::nullopt;
  return range->low_us / 1000;
}

bool IsNotModified(const RequestHeaders& headers, std::uint64_t version, std::int64_t instant_ms) {
  if (!headers.if_none_match.empty()) return HasETag(headers.if_none_match, version);
  if (headers.if_modified_since.empty()) return false;
  const auto since_ms = ParseHttpDate(headers.if_modified_since);
  if (!since_ms) return false;
  // Last-Modified has whole seconds only, so both sides are compared as such. A version that is
  // not the first may have replaced another in the second that the client names.
  const std::int64_t changed_s = instant_ms / 1000;
  const std::int64_t since_s = *since_ms / 1000;
  return version == 1 ? changed_s <= since_s : changed_s < since_s;
}

fhir::Result<void> SetPreconditions(std::string_view if_match, std::string_view if_none_match,
                                    storage::Write* write) {
  if (Trim(if_match) == "*") {
    write->if_match_any = true;
  } else if (!if_match.empty()) {
    write->if_match = ParseETag(if_match);
    if (!write->if_match) {
      return fhir::Fail(fhir::Invalid(R"(If-Match must name one version, as in W/"3", or be *)"));
    }
  }
  if (!if_none_match.empty()) {
    if (Trim(if_none_match) != "*") {
      return fhir::Fail(fhir::Invalid("the only If-None-Match of a write is *"));
    }
    write->if_none_match_any = true;
  }
  return {};
}

}  // namespace server
