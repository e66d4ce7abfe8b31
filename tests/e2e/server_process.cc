#include "tests/e2e/server_process.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace e2e {
namespace {

constexpr std::chrono::seconds kStartPatience{60};
constexpr std::string_view kPortMark = "listening on port ";

struct Child {
  pid_t pid;
  int output;
  int errors;
};

// Our environment with `settings` over it.
std::vector<std::string> EnvironmentWith(const ServerProcess::Settings& settings) {
  std::vector<std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text(*variable);
    if (!settings.contains(text.substr(0, text.find('=')))) out.push_back(text);
  }
  for (const auto& [name, value] : settings) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> PointersTo(std::vector<std::string>* texts) {
  std::vector<char*> out;
  for (std::string& text : *texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

Child Spawn(std::vector<std::string> arguments, const ServerProcess::Settings& settings) {
  arguments.insert(arguments.begin(), KILN_BINARY);
  std::vector<std::string> environment = EnvironmentWith(settings);
  const std::vector<char*> argv = PointersTo(&arguments);
  const std::vector<char*> envp = PointersTo(&environment);
  int output[2];
  int errors[2];
  EXPECT_EQ(pipe2(output, O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(errors, O_CLOEXEC), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    // The server ends with the test, whatever becomes of that.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(output[1]);
  close(errors[1]);
  return {pid, output[0], errors[0]};
}

int StatusOf(int raw) {
  return WIFSIGNALED(raw) ? -WTERMSIG(raw) : WEXITSTATUS(raw);
}

std::string ReadAll(int pipe) {
  std::string out;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(pipe, buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(count));
  }
  close(pipe);
  return out;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "kiln-XXXXXX").string();
  path_ = mkdtemp(pattern.data()) != nullptr ? pattern : "";
  EXPECT_FALSE(path_.empty());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::unique_ptr<ServerProcess> ServerProcess::Start(Settings settings) {
  auto folder = std::make_unique<TemporaryFolder>();
  settings.emplace("SERVER_PORT", "0");
  settings.emplace("INDEX_DB_DIR", folder->Path() + "/index");
  const Child child = Spawn({}, settings);
  close(child.output);
  std::unique_ptr<ServerProcess> server(
      new ServerProcess(std::move(folder), child.pid, child.errors));
  if (server->AwaitPort()) return server;
  ADD_FAILURE() << "the server did not come up:\n" << server->Log();
  return nullptr;
}

ServerProcess::ServerProcess(std::unique_ptr<TemporaryFolder> folder, pid_t pid, int log_pipe)
    : folder_(std::move(folder)),
      pid_(pid),
      log_pipe_(log_pipe),
      reader_(&ServerProcess::ReadLog, this) {}

ServerProcess::~ServerProcess() {
  Kill();
  reader_.join();
  close(log_pipe_);
}

void ServerProcess::ReadLog() {
  char buffer[4096];
  for (ssize_t count = 0; (count = read(log_pipe_, buffer, sizeof buffer)) > 0;) {
    const std::lock_guard lock(mu_);
    log_.append(buffer, static_cast<std::size_t>(count));
    changed_.notify_all();
  }
  const std::lock_guard lock(mu_);
  log_ended_ = true;
  changed_.notify_all();
}

bool ServerProcess::AwaitPort() {
  std::unique_lock lock(mu_);
  const auto line_end = [this] {
    const std::size_t mark = log_.find(kPortMark);
    return mark == std::string::npos ? mark : log_.find('\n', mark);
  };
  changed_.wait_for(lock, kStartPatience,
                    [&] { return log_ended_ || line_end() != std::string::npos; });
  if (line_end() == std::string::npos) return false;
  port_ = std::atoi(log_.c_str() + log_.find(kPortMark) + kPortMark.size());
  return port_ > 0;
}

void ServerProcess::Terminate() {
  if (pid_ > 0) kill(pid_, SIGTERM);
}

int ServerProcess::Wait() {
  if (pid_ > 0) {
    int raw = 0;
    waitpid(pid_, &raw, 0);
    status_ = StatusOf(raw);
    pid_ = 0;
  }
  return status_;
}

int ServerProcess::Stop() {
  Terminate();
  return Wait();
}

void ServerProcess::Kill() {
  if (pid_ > 0) kill(pid_, SIGKILL);
  Wait();
}

std::string ServerProcess::Log() {
  const std::lock_guard lock(mu_);
  return log_;
}

Finished RunKiln(const std::vector<std::string>& arguments,
                 const ServerProcess::Settings& settings) {
  const Child child = Spawn(arguments, settings);
  Finished finished;
  std::thread errors([&] { finished.errors = ReadAll(child.errors); });
  finished.output = ReadAll(child.output);
  errors.join();
  int raw = 0;
  waitpid(child.pid, &raw, 0);
  finished.status = StatusOf(raw);
  return finished;
}

}  // namespace e2e
