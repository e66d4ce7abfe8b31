#include "server/middleware/media_type.h"

#include <algorithm>
#include <cctype>

namespace server {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Takes the text up to `separator` off the front of `*rest`.
std::string_view Next(std::string_view* rest, char separator) {
  const std::size_t end = std::min(rest->find(separator), rest->size());
  const std::string_view part = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return Trim(part);
}

std::string_view Unquote(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

// "0", "0.0", "0.000"
bool IsZeroWeight(std::string_view text) {
  return text.starts_with('0') && text.find_first_not_of("0.") == std::string_view::npos;
}

bool IsOfOurVersion(const MediaType& type) {
  return type.fhir_version.empty() || type.fhir_version == "4.0" || type.fhir_version == "4.0.1";
}

}  // namespace

MediaType ParseMediaType(std::string_view text) {
  MediaType out;
  out.name = Lower(Next(&text, ';'));
  while (!text.empty()) {
    std::string_view value = Next(&text, ';');
    const std::string name = Lower(Next(&value, '='));
    value = Unquote(value);
    if (name == "charset") out.charset = Lower(value);
    if (name == "fhirversion") out.fhir_version = value;
    if (name == "q") out.refused = IsZeroWeight(value);
  }
  return out;
}

bool IsJson(const MediaType& type) {
  const std::string_view name = type.name;
  return (name == "application/fhir+json" || name == "application/json" ||
          name == "application/json+fhir" || name == "text/json") &&
         IsOfOurVersion(type);
}

bool AcceptsJson(std::string_view accept) {
  if (accept.empty() || accept == "application/fhir+json" || accept == "*/*") return true;
  while (!accept.empty()) {
    const MediaType type = ParseMediaType(Next(&accept, ','));
    const bool any = type.name == "*/*" || type.name == "application/*" || type.name == "*";
    if (!type.refused && (IsJson(type) || (any && IsOfOurVersion(type)))) return true;
  }
  return false;
}

}  // namespace server
