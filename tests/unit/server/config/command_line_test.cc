#include "server/config/command_line.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config/settings.h"

namespace server {
namespace {

fhir::Result<CommandLine> Parse(std::vector<std::string_view> arguments) {
  return ParseCommandLine(arguments);
}

TEST(CommandLineTest, WithoutArgumentsItServes) {
  const auto line = Parse({});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->action, CommandLine::Action::kServe);
  EXPECT_FALSE(line->config_file);
}

TEST(CommandLineTest, ConfigTakesAFileInBothSpellings) {
  EXPECT_EQ(Parse({"--config", "a.yaml"})->config_file, "a.yaml");
  EXPECT_EQ(Parse({"--config=b.yaml"})->config_file, "b.yaml");
  EXPECT_FALSE(Parse({"--config"}));
}

TEST(CommandLineTest, HealthTakesTheConfigOnEitherSide) {
  for (const auto& line :
       {Parse({"health", "--config", "a.yaml"}), Parse({"--config", "a.yaml", "health"})}) {
    ASSERT_TRUE(line);
    EXPECT_EQ(line->action, CommandLine::Action::kCheckHealth);
    EXPECT_EQ(line->config_file, "a.yaml");
  }
}

TEST(CommandLineTest, AnUnknownOptionIsAnError) {
  EXPECT_FALSE(Parse({"--port", "80"}));
  EXPECT_FALSE(Parse({"serve"}));
}

TEST(CommandLineTest, HelpListsEverySettingOnce) {
  const std::string help = HelpText();
  for (const SettingSpec& spec : AllSettings()) {
    const std::string line = "\n  " + std::string(spec.name) + "  (";
    const std::size_t first = help.find(line);
    ASSERT_NE(first, std::string::npos) << spec.name;
    EXPECT_EQ(help.find(line, first + 1), std::string::npos) << spec.name;
  }
}

}  // namespace
}  // namespace server
