// server/config/command_line.h
//
// The options of the `kiln` command, and the texts that describe the settings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fhir/base/result.h"

namespace server {

struct CommandLine {
  enum class Action {
    kServe,
    kCheckHealth,
    kPrintHelp,
    kPrintVersion,
    kPrintConfigurationMarkdown
  };
  Action action = Action::kServe;
  std::optional<std::string> config_file;
};

// `arguments` without the program's name. Errors: Invalid, one line.
fhir::Result<CommandLine> ParseCommandLine(std::span<const std::string_view> arguments);

// The text of --help: usage and every setting.
std::string HelpText();

// The table of settings in docs/configuration.md.
std::string ConfigurationMarkdown();

}  // namespace server
