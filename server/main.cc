// server/main.cc
//
// The composition root: makes everything in order, serves, and stops in the
// opposite order.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "fhir/search/registry.h"
#include "server/config/command_line.h"
#include "server/config/settings.h"
#include "server/http/health_check.h"
#include "server/http/listener.h"
#include "server/interactions/own_parameters.h"
#include "server/interactions/query_options.h"
#include "server/interactions/search_parameter_bundle.h"
#include "server/runtime/broad_lane.h"
#include "server/runtime/dispatch.h"
#include "server/runtime/log.h"
#include "server/runtime/process.h"
#include "server/runtime/threads.h"
#include "storage/store.h"

namespace server {
namespace {

// How long running requests may take once the process is asked to stop.
constexpr std::chrono::seconds kDrainPatience{10};
// Less than a container engine usually waits for its health check.
constexpr std::chrono::seconds kHealthPatience{3};
constexpr int kExitFailure = 1;
constexpr int kExitBadSettings = 2;

std::optional<std::string> Environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): no threads yet.
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

storage::StoreOptions StoreOptionsOf(const Settings& settings) {
  return {.in_memory = settings.storage == "in-memory",
          .index_dir = settings.index_db_dir,
          .resource_dir = settings.resource_db_dir,
          .transaction_dir = settings.transaction_db_dir,
          .block_cache_mib = static_cast<std::size_t>(settings.db_block_cache_mib),
          .resource_cache_mib = static_cast<std::size_t>(settings.db_resource_cache_mib),
          .scale_factor = static_cast<int>(settings.db_scale_factor),
          .max_background_jobs = static_cast<int>(settings.db_max_background_jobs),
          .max_in_flight_transactions =
              static_cast<std::size_t>(settings.db_max_in_flight_transactions),
          .referential_integrity = settings.enforce_referential_integrity};
}

HttpEnvironment HttpEnvironmentOf(const Settings& settings, const Dispatcher* dispatcher,
                                  const Lifecycle* lifecycle) {
  return {.dispatcher = dispatcher,
          .lifecycle = lifecycle,
          .base_url = settings.base_url,
          .context_path = settings.context_path,
          .cors_allow_origin = settings.cors_allow_origin,
          .max_body_bytes = static_cast<std::uint64_t>(settings.max_body_mib) << 20};
}

std::size_t BroadThreadsOf(const Settings& settings) {
  const std::int64_t threads =
      settings.search_broad_threads > 0
          ? settings.search_broad_threads
          : std::max<std::int64_t>(1, settings.db_resource_store_threads / 2);
  return static_cast<std::size_t>(threads);
}

// Search parameters: R4's, those stored, those of the bundle file.
fhir::Result<std::unique_ptr<storage::Store>> OpenStore(const Settings& settings) {
  const auto log = [](const std::string& line) { LogInfo(line); };
  FHIR_TRY(bundle, ReadSearchParameterBundle(settings.db_search_param_bundle));
  const auto r4 = fhir::search::Registry::BuildR4({.index_content = settings.db_content_index});
  LogInfo("search parameters: " + std::to_string(r4->IndexCount()) + " indexes");
  return storage::Store::Open(
      StoreOptionsOf(settings),
      [&](const std::vector<std::string>& stored) {
        return LoadRegistry(*r4, stored, bundle, [](const std::string& line) { LogWarning(line); });
      },
      log);
}

storage::IndexBuildOptions IndexBuildOptionsOf(const Settings& settings, const Context& context) {
  return {.resources_per_second = static_cast<std::uint32_t>(settings.db_index_build_rate),
          .extract =
              [options = ExtractOptionsOf(context)](const fhir::search::ExtractionPlan& plan,
                                                    std::string_view json,
                                                    fhir::search::IndexEntries* entries) {
                return ExtractStored(plan, options, json, entries);
              },
          .log = [](const std::string& line) { LogInfo(line); }};
}

int Complain(int status, const fhir::Error& error) {
  const std::string& text =
      error.log_detail.empty() ? error.issues.front().diagnostics : error.log_detail;
  std::fprintf(stderr, "kiln: %s\n", text.c_str());
  return status;
}

int Serve(const Settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  InitLog(settings.log_level);
  BlockStopSignals();
  LogInfo("kiln " KILN_VERSION ", up to " + std::to_string(RaiseOpenFileLimit()) + " open files");

  // First, because the last callbacks of all others end in its contexts.
  IoThreads io_threads(static_cast<std::size_t>(settings.server_threads));
  auto store = OpenStore(settings);
  if (!store) return Complain(kExitFailure, store.error());
  auto zone = fhir::TimeZone::Find(settings.default_time_zone);
  if (!zone) return Complain(kExitBadSettings, zone.error());

  IdGenerator ids;
  Context context{.store = store->get(),
                  .ids = &ids,
                  .zone = *std::move(zone),
                  .base_url = settings.base_url.empty() ? std::string()
                                                        : settings.base_url + settings.context_path,
                  .version = KILN_VERSION};
  context.max_includes = static_cast<std::uint32_t>(settings.search_max_includes);
  context.search_max_time = std::chrono::milliseconds(settings.search_max_time_ms);
  context.search_max_cost = settings.search_max_cost;
  context.search_broad_cost = settings.search_broad_cost;
  context.referential_integrity = settings.enforce_referential_integrity;
  (*store)->StartBuilding(IndexBuildOptionsOf(settings, context));
  WorkerPools pools(static_cast<std::size_t>(settings.db_resource_store_threads),
                    static_cast<std::size_t>(settings.db_indexer_threads));
  BroadLane broad_lane(BroadThreadsOf(settings),
                       static_cast<std::size_t>(settings.search_broad_queue));
  const Dispatcher dispatcher(&context, pools.ResourceStore(), pools.Indexer(), &broad_lane);
  Lifecycle lifecycle;
  auto listener = Listener::Open(static_cast<std::uint16_t>(settings.server_port),
                                 HttpEnvironmentOf(settings, &dispatcher, &lifecycle), &io_threads);
  if (!listener) return Complain(kExitFailure, listener.error());

  lifecycle.StartServing();
  io_threads.Start();
  (*listener)->Start();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  LogInfo("listening on port " + std::to_string((*listener)->Port()) + " under " +
          settings.context_path + "/; ready after " + std::to_string(took.count()) + " ms");

  WaitForStopSignal();
  LogInfo("stopping");
  lifecycle.StartDraining();
  if (!(*listener)->Stop(kDrainPatience)) LogWarning("requests that still ran were cut off");
  broad_lane.Join();
  pools.Join();
  store->reset();  // Commits what was submitted, and closes the database.
  io_threads.Stop();
  LogInfo("stopped");
  return EXIT_SUCCESS;
}

// Any reason not to be healthy is status 1: container engines reserve 2.
int PrintHealth(const fhir::Result<Settings>& settings) {
  if (!settings) return Complain(kExitFailure, settings.error());
  if (settings->server_port == 0) {
    return Complain(kExitFailure, fhir::Invalid("SERVER_PORT: 0 does not say which port to ask"));
  }
  const auto health =
      CheckHealth(static_cast<std::uint16_t>(settings->server_port), kHealthPatience);
  if (!health) return Complain(kExitFailure, health.error());
  std::puts("ok");
  return EXIT_SUCCESS;
}

int Main(const std::vector<std::string_view>& arguments) {
  const auto command_line = ParseCommandLine(arguments);
  if (!command_line) return Complain(kExitBadSettings, command_line.error());
  switch (command_line->action) {
    case CommandLine::Action::kPrintHelp: std::fputs(HelpText().c_str(), stdout); return 0;
    case CommandLine::Action::kPrintVersion: std::puts("kiln " KILN_VERSION); return 0;
    case CommandLine::Action::kPrintConfigurationMarkdown:
      std::fputs(ConfigurationMarkdown().c_str(), stdout);
      return 0;
    case CommandLine::Action::kCheckHealth:
      return PrintHealth(LoadSettings(command_line->config_file, &Environment));
    case CommandLine::Action::kServe: break;
  }
  const auto settings = LoadSettings(command_line->config_file, &Environment);
  if (!settings) return Complain(kExitBadSettings, settings.error());
  return Serve(*settings);
}

}  // namespace
}  // namespace server

int main(int argc, char** argv) {
  try {
    return server::Main({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "kiln: %s\n", e.what());
    return server::kExitFailure;
  }
}
