#include "load-testing/generator/upload.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace load_testing {
namespace {

constexpr std::chrono::milliseconds kProgressInterval{200};
constexpr std::size_t kShownFailures = 10;

// The first sample at or after this part of all resources.
const Sample& SampleAt(const std::vector<Sample>& samples, double part) {
  const double wanted = part * static_cast<double>(samples.back().resources);
  return *std::lower_bound(samples.begin(), samples.end() - 1, wanted,
                           [](const Sample& sample, double resources) {
                             return static_cast<double>(sample.resources) < resources;
                           });
}

void PrintPace(const char* name, const Pace& pace) {
  std::printf("%-12s %.0f resources/s", name, pace.resources_per_second);
  if (pace.server_cpu_us > 0) std::printf(", %.1f us of server CPU each", pace.server_cpu_us);
  std::printf("\n");
}

}  // namespace

EntryCounts CountEntries(std::string_view answer) {
  static constexpr std::string_view kStatus = R"("status":)";
  EntryCounts counts;
  for (std::size_t at = 0; (at = answer.find(kStatus, at)) != std::string_view::npos;) {
    at = answer.find('"', at + kStatus.size());
    if (at == std::string_view::npos || at + 1 == answer.size()) break;
    ++(answer[at + 1] == '2' ? counts.good : counts.bad);
  }
  return counts;
}

Pace PaceOf(const Sample& from, const Sample& to) {
  const auto resources = static_cast<double>(to.resources - from.resources);
  if (resources == 0 || to.seconds <= from.seconds) return {0, 0};
  return {resources / (to.seconds - from.seconds),
          (to.server_cpu_seconds - from.server_cpu_seconds) * 1e6 / resources};
}

double Upload::ServerCpuSeconds() const {
  if (options_.server_pid == 0) return 0;
  std::ifstream file("/proc/" + std::to_string(options_.server_pid) + "/stat");
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;  // utime and stime are the fields 14 and 15.
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void Upload::Post(HttpClient& client, const Bundle& bundle) {
  const Clock::time_point sent = Clock::now();
  const tl::expected<Answer, std::string> answer = client.Post(bundle.json);
  const Clock::time_point answered = Clock::now();
  const bool stored = answer && answer->status == 200;
  const EntryCounts entries = stored ? CountEntries(answer->body) : EntryCounts{};
  const double cpu = ServerCpuSeconds();

  const std::lock_guard lock(mu_);
  bytes_ += bundle.json.size();
  latencies_ms_.push_back(std::chrono::duration<double, std::milli>(answered - sent).count());
  const std::uint64_t before = samples_.empty() ? 0 : samples_.back().resources;
  samples_.push_back(
      {std::chrono::duration<double>(answered - begin_).count(), before + entries.good, cpu});
  if (!answer) {
    failures_.push_back(bundle.name + ": " + answer.error());
  } else if (!stored) {
    failures_.push_back(bundle.name + ": " + std::to_string(answer->status) + " " +
                        answer->body.substr(0, 300));
  } else if (entries.good != bundle.resources) {
    failures_.push_back(bundle.name + ": " + std::to_string(entries.bad) + " of " +
                        std::to_string(bundle.resources) + " entries failed");
  }
}

void Upload::Work() {
  HttpClient client(options_.base);
  Bundle bundle;
  while (true) {
    const std::uint64_t patient = next_patient_++;
    if (options_.extent.Reached(patient, made_resources_)) break;
    population_.WritePatient(patient, &bundle);
    made_resources_ += bundle.resources;
    Post(client, bundle);
  }
  --working_;
}

void Upload::ShowProgress() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  while (working_ > 0) {
    std::this_thread::sleep_for(kProgressInterval);
    if (!terminal) continue;
    const std::lock_guard lock(mu_);
    if (samples_.empty()) continue;
    const Sample& now = samples_.back();
    std::fprintf(stderr, "\r%zu bundles, %llu resources, %.0f resources/s, %zu failures ",
                 samples_.size(), static_cast<unsigned long long>(now.resources),
                 PaceOf(samples_.front(), now).resources_per_second, failures_.size());
  }
  if (terminal) std::fprintf(stderr, "\n");
}

void Upload::Report() const {
  std::vector<double> latencies = latencies_ms_;
  std::sort(latencies.begin(), latencies.end());
  const auto latency = [&](double part) {
    return latencies[static_cast<std::size_t>(part * static_cast<double>(latencies.size() - 1))];
  };
  const Sample& end = samples_.back();
  std::printf("bundles      %zu\n", samples_.size());
  std::printf("resources    %llu\n", static_cast<unsigned long long>(end.resources));
  std::printf("seconds      %.2f\n", end.seconds);
  std::printf("MB/s         %.1f\n", static_cast<double>(bytes_) / end.seconds / 1e6);
  std::printf("latency      median %.0f ms, 95%% %.0f ms, max %.0f ms\n", latency(0.5),
              latency(0.95), latency(1));
  const Sample& start = samples_.front();
  PrintPace("all", PaceOf(start, end));
  PrintPace("first tenth", PaceOf(start, SampleAt(samples_, 0.1)));
  PrintPace("last tenth", PaceOf(SampleAt(samples_, 0.9), end));
  std::printf("failures     %zu\n", failures_.size());
  for (std::size_t i = 0; i < std::min(failures_.size(), kShownFailures); ++i) {
    std::fprintf(stderr, "  %s\n", failures_[i].c_str());
  }
}

bool Upload::Run() {
  begin_ = Clock::now();
  samples_.push_back({0, 0, ServerCpuSeconds()});
  HttpClient client(options_.base);
  for (const Bundle& bundle : population_.SiteBundles()) Post(client, bundle);
  working_ = options_.concurrency;
  std::vector<std::thread> workers;
  workers.reserve(static_cast<std::size_t>(options_.concurrency));
  for (int i = 0; i < options_.concurrency; ++i) workers.emplace_back(&Upload::Work, this);
  ShowProgress();
  for (std::thread& worker : workers) worker.join();
  Report();
  return failures_.empty();
}

}  // namespace load_testing
