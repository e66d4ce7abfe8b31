// kiln-generate: makes a population in the likeness of Synthea's and writes it
// to files, to stdout, or to a FHIR server.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "load-testing/generator/population.h"
#include "load-testing/generator/upload.h"

namespace load_testing {
namespace {

constexpr char kUsage[] =
    R"(kiln-generate [--patients N] [--resources N] [--seed N] [--sites N] WHERE

Makes transaction bundles, one for each patient, and before them the batches of
the hospitals and doctors that they refer to. The same seed makes the same bytes.

  --patients N    so many patients (100 if --resources is not given)
  --resources N   patients until there are at least N resources; 120 patients have about 92,000
  --seed N        (1)
  --sites N       hospitals, each with a doctor (195)

WHERE is one of
  --out DIR       files that load-testing/upload.py takes
  --ndjson        bundles on stdout, one in a line
  --base URL      posts them: http://localhost:8080/fhir
    --concurrency N   so many at a time (8)
    --server-pid N    reports the CPU time of this process, too
)";

struct Settings {
  Extent extent;
  std::uint64_t seed = 1;
  std::uint64_t sites = 195;
  std::string directory;
  bool ndjson = false;
  std::string base;
  std::uint64_t concurrency = 8;
  std::uint64_t server_pid = 0;
};

std::optional<std::uint64_t> NumberOf(std::string_view text) {
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// Where the value of an option that takes a number goes, or null.
std::uint64_t* NumberFor(std::string_view option, Settings& settings) {
  if (option == "--patients") return &settings.extent.patients;
  if (option == "--resources") return &settings.extent.resources;
  if (option == "--seed") return &settings.seed;
  if (option == "--sites") return &settings.sites;
  if (option == "--concurrency") return &settings.concurrency;
  if (option == "--server-pid") return &settings.server_pid;
  return nullptr;
}

// Nothing if the arguments are not understood.
std::optional<Settings> Parse(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = arguments[i];
    if (option == "--ndjson") {
      settings.ndjson = true;
      continue;
    }
    if (++i == count) return std::nullopt;
    if (option == "--out") {
      settings.directory = arguments[i];
    } else if (option == "--base") {
      settings.base = arguments[i];
    } else {
      std::uint64_t* number = NumberFor(option, settings);
      const auto value = NumberOf(arguments[i]);
      if (number == nullptr || !value) return std::nullopt;
      *number = *value;
    }
  }
  const int places =
      int{settings.ndjson} + int{!settings.directory.empty()} + int{!settings.base.empty()};
  if (places != 1 || settings.sites == 0 || settings.concurrency == 0) return std::nullopt;
  if (settings.extent.patients == 0 && settings.extent.resources == 0) {
    settings.extent.patients = 100;
  }
  return settings;
}

// False if it could not be written.
bool Write(const Settings& settings, const Bundle& bundle) {
  if (settings.ndjson) {
    return std::fwrite(bundle.json.data(), 1, bundle.json.size(), stdout) == bundle.json.size() &&
           std::putchar('\n') == '\n';
  }
  std::ofstream file(std::filesystem::path(settings.directory) / (bundle.name + ".json"),
                     std::ios::binary);
  file << bundle.json << '\n';
  return file.flush().good();
}

bool WriteAll(const Population& population, const Settings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t resources = 0;
  std::uint64_t bytes = 0;
  const auto write = [&](const Bundle& bundle) {
    resources += bundle.resources;
    bytes += bundle.json.size();
    return Write(settings, bundle);
  };
  for (const Bundle& bundle : population.SiteBundles()) {
    if (!write(bundle)) return false;
  }
  Bundle bundle;
  std::uint64_t made = 0;  // Resources of patients: an upload counts these.
  for (std::uint64_t patient = 0; !settings.extent.Reached(patient, made); ++patient) {
    population.WritePatient(patient, &bundle);
    made += bundle.resources;
    if (!write(bundle)) return false;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr,
               "resources    %llu\nseconds      %.2f\nresources/s  %.0f\nMB/s         %.1f\n",
               static_cast<unsigned long long>(resources), seconds.count(),
               static_cast<double>(resources) / seconds.count(),
               static_cast<double>(bytes) / seconds.count() / 1e6);
  return std::fflush(stdout) == 0;
}

int Run(const Settings& settings) {
  const Population population(settings.seed, settings.sites);
  if (settings.base.empty()) {
    std::error_code error;
    if (!settings.ndjson) std::filesystem::create_directories(settings.directory, error);
    if (!error && WriteAll(population, settings)) return 0;
    std::fprintf(stderr, "kiln-generate: cannot write\n");
    return 1;
  }
  const std::optional<Url> base = ParseUrl(settings.base);
  if (!base) {
    std::fprintf(stderr, "kiln-generate: not an http:// URL: %s\n", settings.base.c_str());
    return 2;
  }
  Upload upload(&population, {.base = *base,
                              .concurrency = static_cast<int>(settings.concurrency),
                              .server_pid = static_cast<int>(settings.server_pid),
                              .extent = settings.extent});
  return upload.Run() ? 0 : 1;
}

}  // namespace
}  // namespace load_testing

int main(int count, char** arguments) {
  const auto settings = load_testing::Parse(count, arguments);
  if (settings) return load_testing::Run(*settings);
  std::fputs(load_testing::kUsage, stderr);
  return 2;
}
