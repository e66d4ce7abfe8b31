// What is written about the settings, against the table of settings.
#include <fstream>
#include <regex>
#include <set>
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

// Words such as SERVER_PORT.
std::set<std::string> SettingLikeWords(const std::string& text) {
  static const std::regex kWord("[A-Z][A-Z0-9]*(_[A-Z0-9]+)+");
  std::set<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), kWord), end; at != end; ++at) {
    words.insert(at->str());
  }
  return words;
}

std::set<std::string> NamesOfSettings() {
  std::set<std::string> names;
  for (const SettingSpec& spec : AllSettings()) names.insert(std::string(spec.name));
  return names;
}

std::string DefaultOf(std::string_view name) {
  for (const SettingSpec& spec : AllSettings()) {
    if (spec.name == name) return std::string(spec.default_value);
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(DocumentationTest, TheComposeFilePassesEverySettingButThoseOfTheImage) {
  std::set<std::string> expected = NamesOfSettings();
  for (const char* name :
       {"STORAGE", "INDEX_DB_DIR", "RESOURCE_DB_DIR", "TRANSACTION_DB_DIR", "SERVER_PORT"}) {
    expected.erase(name);
  }
  const std::string compose = ReadSource("docker/docker-compose.yml");
  EXPECT_EQ(SettingLikeWords(compose), expected);
  for (const std::string& name : expected) {
    EXPECT_THAT(compose, testing::HasSubstr("\n      " + name + ":\n"));
  }
}

TEST(DocumentationTest, ProductionIsDescribedBySettingsThatExist) {
  const std::set<std::string> words = SettingLikeWords(ReadSource("docs/production.md"));
  EXPECT_TRUE(words.contains("BASE_URL"));
  EXPECT_THAT(NamesOfSettings(), testing::IsSupersetOf(words));
}

TEST(DocumentationTest, TheImageKeepsTheDefaultsInItsVolumeAndOnItsPort) {
  const std::string file = ReadSource("Dockerfile");
  const std::string image = file.substr(file.rfind("\nFROM "));
  EXPECT_TRUE(SettingLikeWords(image).empty());  // A value of the image's would win over the file.
  const std::string directory = DefaultOf("INDEX_DB_DIR");  // Such as ./data/index.
  ASSERT_TRUE(directory.starts_with("./"));
  EXPECT_THAT(image, testing::HasSubstr("\nWORKDIR /\n"));
  EXPECT_THAT(image, testing::HasSubstr("\nVOLUME " +
                                        directory.substr(1, directory.rfind('/') - 1) + "\n"));
  EXPECT_THAT(image, testing::HasSubstr("\nEXPOSE " + DefaultOf("SERVER_PORT") + "\n"));
  EXPECT_THAT(image, testing::HasSubstr("\nCOPY config/production.yaml "));
  EXPECT_THAT(ReadSource("docker/docker-compose.yml"),
              testing::HasSubstr(":" + DefaultOf("SERVER_PORT") + "\"\n"));
}

}  // namespace
}  // namespace server
