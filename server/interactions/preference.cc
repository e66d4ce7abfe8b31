#include "server/interactions/preference.h"

#include "server/interactions/field_list.h"

namespace server {

Preference ParsePreference(std::string_view header) {
  Preference preference;
  ForEachItem(header, ",;", [&](std::string_view item) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view name = Trim(item.substr(0, equals));
    std::string_view value = Trim(item.substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    if (name == "return") {
      if (value == "minimal") preference.answer = Preference::Return::kMinimal;
      if (value == "representation") preference.answer = Preference::Return::kRepresentation;
      if (value == "OperationOutcome") preference.answer = Preference::Return::kOperationOutcome;
    } else if (name == "handling") {
      preference.lenient = value == "lenient";
    }
  });
  return preference;
}

}  // namespace server
