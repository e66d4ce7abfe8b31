#include "server/http/target.h"

#include <algorithm>
#include <cctype>

namespace server {
namespace {

constexpr std::size_t kMaxHostBytes = 255 + 6;  // A DNS name and a port.

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool IsHostCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-._:[]").find(c) != std::string_view::npos;
}

bool IsControl(int c) {
  return c < 0x20 || c == 0x7f;
}

}  // namespace

TargetParts SplitTarget(std::string_view target) {
  TargetParts parts;
  if (!target.starts_with('/')) {
    const std::size_t scheme = target.find("://");
    if (scheme != std::string_view::npos && scheme < target.find('?')) {
      target.remove_prefix(scheme + 3);
      const std::size_t end = std::min(target.find_first_of("/?"), target.size());
      parts.authority = target.substr(0, end);
      target.remove_prefix(end);
    }
  }
  const std::size_t question = std::min(target.find('?'), target.size());
  parts.path = target.substr(0, question);
  if (question < target.size()) parts.query = target.substr(question + 1);
  return parts;
}

std::optional<std::string_view> BelowContext(std::string_view path, std::string_view context_path) {
  if (!path.starts_with(context_path)) return std::nullopt;
  path.remove_prefix(context_path.size());
  if (path.empty()) return path;
  if (!path.starts_with('/')) return std::nullopt;
  path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

fhir::Result<void> DecodePath(std::string_view path, std::string* out) {
  out->clear();
  out->reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    int c = static_cast<unsigned char>(path[i]);
    if (c == '%') {
      const int high = i + 2 < path.size() ? HexDigit(path[i + 1]) : -1;
      const int low = i + 2 < path.size() ? HexDigit(path[i + 2]) : -1;
      if (high < 0 || low < 0) return fhir::Fail(fhir::Invalid("The path has a broken % escape."));
      c = high * 16 + low;
      i += 2;
      // Decoded it would separate segments; no id and no name has one.
      if (c == '/') return fhir::Fail(fhir::Invalid("The path has an escaped slash, %2F."));
    }
    if (IsControl(c)) return fhir::Fail(fhir::Invalid("The path has a control character."));
    out->push_back(static_cast<char>(c));
  }
  return {};
}

bool IsHost(std::string_view host) {
  return !host.empty() && host.size() <= kMaxHostBytes &&
         std::ranges::all_of(host, IsHostCharacter);
}

}  // namespace server
