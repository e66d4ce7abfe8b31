// A process that writes is killed at a random moment, again and again. After each time every
// transaction that was answered is there whole, none is there in part, and the indexes agree with
// the resources.
//
// Everything that opens the store runs in a process of its own: RocksDB's threads do not survive a
// fork.
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;

constexpr std::uint64_t kInFlight = 8;
// Transaction i deletes the observation of transaction i - kDeleteAfter.
constexpr std::uint64_t kDeleteAfter = 5;

std::unique_ptr<Engine> OpenStore(const std::string& path) {
  auto opened = Engine::Open({.index_dir = path}, IndexKeys(), [](const std::string&) {});
  if (!opened) {
    std::fprintf(stderr, "cannot open: %s\n", opened.error().log_detail.c_str());
    _exit(3);
  }
  return *std::move(opened);
}

std::string Numbered(std::string_view name, std::uint64_t i) {
  return std::string(name) + std::to_string(i);
}

std::unique_ptr<Transaction> MakeTransaction(std::uint64_t i) {
  std::vector<Write> writes;
  writes.push_back(Create("Patient", Numbered("p", i), "x", {{kCode, Numbered("t", i)}}));
  writes.push_back(Observe(Numbered("o", i), Numbered("p", i), {{kObserved, "all"}}));
  writes.push_back(Put("Group", "counter", std::to_string(i)));
  if (i >= kDeleteAfter) writes.push_back(Delete("Observation", Numbered("o", i - kDeleteAfter)));
  return Of(std::move(writes));
}

// Transactions that are in the store.
std::uint64_t CountWritten(const Engine& store) {
  return TransactionOf(*store.Latest());
}

// Writes until it is killed. Each answered transaction's number goes into the pipe.
[[noreturn]] void RunWriter(const std::string& path, int answers) {
  const std::unique_ptr<Engine> store = OpenStore(path);
  std::atomic<std::uint64_t> answered = CountWritten(*store);
  for (std::uint64_t i = answered;; ++i) {
    while (i - answered >= kInFlight) std::this_thread::yield();
    const auto submitted = store->Submit(MakeTransaction(i), [&, i](const CommitResult& result) {
      if (result.status != CommitResult::Status::kCommitted) _exit(4);
      if (write(answers, &i, sizeof i) != sizeof i) _exit(5);
      ++answered;
    });
    if (!submitted) _exit(6);
  }
}

// Fails (returns a number that is not 0) at the first thing that does not agree.
int Verify(const std::string& path, std::uint64_t answered) {
  const std::unique_ptr<Engine> store = OpenStore(path);
  const std::uint64_t written = CountWritten(*store);
  const SnapshotPtr now = store->Latest();
  if (written < answered) return 10;
  if (CountOf(*now, "Patient") != written) return 11;
  for (std::uint64_t i = 0; i < written; ++i) {
    const auto found = store->FindIds(*now, "Patient", HasValue(kCode, Numbered("t", i)), 2, {});
    if (!found || *found != std::vector<std::string>{Numbered("p", i)}) return 12;
    const auto patient = store->Read("Patient", Numbered("p", i));
    if (!patient || (*patient)->view.version != 1) return 13;
    const bool is_deleted = i + kDeleteAfter < written;
    const auto observation = store->Read("Observation", Numbered("o", i));
    if (observation.has_value() == is_deleted) return 14;
    if (is_deleted && observation.error().http_status != 410) return 15;
    const auto referrers = store->FindIds(
        *now, "Observation", HasValue(kSubject, '\x01' + Text(Numbered("Patient/p", i))), 2, {});
    if (!referrers || referrers->size() != (is_deleted ? 0u : 1u)) return 16;
  }
  // Nothing of a transaction that is not there.
  for (std::uint64_t i = written; i < written + kInFlight; ++i) {
    if (store->Read("Patient", Numbered("p", i))) return 17;
    if (!store->FindIds(*now, "Patient", HasValue(kCode, Numbered("t", i)), 1, {})->empty())
      return 18;
  }
  if (written == 0) return 0;
  const auto counter = store->Read("Group", "counter");
  if (!counter || (*counter)->view.version != written) return 19;
  if ((*counter)->view.json != Put("Group", "counter", std::to_string(written - 1)).form.json) {
    return 20;
  }
  const auto live = store->Count(*now, "Observation", HasValue(kObserved, "all"), {});
  if (!live || *live != std::min(written, kDeleteAfter)) return 21;
  const auto before = store->At(written / 2);
  if (!before || CountOf(**before, "Patient") != written / 2) return 22;
  return 0;
}

// Exit status of `run` in a process of its own.
int InProcess(const std::function<int()>& run) {
  const pid_t child = fork();
  if (child == 0) _exit(run());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(KillWriterTest, EveryAnsweredTransactionIsWholeAndNoOtherInPart) {
  constexpr int kRounds = 12;
  const TempDir dir;
  std::mt19937 random(std::random_device{}());
  std::uint64_t answered = 0;
  for (int round = 0; round < kRounds; ++round) {
    int answers[2];
    ASSERT_EQ(pipe(answers), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      close(answers[0]);
      RunWriter(dir.Path(), answers[1]);
    }
    close(answers[1]);
    std::uint64_t number = 0;
    // Every other round ends behind an answer, however slow the machine; some of the rest end while
    // the store is still being opened.
    if (round % 2 == 1 && read(answers[0], &number, sizeof number) == sizeof number) {
      answered = number + 1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 400));
    kill(writer, SIGKILL);
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << WEXITSTATUS(status);
    while (read(answers[0], &number, sizeof number) == sizeof number) answered = number + 1;
    close(answers[0]);
    const int failed_check = InProcess([&] { return Verify(dir.Path(), answered); });
    ASSERT_EQ(failed_check, 0) << "round " << round << ", answered " << answered;
  }
  EXPECT_GT(answered, 0u);
}

}  // namespace
}  // namespace storage
