// tests/e2e/server_process.h
//
// The built binary as a child process, as an operator would start it: settings in
// its environment, a port of its own, a directory of its own.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

#include "tests/e2e/http_client.h"

namespace e2e {

// A new folder, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& Path() const { return path_; }

 private:
  std::string path_;
};

class ServerProcess {
 public:
  using Settings = std::map<std::string, std::string>;

  // Starts a server and returns when it listens. Unless set: SERVER_PORT is 0, INDEX_DB_DIR a
  // temporary folder of this process. Fails the test, and returns null, if it does not come up.
  static std::unique_ptr<ServerProcess> Start(Settings settings = {});

  ~ServerProcess();  // Kills it if it still runs.
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  int Port() const { return port_; }
  pid_t Pid() const { return pid_; }
  // SIGTERM; the exit status, or minus the signal that ended it.
  int Stop();
  void Terminate();  // SIGTERM, and returns at once.
  int Wait();        // For its end; the status as of Stop.
  void Kill();       // SIGKILL, and waits.
  // What it has written to standard error so far.
  std::string Log();

 private:
  ServerProcess(std::unique_ptr<TemporaryFolder> folder, pid_t pid, int log_pipe);
  void ReadLog();
  bool AwaitPort();

  std::unique_ptr<TemporaryFolder> folder_;
  pid_t pid_;
  int status_ = 0;
  int port_ = 0;
  int log_pipe_;
  std::mutex mu_;
  std::condition_variable changed_;
  // Guarded by mu_:
  std::string log_;
  bool log_ended_ = false;
  // Last: uses what is above.
  std::thread reader_;
};

struct Finished {
  int status = 0;
  std::string output;  // Standard output.
  std::string errors;  // Standard error.
};

// Runs the binary to its end.
Finished RunKiln(const std::vector<std::string>& arguments,
                 const ServerProcess::Settings& settings);

}  // namespace e2e
