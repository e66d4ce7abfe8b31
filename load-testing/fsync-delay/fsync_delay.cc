// load-testing/fsync-delay/fsync_delay.cc
//
// Simulates a disk that syncs slowly, for a program that is started with this library in
// LD_PRELOAD: fsync, fdatasync and a sync_file_range that waits last at least KILN_FSYNC_DELAY_US
// microseconds. The real call is made first, and what is missing is slept by the calling thread,
// so syncs of several threads overlap as they do in a disk with a queue. A sync_file_range that
// only starts writing back is passed on as it is.
//
// With KILN_FSYNC_REPORT=FILE, one line about all syncs is appended to FILE when the program ends.
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include <dlfcn.h>

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

std::int64_t NowNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * kNanosecondsPerSecond + now.tv_nsec;
}

// Read at each call: setting it costs nothing next to a sync, and tests can change it.
std::int64_t DelayNanoseconds() {
  const char* text = std::getenv("KILN_FSYNC_DELAY_US");
  return text == nullptr ? 0 : std::strtoll(text, nullptr, 10) * 1000;
}

// Thread-safety: thread-safe.
struct Totals {
  std::atomic<std::int64_t> syncs{0};
  std::atomic<std::int64_t> nanoseconds{0};
  std::atomic<std::int64_t> longest{0};

  void Add(std::int64_t duration) {
    syncs.fetch_add(1, std::memory_order_relaxed);
    nanoseconds.fetch_add(duration, std::memory_order_relaxed);
    std::int64_t seen = longest.load(std::memory_order_relaxed);
    while (seen < duration && !longest.compare_exchange_weak(seen, duration)) {
    }
  }
};

// Never destroyed: threads may still sync while the program ends.
Totals totals;

// Runs the real call and makes it last at least the delay. Keeps errno.
template <typename Call>
int Slowly(Call call) {
  const std::int64_t begin = NowNanoseconds();
  const int result = call();
  const int error = errno;
  const std::int64_t end = begin + DelayNanoseconds();
  const timespec until{end / kNanosecondsPerSecond, end % kNanosecondsPerSecond};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
  totals.Add(NowNanoseconds() - begin);
  errno = error;
  return result;
}

template <typename Function>
Function* RealOf(const char* name, Function* /*same type*/) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) std::abort();
  return reinterpret_cast<Function*>(symbol);
}

__attribute__((destructor)) void Report() {
  const char* path = std::getenv("KILN_FSYNC_REPORT");
  const std::int64_t syncs = totals.syncs.load();
  if (path == nullptr || syncs == 0) return;
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%lld syncs, mean %.3f ms, longest %.3f ms\n", static_cast<long long>(syncs),
               static_cast<double>(totals.nanoseconds.load()) / static_cast<double>(syncs) / 1e6,
               static_cast<double>(totals.longest.load()) / 1e6);
  std::fclose(file);
}

}  // namespace

extern "C" {

int fsync(int file) {
  static auto* const real = RealOf("fsync", &fsync);
  return Slowly([file] { return real(file); });
}

int fdatasync(int file) {
  static auto* const real = RealOf("fdatasync", &fdatasync);
  return Slowly([file] { return real(file); });
}

int sync_file_range(int file, off64_t offset, off64_t bytes, unsigned int flags) {
  static auto* const real = RealOf("sync_file_range", &sync_file_range);
  const auto call = [=] { return real(file, offset, bytes, flags); };
  return (flags & SYNC_FILE_RANGE_WAIT_AFTER) == 0 ? call() : Slowly(call);
}

}  // extern "C"
