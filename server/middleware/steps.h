// server/middleware/steps.h
//
// The steps that pipeline.cc puts in order; each is a file of its own.
#pragma once

#include <optional>

#include "server/middleware/pipeline.h"

namespace server {

// request_id.cc: drops an X-Request-Id that is not a plain token; sends a good one back.
std::optional<Reply> KeepPlainRequestId(const Incoming& incoming);
void EchoRequestId(const Request& request, Reply* reply);

// deadline.cc: sets the instant after which searches give up.
std::optional<Reply> SetDeadline(const Incoming& incoming);

// options.cc: answers OPTIONS.
std::optional<Reply> AnswerOptions(const Incoming& incoming);

// content_negotiation.cc. Errors: NotAcceptable, if neither _format nor Accept allows JSON.
std::optional<Reply> RequireJsonAnswer(const Incoming& incoming);
// Errors: UnsupportedMediaType, if the body is not JSON; for _search a form, for PATCH a JSON Patch.
std::optional<Reply> RequireKnownBody(const Incoming& incoming);
// Errors: UnsupportedMediaType, if the body is compressed.
std::optional<Reply> RequirePlainCoding(const Incoming& incoming);

// access_log.cc: one line a request at level debug.
void LogAccess(const Request& request, Reply* reply);

}  // namespace server
