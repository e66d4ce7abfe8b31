// server/config/settings.h
//
// Every setting of the server, once: AllSettings() is what the environment, the
// YAML file, --help, docs/configuration.md and the checks are made from.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "fhir/base/result.h"

namespace server {

// The values in force. Defaults stand in AllSettings() and nowhere else: a Settings comes from
// LoadSettings. Thread-safety: immutable after loading.
struct Settings {
  std::string storage;  // "standalone" or "in-memory".
  std::string index_db_dir;
  std::string resource_db_dir;     // Empty: index_db_dir.
  std::string transaction_db_dir;  // Empty: index_db_dir.
  std::int64_t db_block_cache_mib = 0;
  std::int64_t db_resource_cache_mib = 0;
  std::int64_t db_scale_factor = 0;
  std::int64_t db_max_background_jobs = 0;
  std::int64_t db_resource_store_threads = 0;
  std::int64_t db_indexer_threads = 0;
  std::int64_t db_max_in_flight_transactions = 0;
  bool enforce_referential_integrity = false;
  bool db_content_index = false;
  std::string db_search_param_bundle;  // Empty: none.
  std::int64_t db_index_build_rate = 0;
  std::string base_url;           // No trailing slash. Empty: the Host header of each request.
  std::string context_path;       // "/fhir"; empty: the root. No trailing slash.
  std::string cors_allow_origin;  // "*" or one origin; empty: none.
  std::int64_t server_port = 0;
  std::int64_t server_threads = 0;
  std::int64_t max_body_mib = 0;
  std::int64_t search_max_includes = 0;
  std::int64_t search_max_time_ms = 0;
  std::int64_t search_max_cost = 0;
  std::int64_t search_broad_cost = 0;
  std::int64_t search_broad_threads = 0;  // 0: half of db_resource_store_threads.
  std::int64_t search_broad_queue = 0;
  std::string log_level;
  std::string default_time_zone;

  bool operator==(const Settings&) const = default;
};

// One row of the table.
struct SettingSpec {
  std::string_view name;      // Of the environment variable.
  std::string_view yaml_key;  // In the file given by --config.
  std::variant<std::string Settings::*, std::int64_t Settings::*, bool Settings::*> field;
  std::string_view unit;           // "MiB", "threads" …; empty: none.
  std::string_view default_value;  // As a user would write it.
  std::int64_t min = 0;            // Of whole numbers, inclusive.
  std::int64_t max = 0;
  std::string_view help;  // One sentence or two, for --help and the documentation.
  // Normalises the text and returns nothing, or says what is wrong with it. May be null.
  std::string (*check)(std::string* text) = nullptr;
};

std::span<const SettingSpec> AllSettings();

// What a setting accepts, for people: "1 to 64", "true, false", or empty for text.
std::string RangeOf(const SettingSpec& spec);

// Looks an environment variable up; nothing if it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

// Reads the YAML file (if any), then the environment, which wins; the rest are defaults. A variable
// that is set but empty counts as not set. Blocking: reads the file.
// Errors: Invalid, one line that names the setting, or the key or the file, and what is wrong.
fhir::Result<Settings> LoadSettings(const std::optional<std::string>& yaml_file,
                                    const EnvironmentLookup& environment);

}  // namespace server
