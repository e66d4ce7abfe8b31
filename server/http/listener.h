// server/http/listener.h
//
// The listening socket: accepts, and hands connections to the I/O threads in
// turn (SO_REUSEPORT would hash them, unevenly when they are few).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "fhir/base/result.h"
#include "server/http/connection.h"
#include "server/runtime/threads.h"

namespace server {

// Owner: main(). Thread-safety: one thread.
class Listener {
 public:
  // Binds to `port` (0: any free one) on all addresses. `threads` and what `environment` points to
  // outlive the listener. Errors: Internal, if the port cannot be had.
  static fhir::Result<std::unique_ptr<Listener>> Open(std::uint16_t port,
                                                      HttpEnvironment environment,
                                                      IoThreads* threads);

  std::uint16_t Port() const;
  // Begins to accept, once the threads run.
  void Start();
  // Stops accepting, closes idle connections and waits for requests that run; after `patience`
  // closes all connections. Blocking. False: some had to be cut off.
  bool Stop(std::chrono::milliseconds patience);

 private:
  using Acceptor = net::basic_socket_acceptor<net::ip::tcp, IoExecutor>;

  Listener(Acceptor acceptor, HttpEnvironment environment, IoThreads* threads);
  static Awaitable<> AsyncAccept(Listener* listener);
  void Take(Socket socket, const std::shared_ptr<Shard>& shard);

  const HttpEnvironment environment_;
  std::shared_ptr<Admission> admission_;  // Shared with the shards.
  std::vector<std::shared_ptr<Shard>> shards_;
  // Confined to the first I/O thread:
  Acceptor acceptor_;
};

}  // namespace server
