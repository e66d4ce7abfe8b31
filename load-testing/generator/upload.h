// load-testing/generator/upload.h
//
// Posts a population to a server while it is being made, and keeps account of how that went.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "load-testing/generator/http_client.h"
#include "load-testing/generator/population.h"

namespace load_testing {

// How much of a population is wanted: whichever is reached first; 0: no bound.
struct Extent {
  std::uint64_t patients = 0;
  std::uint64_t resources = 0;

  bool Reached(std::uint64_t made_patients, std::uint64_t made_resources) const {
    return (patients > 0 && made_patients >= patients) ||
           (resources > 0 && made_resources >= resources);
  }
};

// The entries of a batch's or transaction's answer that tell of success, and the others.
struct EntryCounts {
  std::size_t good = 0;
  std::size_t bad = 0;
};
EntryCounts CountEntries(std::string_view answer);

// Where the upload was at a time.
struct Sample {
  double seconds;
  std::uint64_t resources;
  double server_cpu_seconds;  // 0 if the server's process is not known.
};

// From one sample to a later one.
struct Pace {
  double resources_per_second;
  double server_cpu_us;  // For each resource.
};
Pace PaceOf(const Sample& from, const Sample& to);

// Owner: main. Thread-safety: Run is called once; its workers share what is guarded.
// Blocking: Run returns when all is sent.
class Upload {
 public:
  struct Options {
    Url base;
    int concurrency = 8;
    int server_pid = 0;  // A process of this machine whose CPU time is reported; 0: none.
    Extent extent;
  };

  Upload(const Population* population, Options options)
      : population_(*population), options_(std::move(options)) {}

  // Returns whether all was stored. Prints progress to a terminal, and the report to stdout.
  bool Run();

 private:
  using Clock = std::chrono::steady_clock;

  void Work();
  void Post(HttpClient& client, const Bundle& bundle);
  void ShowProgress();
  void Report() const;
  double ServerCpuSeconds() const;

  const Population& population_;
  const Options options_;
  Clock::time_point begin_;

  std::atomic<std::uint64_t> next_patient_ = 0;
  std::atomic<std::uint64_t> made_resources_ = 0;
  std::atomic<int> working_ = 0;

  std::mutex mu_;
  // Guarded by mu_ while workers run:
  std::vector<Sample> samples_;  // One for each bundle, in the order of the answers.
  std::vector<double> latencies_ms_;
  std::vector<std::string> failures_;
  std::uint64_t bytes_ = 0;
};

}  // namespace load_testing
