// server/routing/handler.h
//
// What a route leads to. A handler is a plain function that returns a Result;
// where it runs, and how a write waits for its commit, is the dispatcher's
// business (server/runtime/dispatch.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fhir/base/result.h"
#include "server/runtime/context.h"
#include "server/runtime/reply.h"
#include "server/runtime/request.h"
#include "storage/transaction.h"

namespace server {

// The variable parts of the path. Views into Request::path.
struct PathParameters {
  std::string_view type = {};
  std::string_view id = {};
  std::string_view version = {};
  std::string_view member =
      {};  // The type searched in the compartment type/id; "*": all its types.
};

// A read: runs on a resource store thread and may block.
using ReadHandler = fhir::Result<Reply> (*)(const Request&, const PathParameters&, const Context&);

// The same without blocking, on the I/O thread; nothing if it would have to block, and then the
// ReadHandler is asked. Never an error: those are the ReadHandler's to make.
using TryReadHandler = std::optional<Reply> (*)(const Request&, const PathParameters&,
                                                const Context&);

// The same if it is cheap, on a resource store thread too; nothing if it is broad, and then the
// ReadHandler is asked on a thread where others that are cheap do not wait for it.
using NarrowReadHandler = fhir::Result<std::optional<Reply>> (*)(const Request&,
                                                                 const PathParameters&,
                                                                 const Context&);

// A write, ready for the commit thread, and how to answer when it is committed.
struct PreparedWrite {
  std::unique_ptr<storage::Transaction> transaction;
  // Called with what became of it (kCommitted or kFailed; a stale one is prepared again).
  std::function<fhir::Result<Reply>(const storage::CommitResult&)> answer;
  // `answer` reads the store (a transaction with GET entries) or takes long (one with many
  // entries), so it runs on a resource store thread.
  bool answer_blocks = false;
  // `answer` searches, so that it may take as long as a broad read and runs where those do.
  bool answer_searches = false;
};

// A batch bundle: entries are requests of their own, answered in request order.
struct BatchPlan {
  struct Entry {
    Request request;
    std::optional<fhir::Error> error;  // Set: the entry is bad, and is answered with this.
  };
  std::vector<Entry> entries;
};

// What preparing led to: an answer at once where there is nothing to write (a conditional create
// that found its match), a write to commit, or (POST [base] of a batch only) requests to dispatch
// one by one, whose replies BatchResponse puts together.
using Preparation = std::variant<Reply, PreparedWrite, BatchPlan>;

// A write's first half: parse, validate, resolve, index. Runs on an indexer thread and may block.
using PrepareHandler = fhir::Result<Preparation> (*)(const Request&, const PathParameters&,
                                                     const Context&);

struct Handler {
  std::string_view code;  // "read", "search-type", "everything": for metrics, logs and /metadata.
  ReadHandler read = nullptr;               // Either this …
  TryReadHandler try_read = nullptr;        // (optional, with `read`)
  NarrowReadHandler read_narrow = nullptr;  // (optional, with `read`)
  PrepareHandler prepare = nullptr;         // … or this.
};

struct Route {
  const Handler* handler = nullptr;
  PathParameters parameters;
};

// Finds the handler for a request; for a verb that is not served there, one that answers 405 with
// Allow. Errors: NotFound (unknown path or resource type, with the nearest type's name),
// NotSupported (an interaction that does not exist yet). Does not block.
fhir::Result<Route> FindRoute(const Request& request);

// The OperationOutcome for an error, as JSON.
std::string OperationOutcomeOf(const fhir::Error& error);
// The whole reply for it: status, Retry-After, outcome.
Reply ReplyOf(const fhir::Error& error);

// The batch-response bundle for the answers of a plan's entries, in request order.
Reply BatchResponse(std::vector<Reply> replies);

}  // namespace server
