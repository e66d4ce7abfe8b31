// server/config/load_settings.cc
//
// From text to Settings. The only place that knows YAML.
#include <algorithm>
#include <charconv>
#include <map>
#include <thread>

#include <yaml-cpp/yaml.h>

#include "server/config/settings.h"

namespace server {
namespace {

using Texts = std::map<std::string_view, std::string>;  // By SettingSpec::name.

// "cores" is the number of processors, where a number is asked.
std::string ParseNumber(const SettingSpec& spec, const std::string& text, std::int64_t* out) {
  if (text == "cores") {
    *out = std::max<std::int64_t>(1, std::thread::hardware_concurrency());
  } else {
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, *out);
    if (failure != std::errc() || rest != end) return "is not a whole number";
  }
  if (*out < spec.min || *out > spec.max) return "is not in the range " + RangeOf(spec);
  return {};
}

std::string ParseBool(const std::string& text, bool* out) {
  if (text != "true" && text != "false") return "is neither true nor false";
  *out = text == "true";
  return {};
}

// Puts `text` into the setting's field. Returns what is wrong with it, or nothing.
std::string Assign(const SettingSpec& spec, std::string text, Settings* settings) {
  if (spec.check != nullptr) {
    if (std::string complaint = spec.check(&text); !complaint.empty()) return complaint;
  }
  if (const auto* field = std::get_if<std::string Settings::*>(&spec.field)) {
    settings->** field = std::move(text);
    return {};
  }
  if (const auto* field = std::get_if<bool Settings::*>(&spec.field)) {
    return ParseBool(text, &(settings->**field));
  }
  return ParseNumber(spec, text, &(settings->*std::get<std::int64_t Settings::*>(spec.field)));
}

fhir::Result<Texts> TextsOf(const YAML::Node& root, const std::string& file) {
  Texts texts;
  if (root.IsNull()) return texts;
  if (!root.IsMap()) return fhir::Fail(fhir::Invalid(file + ": is not a list of key: value"));
  for (const auto& pair : root) {
    const std::string key = pair.first.as<std::string>("");
    const auto all = AllSettings();
    const auto spec = std::ranges::find(all, key, &SettingSpec::yaml_key);
    if (spec == all.end()) {
      return fhir::Fail(fhir::Invalid(file + ": " + key + ": there is no such setting"));
    }
    if (!pair.second.IsScalar() && !pair.second.IsNull()) {
      return fhir::Fail(fhir::Invalid(file + ": " + key + ": is not a single value"));
    }
    const std::string value = pair.second.IsNull() ? "" : pair.second.as<std::string>();
    if (!texts.emplace(spec->name, value).second) {
      return fhir::Fail(fhir::Invalid(file + ": " + key + ": stands there twice"));
    }
  }
  return texts;
}

fhir::Result<Texts> ReadYaml(const std::string& file) {
  try {
    return TextsOf(YAML::LoadFile(file), file);
  } catch (const YAML::BadFile&) {
    return fhir::Fail(fhir::Invalid(file + ": cannot be read"));
  } catch (const YAML::Exception& e) {
    return fhir::Fail(fhir::Invalid(file + ": line " + std::to_string(e.mark.line + 1) +
                                    " is not YAML: " + e.msg));
  }
}

}  // namespace

fhir::Result<Settings> LoadSettings(const std::optional<std::string>& yaml_file,
                                    const EnvironmentLookup& environment) {
  Texts texts;
  if (yaml_file) {
    FHIR_TRY(from_file, ReadYaml(*yaml_file));
    texts = std::move(from_file);
  }
  Settings settings;
  for (const SettingSpec& spec : AllSettings()) {
    std::string source(spec.name);
    std::string text(spec.default_value);
    const auto in_file = texts.find(spec.name);
    if (in_file != texts.end() && !in_file->second.empty()) {
      text = in_file->second;
      source = *yaml_file + ": " + std::string(spec.yaml_key);
    }
    if (auto value = environment(std::string(spec.name)); value && !value->empty()) {
      text = *std::move(value);
      source = std::string(spec.name);
    }
    const std::string complaint = Assign(spec, text, &settings);
    if (!complaint.empty()) {
      return fhir::Fail(fhir::Invalid(source + ": \"" + text + "\" " + complaint));
    }
  }
  return settings;
}

}  // namespace server
