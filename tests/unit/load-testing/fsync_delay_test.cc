// The library that simulates slow disks: preloaded into a program that syncs (coreutils' sync), and
// loaded here for the calls that no program at hand makes.
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

template <typename Work>
milliseconds TimeOf(Work work) {
  const auto begin = steady_clock::now();
  work();
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
}

// A file in memory, whose syncs take no time of their own.
class FsyncDelayTest : public testing::Test {
 protected:
  void SetUp() override {
    file_ = memfd_create("fsync_delay_test", 0);
    ASSERT_GE(file_, 0);
    library_ = dlopen(KILN_FSYNC_DELAY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
  }
  void TearDown() override {
    unsetenv("KILN_FSYNC_DELAY_US");
    close(file_);
  }

  template <typename Function>
  Function* Delayed(const char* name, Function* /*same type*/) {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  // Runs `sync` on this test's file in a shell, the library preloaded.
  int SyncElsewhere(const std::string& environment, const std::string& option) {
    const std::string file = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
    return std::system(
        ("LD_PRELOAD=" KILN_FSYNC_DELAY " " + environment + " sync " + option + file).c_str());
  }

  int file_ = -1;
  void* library_ = nullptr;
};

TEST_F(FsyncDelayTest, APreloadedProgramSyncsNoFasterThanTheDelay) {
  EXPECT_GE(TimeOf([&] { EXPECT_EQ(SyncElsewhere("KILN_FSYNC_DELAY_US=200000", "-d "), 0); }),
            milliseconds(200));
  EXPECT_GE(TimeOf([&] { EXPECT_EQ(SyncElsewhere("KILN_FSYNC_DELAY_US=200000", ""), 0); }),
            milliseconds(200));
}

TEST_F(FsyncDelayTest, ThePreloadedProgramReportsItsSyncs) {
  const std::string report = testing::TempDir() + "/fsync_report_" + std::to_string(getpid());
  ASSERT_EQ(SyncElsewhere("KILN_FSYNC_DELAY_US=3000 KILN_FSYNC_REPORT=" + report, ""), 0);
  std::ifstream file(report);
  std::string line;
  std::getline(file, line);
  EXPECT_TRUE(line.starts_with("1 syncs, mean ")) << line;
  std::remove(report.c_str());
}

TEST_F(FsyncDelayTest, EachCallThatWaitsForTheDiskIsDelayed) {
  setenv("KILN_FSYNC_DELAY_US", "50000", 1);
  EXPECT_GE(TimeOf([&] { EXPECT_EQ(Delayed("fsync", &fsync)(file_), 0); }), milliseconds(50));
  EXPECT_GE(TimeOf([&] { EXPECT_EQ(Delayed("fdatasync", &fdatasync)(file_), 0); }),
            milliseconds(50));
  EXPECT_GE(TimeOf([&] {
              Delayed("sync_file_range", &sync_file_range)(file_, 0, 0, SYNC_FILE_RANGE_WAIT_AFTER);
            }),
            milliseconds(50));
}

TEST_F(FsyncDelayTest, WhatOnlyStartsWritingBackIsNotDelayed) {
  setenv("KILN_FSYNC_DELAY_US", "60000000", 1);
  EXPECT_LT(TimeOf([&] {
              Delayed("sync_file_range", &sync_file_range)(file_, 0, 0, SYNC_FILE_RANGE_WRITE);
            }),
            milliseconds(30'000));
}

TEST_F(FsyncDelayTest, AFailedSyncKeepsItsError) {
  setenv("KILN_FSYNC_DELAY_US", "1000", 1);
  errno = 0;
  EXPECT_EQ(Delayed("fdatasync", &fdatasync)(-1), -1);
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
