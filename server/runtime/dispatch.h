// server/runtime/dispatch.h
//
// From a request to its reply: finds the handler and runs it where it belongs
// (I/O thread, worker, commit thread and back). The only place where an Error
// becomes a Reply and is logged.
#pragma once

#include <boost/asio/thread_pool.hpp>

#include "server/routing/handler.h"
#include "server/runtime/async.h"
#include "server/runtime/broad_lane.h"

namespace server {

// Owner: main(); outlives every request. Thread-safety: immutable, thread-safe.
class Dispatcher {
 public:
  // All outlive the dispatcher.
  Dispatcher(const Context* context, net::thread_pool* resource_store, net::thread_pool* indexer,
             BroadLane* broad_lane)
      : context_(context),
        resource_store_(resource_store),
        indexer_(indexer),
        broad_lane_(broad_lane) {}

  // Answers `request`, which outlives the call. Never fails: errors are replies.
  Awaitable<Reply> AsyncDispatch(const Request* request) const;
  // The same for an entry of a batch, which may not contain a batch or a transaction.
  Awaitable<Reply> AsyncDispatchEntry(const Request* request) const;
  // Indents what a request that WantsPretty is answered.
  Awaitable<Reply> AsyncMakePretty(Reply reply) const;

 private:
  enum class Nesting { kTopLevel, kEntry };

  Awaitable<Reply> AsyncGuard(const Request* request, Nesting nesting) const;
  Awaitable<fhir::Result<Reply>> AsyncAnswer(const Request* request, Nesting nesting) const;
  Awaitable<fhir::Result<Reply>> AsyncRead(const Request* request, Route route) const;
  Awaitable<fhir::Result<Reply>> AsyncReadBroad(const Request* request, Route route) const;
  Awaitable<fhir::Result<Reply>> AsyncWrite(const Request* request, Route route) const;
  Awaitable<fhir::Result<Reply>> AsyncFinish(PreparedWrite write,
                                             storage::CommitResult committed) const;
  Awaitable<fhir::Result<Reply>> AsyncBatch(const Request* request, BatchPlan plan) const;

  Reply ReplyToError(const Request& request, fhir::Error error) const;

  const Context* context_;
  net::thread_pool* resource_store_;
  net::thread_pool* indexer_;
  BroadLane* broad_lane_;
};

}  // namespace server
