#include "server/config/settings.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace server {
namespace {

using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

EnvironmentLookup LookupIn(Variables variables) {
  return [variables = std::move(variables)](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

fhir::Result<Settings> FromEnvironment(Variables variables) {
  return LoadSettings(std::nullopt, LookupIn(std::move(variables)));
}

std::string ComplaintOf(const fhir::Result<Settings>& settings) {
  return settings ? "" : settings.error().issues.front().diagnostics;
}

class YamlSettingsTest : public testing::Test {
 protected:
  YamlSettingsTest() {
    char name[] = "/tmp/kiln-settings-XXXXXX";
    close(mkstemp(name));
    file_ = name;
  }
  ~YamlSettingsTest() override { std::remove(file_.c_str()); }

  fhir::Result<Settings> Load(const std::string& yaml, Variables variables = {}) {
    std::ofstream(file_) << yaml;
    return LoadSettings(file_, LookupIn(std::move(variables)));
  }

  std::string file_;
};

TEST(SettingsTest, DefaultsHoldWhereNothingIsSet) {
  const auto settings = FromEnvironment({});
  ASSERT_TRUE(settings) << ComplaintOf(settings);
  EXPECT_EQ(settings->storage, "standalone");
  EXPECT_EQ(settings->server_port, 8080);
  EXPECT_EQ(settings->context_path, "/fhir");
  EXPECT_TRUE(settings->enforce_referential_integrity);
  EXPECT_EQ(settings->server_threads,
            std::max<std::int64_t>(1, std::thread::hardware_concurrency()));
}

TEST(SettingsTest, AnEmptyVariableCountsAsNotSet) {
  const auto settings = FromEnvironment({{"SERVER_PORT", ""}, {"STORAGE", ""}});
  ASSERT_TRUE(settings) << ComplaintOf(settings);
  EXPECT_EQ(settings->server_port, 8080);
}

TEST(SettingsTest, ABadValueIsOneLineThatNamesTheSetting) {
  const Variables bad = {{"SERVER_PORT", "70000"},
                         {"SERVER_THREADS", "0"},
                         {"MAX_BODY_SIZE", "1e3"},
                         {"DB_BLOCK_CACHE_SIZE", "128MB"},
                         {"DB_SCALE_FACTOR", "-1"},
                         {"DB_RESOURCE_CACHE_SIZE", "99999999999999999999"},
                         {"STORAGE", "cloud"},
                         {"ENFORCE_REFERENTIAL_INTEGRITY", "yes"},
                         {"LOG_LEVEL", "loud"},
                         {"DEFAULT_TIME_ZONE", "Europe/Atlantis"},
                         {"BASE_URL", "fhir.example.org"},
                         {"CONTEXT_PATH", "fhir"}};
  for (const auto& [name, value] : bad) {
    const std::string complaint = ComplaintOf(FromEnvironment({{name, value}}));
    EXPECT_THAT(complaint, HasSubstr(name)) << value;
    EXPECT_EQ(complaint.find('\n'), std::string::npos);
  }
}

TEST(SettingsTest, SlashesAtTheEndOfUrlsAreDropped) {
  const auto settings =
      FromEnvironment({{"BASE_URL", "https://fhir.example.org/"}, {"CONTEXT_PATH", "/r4/"}});
  ASSERT_TRUE(settings) << ComplaintOf(settings);
  EXPECT_EQ(settings->base_url, "https://fhir.example.org");
  EXPECT_EQ(settings->context_path, "/r4");
  EXPECT_EQ(FromEnvironment({{"CONTEXT_PATH", "/"}})->context_path, "");
}

TEST(SettingsTest, BaseUrlMayNotCarryWhatBreaksLinks) {
  for (const std::string bad :
       {"https://", "http://a b", "https://x?y", "ftp://x", "https://x\r\n"}) {
    EXPECT_FALSE(FromEnvironment({{"BASE_URL", bad}})) << bad;
  }
}

TEST_F(YamlSettingsTest, TheEnvironmentWinsOverTheFile) {
  const auto settings = Load("server_port: 1000\nlog_level: warn\n", {{"SERVER_PORT", "2000"}});
  ASSERT_TRUE(settings) << ComplaintOf(settings);
  EXPECT_EQ(settings->server_port, 2000);
  EXPECT_EQ(settings->log_level, "warn");
}

TEST_F(YamlSettingsTest, AnUnknownKeyIsAnErrorThatNamesIt) {
  EXPECT_THAT(ComplaintOf(Load("server_prot: 1000\n")), HasSubstr("server_prot"));
}

TEST_F(YamlSettingsTest, AKeyMayNotStandThereTwice) {
  EXPECT_FALSE(Load("server_port: 1000\nserver_port: 1001\n"));
}

TEST_F(YamlSettingsTest, ABadValueNamesFileAndKey) {
  const std::string complaint = ComplaintOf(Load("server_port: many\n"));
  EXPECT_THAT(complaint, HasSubstr(file_));
  EXPECT_THAT(complaint, HasSubstr("server_port"));
}

TEST_F(YamlSettingsTest, WhatIsNotAFlatListIsAnError) {
  EXPECT_FALSE(Load("- server_port\n"));
  EXPECT_FALSE(Load("server_port: [1, 2]\n"));
  EXPECT_FALSE(Load("server_port: {a: 1}\n"));
  EXPECT_FALSE(Load("server_port: 1: 2\n"));
  EXPECT_FALSE(Load("? [a]\n: 1\n"));
  EXPECT_FALSE(Load("\"\n"));
  EXPECT_EQ(ComplaintOf(Load(":\n  - {")).find('\n'), std::string::npos);
}

TEST_F(YamlSettingsTest, AnEmptyFileSetsNothing) {
  EXPECT_EQ(*Load(""), *FromEnvironment({}));
}

TEST(SettingsTest, AMissingFileIsAnErrorThatNamesIt) {
  EXPECT_THAT(ComplaintOf(LoadSettings("/nonexistent/kiln.yaml", LookupIn({}))),
              HasSubstr("/nonexistent/kiln.yaml"));
}

}  // namespace
}  // namespace server
