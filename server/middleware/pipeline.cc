#include "server/middleware/pipeline.h"

#include "server/middleware/steps.h"

namespace server {
namespace {

constexpr BeforeStep kBefore[] = {
    &KeepPlainRequestId,  // First: the log and the echo use the id, whatever the answer.
    &SetDeadline,         // The clock starts before any work.
    &AnswerOptions,       // Before negotiation: a preflight has neither Accept nor body of ours.
    &RequirePlainCoding,  // Before the body's type, which says what is in the coded bytes.
    &RequireKnownBody,    // Before Accept: nothing is read or done for a body we cannot read.
    &RequireJsonAnswer,   // Last: cheap for all, rarely an answer.
};

constexpr AfterStep kAfter[] = {
    &EchoRequestId,  // Before the log, which sees the reply as it goes out.
    &LogAccess,      // Last: it must see what all others answered.
};

}  // namespace

std::optional<Reply> BeforeDispatch(const Incoming& incoming) {
  for (const BeforeStep step : kBefore) {
    if (auto reply = step(incoming)) return reply;
  }
  return std::nullopt;
}

void AfterReply(const Request& request, Reply* reply) {
  for (const AfterStep step : kAfter) step(request, reply);
}

void AfterEarlyReply(const Request& request, Reply* reply) {
  EchoRequestId(request, reply);
}

}  // namespace server
