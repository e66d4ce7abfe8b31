#include "server/config/settings.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "fhir/base/time.h"

namespace server {
namespace {

std::string CheckStorage(std::string* text) {
  if (*text == "standalone" || *text == "in-memory") return {};
  return "is neither standalone nor in-memory";
}

std::string CheckLogLevel(std::string* text) {
  for (std::string_view level : {"trace", "debug", "info", "warn", "error"}) {
    if (*text == level) return {};
  }
  return "is none of trace, debug, info, warn, error";
}

std::string CheckTimeZone(std::string* text) {
  if (fhir::TimeZone::Find(*text)) return {};
  return "is neither an IANA time zone nor an offset such as +01:00";
}

void DropTrailingSlashes(std::string* text) {
  while (!text->empty() && text->back() == '/') text->pop_back();
}

bool IsPlainUrlCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-._~/:[]").find(c) != std::string_view::npos;
}

std::string CheckBaseUrl(std::string* text) {
  DropTrailingSlashes(text);
  if (text->empty()) return {};
  const bool http = text->starts_with("http://") || text->starts_with("https://");
  const std::size_t authority = text->find("//") + 2;
  if (!http || authority >= text->size() || !std::ranges::all_of(*text, IsPlainUrlCharacter)) {
    return "is not a URL such as https://fhir.example.org";
  }
  return {};
}

std::string CheckOrigin(std::string* text) {
  if (text->empty() || *text == "*") return {};
  const std::size_t authority = text->find("//") + 2;
  if (!CheckBaseUrl(text).empty() || text->find('/', authority) != std::string::npos) {
    return "is neither * nor an origin such as https://app.example.org";
  }
  return {};
}

std::string CheckContextPath(std::string* text) {
  DropTrailingSlashes(text);
  if (text->empty()) return {};
  const bool plain = std::ranges::all_of(*text, IsPlainUrlCharacter);
  if (text->front() != '/' || !plain || text->find("//") != std::string::npos) {
    return "is not a path such as /fhir";
  }
  return {};
}

std::string CheckDirectory(std::string* text) {
  return text->empty() ? "is empty, but must name a directory" : "";
}

constexpr std::int64_t kMaxThreads = 1024;

// In the order of --help and of the documentation.
const auto kSettings = std::to_array<SettingSpec>({
    {.name = "STORAGE",
     .yaml_key = "storage",
     .field = &Settings::storage,
     .unit = "",
     .default_value = "standalone",
     .help = "standalone keeps the data on disk; in-memory loses them at the end.",
     .check = &CheckStorage},
    {.name = "INDEX_DB_DIR",
     .yaml_key = "index_db_dir",
     .field = &Settings::index_db_dir,
     .unit = "",
     .default_value = "./data/index",
     .help = "Directory of the database. Created if it does not exist.",
     .check = &CheckDirectory},
    {.name = "RESOURCE_DB_DIR",
     .yaml_key = "resource_db_dir",
     .field = &Settings::resource_db_dir,
     .unit = "",
     .default_value = "",
     .help = "Directory of the resources' bytes. Empty: INDEX_DB_DIR."},
    {.name = "TRANSACTION_DB_DIR",
     .yaml_key = "transaction_db_dir",
     .field = &Settings::transaction_db_dir,
     .unit = "",
     .default_value = "",
     .help = "Directory of the write-ahead log. Empty: INDEX_DB_DIR."},
    {.name = "DB_BLOCK_CACHE_SIZE",
     .yaml_key = "db_block_cache_size",
     .field = &Settings::db_block_cache_mib,
     .unit = "MiB",
     .default_value = "128",
     .min = 1,
     .max = 1 << 20,
     .help = "Memory for uncompressed blocks of the database."},
    {.name = "DB_RESOURCE_CACHE_SIZE",
     .yaml_key = "db_resource_cache_size",
     .field = &Settings::db_resource_cache_mib,
     .unit = "MiB",
     .default_value = "64",
     .min = 0,
     .max = 1 << 20,
     .help = "Memory for resources that are ready to be sent."},
    {.name = "DB_SCALE_FACTOR",
     .yaml_key = "db_scale_factor",
     .field = &Settings::db_scale_factor,
     .unit = "",
     .default_value = "1",
     .min = 1,
     .max = 64,
     .help = "Multiplies the database's write buffers and file sizes."},
    {.name = "DB_MAX_BACKGROUND_JOBS",
     .yaml_key = "db_max_background_jobs",
     .field = &Settings::db_max_background_jobs,
     .unit = "threads",
     .default_value = "2",
     .min = 1,
     .max = kMaxThreads,
     .help = "Threads that flush and compact the database."},
    {.name = "DB_RESOURCE_STORE_KV_THREADS",
     .yaml_key = "db_resource_store_kv_threads",
     .field = &Settings::db_resource_store_threads,
     .unit = "threads",
     .default_value = "4",
     .min = 1,
     .max = kMaxThreads,
     .help = "Threads that read the disk and execute searches."},
    {.name = "DB_RESOURCE_INDEXER_THREADS",
     .yaml_key = "db_resource_indexer_threads",
     .field = &Settings::db_indexer_threads,
     .unit = "threads",
     .default_value = "cores",
     .min = 1,
     .max = kMaxThreads,
     .help = "Threads that parse, validate and index what is written."},
    {.name = "DB_MAX_IN_FLIGHT_TRANSACTIONS",
     .yaml_key = "db_max_in_flight_transactions",
     .field = &Settings::db_max_in_flight_transactions,
     .unit = "transactions",
     .default_value = "1024",
     .min = 1,
     .max = 1 << 20,
     .help = "Transactions that may wait for their commit; more are answered 503."},
    {.name = "ENFORCE_REFERENTIAL_INTEGRITY",
     .yaml_key = "enforce_referential_integrity",
     .field = &Settings::enforce_referential_integrity,
     .unit = "",
     .default_value = "true",
     .help = "Refuse writes after which a reference on this server would lead nowhere."},
    {.name = "DB_CONTENT_INDEX",
     .yaml_key = "db_content_index",
     .field = &Settings::db_content_index,
     .unit = "",
     .default_value = "false",
     .help = "Index the words of all texts, for searches by _content. Doubles the index."},
    {.name = "DB_SEARCH_PARAM_BUNDLE",
     .yaml_key = "db_search_param_bundle",
     .field = &Settings::db_search_param_bundle,
     .unit = "",
     .default_value = "",
     .help = "File with a Bundle of SearchParameters that are in force besides R4's and the stored "
             "ones. Empty: none."},
    {.name = "DB_INDEX_BUILD_RATE",
     .yaml_key = "db_index_build_rate",
     .field = &Settings::db_index_build_rate,
     .unit = "resources/s",
     .default_value = "10000",
     .min = 1,
     .max = 1'000'000,
     .help = "Resources that the background build of new indexes reads in a second at most."},
    {.name = "BASE_URL",
     .yaml_key = "base_url",
     .field = &Settings::base_url,
     .unit = "",
     .default_value = "",
     .help = "Scheme, host and port of links, CONTEXT_PATH not included. Empty: http and the Host "
             "header of each request.",
     .check = &CheckBaseUrl},
    {.name = "CONTEXT_PATH",
     .yaml_key = "context_path",
     .field = &Settings::context_path,
     .unit = "",
     .default_value = "/fhir",
     .help = "Path under which the FHIR interface stands. / is the root.",
     .check = &CheckContextPath},
    {.name = "CORS_ALLOW_ORIGIN",
     .yaml_key = "cors_allow_origin",
     .field = &Settings::cors_allow_origin,
     .unit = "",
     .default_value = "",
     .help = "Origin of the web pages that may use the server from a browser, such as "
             "https://app.example.org; * for all. Empty: none.",
     .check = &CheckOrigin},
    {.name = "SERVER_PORT",
     .yaml_key = "server_port",
     .field = &Settings::server_port,
     .unit = "",
     .default_value = "8080",
     .min = 0,
     .max = 65535,
     .help = "TCP port to listen on. 0: any free one; the log says which."},
    {.name = "SERVER_THREADS",
     .yaml_key = "server_threads",
     .field = &Settings::server_threads,
     .unit = "threads",
     .default_value = "cores",
     .min = 1,
     .max = kMaxThreads,
     .help = "Threads that serve connections."},
    {.name = "MAX_BODY_SIZE",
     .yaml_key = "max_body_size",
     .field = &Settings::max_body_mib,
     .unit = "MiB",
     .default_value = "100",
     .min = 1,
     .max = 2047,
     .help = "Largest request body; a larger one is answered 413."},
    {.name = "SEARCH_MAX_INCLUDES",
     .yaml_key = "search_max_includes",
     .field = &Settings::search_max_includes,
     .unit = "resources",
     .default_value = "10000",
     .min = 1,
     .max = 100'000,
     .help = "Included resources on one page of a search; more follow on pages of their own."},
    {.name = "SEARCH_MAX_TIME",
     .yaml_key = "search_max_time",
     .field = &Settings::search_max_time_ms,
     .unit = "ms",
     .default_value = "30000",
     .min = 1,
     .max = 60'000,
     .help = "How long a search may run; one that takes longer is answered 503. A request has "
             "60 s in all."},
    {.name = "SEARCH_MAX_COST",
     .yaml_key = "search_max_cost",
     .field = &Settings::search_max_cost,
     .unit = "reads",
     .default_value = "100000000",
     .min = 1,
     .max = 1'000'000'000'000,
     .help = "Index keys and resources that a search may read; one that needs more is answered "
             "403."},
    {.name = "SEARCH_BROAD_COST",
     .yaml_key = "search_broad_cost",
     .field = &Settings::search_broad_cost,
     .unit = "reads",
     .default_value = "50000",
     .min = 1,
     .max = 1'000'000'000'000,
     .help = "A search that reads more than this is broad: it runs on threads of its own, and "
             "others do not wait for it."},
    {.name = "SEARCH_BROAD_THREADS",
     .yaml_key = "search_broad_threads",
     .field = &Settings::search_broad_threads,
     .unit = "threads",
     .default_value = "0",
     .min = 0,
     .max = kMaxThreads,
     .help = "Broad searches that run at the same time. 0: half of "
             "DB_RESOURCE_STORE_KV_THREADS, at least 1."},
    {.name = "SEARCH_BROAD_QUEUE",
     .yaml_key = "search_broad_queue",
     .field = &Settings::search_broad_queue,
     .unit = "searches",
     .default_value = "128",
     .min = 0,
     .max = 100'000,
     .help = "Broad searches that may wait; more are answered 503."},
    {.name = "LOG_LEVEL",
     .yaml_key = "log_level",
     .field = &Settings::log_level,
     .unit = "",
     .default_value = "info",
     .help = "Least severity that is logged: trace, debug, info, warn or error. debug logs every "
             "request.",
     .check = &CheckLogLevel},
    {.name = "DEFAULT_TIME_ZONE",
     .yaml_key = "default_time_zone",
     .field = &Settings::default_time_zone,
     .unit = "",
     .default_value = "UTC",
     .help = "Time zone of dates and times that have none: an IANA name or an offset.",
     .check = &CheckTimeZone},
});

}  // namespace

std::span<const SettingSpec> AllSettings() {
  return kSettings;
}

std::string RangeOf(const SettingSpec& spec) {
  if (std::holds_alternative<bool Settings::*>(spec.field)) return "true, false";
  if (std::holds_alternative<std::string Settings::*>(spec.field)) return {};
  return std::to_string(spec.min) + " to " + std::to_string(spec.max);
}

}  // namespace server
