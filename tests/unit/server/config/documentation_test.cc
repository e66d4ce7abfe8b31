// What is written about the settings, against the table of settings.
#include <fstream>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config/command_line.h"
#include "server/config/settings.h"

namespace server {
namespace {

std::string ReadSource(const std::string& path) {
  std::ifstream in(std::string(KILN_SOURCE_DIR) + "/" + path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::optional<std::string> NotSet(const std::string& /*name*/) {
  return std::nullopt;
}

TEST(DocumentationTest, TheDocumentHasTheTableOfSettings) {
  EXPECT_THAT(ReadSource("docs/configuration.md"), testing::HasSubstr(ConfigurationMarkdown()));
}

TEST(DocumentationTest, TheProductionFileSetsTheDefaults) {
  const auto from_file =
      LoadSettings(std::string(KILN_SOURCE_DIR) + "/config/production.yaml", &NotSet);
  ASSERT_TRUE(from_file) << from_file.error().issues.front().diagnostics;
  EXPECT_EQ(*from_file, *LoadSettings(std::nullopt, &NotSet));
}

TEST(DocumentationTest, TheProductionFileHasEverySettingOnceWithUnitAndDefault) {
  std::istringstream in(ReadSource("config/production.yaml"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::size_t keys = 0;
  for (const std::string& line : lines) {
    keys += !line.empty() && line[0] != '#' ? std::size_t{1} : std::size_t{0};
  }
  EXPECT_EQ(keys, AllSettings().size());
  for (const SettingSpec& spec : AllSettings()) {
    const std::string key = std::string(spec.yaml_key) + ": ";
    std::size_t at = 1;
    while (at < lines.size() && !lines[at].starts_with(key)) ++at;
    ASSERT_LT(at, lines.size()) << spec.yaml_key;
    const std::string value(spec.default_value);
    EXPECT_EQ(lines[at], key + (value.empty() ? "\"\"" : value));
    const std::string unit = spec.unit.empty() ? "" : "Unit: " + std::string(spec.unit) + ". ";
    EXPECT_EQ(lines[at - 1], "# " + std::string(spec.name) + ". " + unit +
                                 "Default: " + (value.empty() ? "empty" : value) + ".");
  }
}

}  // namespace
}  // namespace server
