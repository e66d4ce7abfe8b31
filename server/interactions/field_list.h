// server/interactions/field_list.h
//
// Header fields that are lists of items.
#pragma once

#include <string_view>

namespace server {

inline std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Calls visit(item) for each trimmed item that is not empty.
template <class Visit>
void ForEachItem(std::string_view list, std::string_view separators, Visit&& visit) {
  while (!list.empty()) {
    const std::size_t end = list.find_first_of(separators);
    const std::string_view item = Trim(list.substr(0, end));
    if (!item.empty()) visit(item);
    if (end == std::string_view::npos) return;
    list.remove_prefix(end + 1);
  }
}

}  // namespace server
