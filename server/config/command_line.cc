#include "server/config/command_line.h"

#include "server/config/settings.h"

namespace server {
namespace {

std::string Code(std::string_view text) {
  return text.empty() ? "" : "`" + std::string(text) + "`";
}

// "  NAME (unit; default)" and the help below it.
std::string HelpOf(const SettingSpec& spec) {
  std::string out = "  " + std::string(spec.name) + "  (";
  if (!spec.unit.empty()) out += std::string(spec.unit) + "; ";
  out += spec.default_value.empty() ? "default: empty" : "default: ";
  out += std::string(spec.default_value) + ")\n      " + std::string(spec.help) + "\n";
  return out;
}

}  // namespace

fhir::Result<CommandLine> ParseCommandLine(std::span<const std::string_view> arguments) {
  using Action = CommandLine::Action;
  CommandLine out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      out.action = Action::kPrintHelp;
    } else if (argument == "--version") {
      out.action = Action::kPrintVersion;
    } else if (argument == "--print-configuration-markdown") {
      out.action = Action::kPrintConfigurationMarkdown;
    } else if (argument == "health") {
      out.action = Action::kCheckHealth;
    } else if (argument.starts_with("--config=")) {
      out.config_file = argument.substr(argument.find('=') + 1);
    } else if (argument == "--config") {
      if (++i == arguments.size()) return fhir::Fail(fhir::Invalid("--config: no file is named"));
      out.config_file = arguments[i];
    } else {
      return fhir::Fail(
          fhir::Invalid(std::string(argument) + ": there is no such option; see kiln --help"));
    }
  }
  return out;
}

std::string HelpText() {
  std::string out =
      "kiln - a FHIR R4 server\n"
      "\n"
      "Usage: kiln [--config FILE]           serves\n"
      "       kiln health [--config FILE]    asks the server that runs here with the same "
      "settings:\n"
      "                                      status 0 if it takes requests, otherwise 1\n"
      "\n"
      "  --config FILE  reads settings from a YAML file (see config/production.yaml)\n"
      "  --help         prints this text\n"
      "  --version      prints the version\n"
      "\n"
      "Settings are environment variables; they win over the file:\n"
      "\n";
  for (const SettingSpec& spec : AllSettings()) out += HelpOf(spec);
  return out;
}

std::string ConfigurationMarkdown() {
  std::string out =
      "| Variable | Key in the file | Unit | Default | Values | What it does |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const SettingSpec& spec : AllSettings()) {
    out += "| " + Code(spec.name) + " | " + Code(spec.yaml_key) + " | " + std::string(spec.unit) +
           " | " + Code(spec.default_value) + " | " + RangeOf(spec) + " | " +
           std::string(spec.help) + " |\n";
  }
  return out;
}

}  // namespace server
