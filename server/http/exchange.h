// server/http/exchange.h
//
// One request at a time, from bytes to a Request that may be dispatched, or to
// the answer that it gets without that. Knows HTTP and the server's paths, but no
// sockets: bytes come from a ReadBuffer.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

#include "server/http/admission.h"
#include "server/http/read_buffer.h"
#include "server/http/response_head.h"
#include "server/runtime/reply.h"
#include "server/runtime/request.h"

namespace server {

struct HttpEnvironment;

// Owner: the connection. Thread-safety: single-owner. Does not block.
class Exchange {
 public:
  enum class Progress {
    kNeedsMore,  // Bytes.
    kDone,
    kRefused,  // TakeAnswer says why; the rest of the input is no request.
  };

  // Both outlive the exchange.
  Exchange(const HttpEnvironment* environment, Admission* admission);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Forgets the last request. `client_gone` becomes Request::cancelled.
  void Begin(const std::atomic<bool>* client_gone);

  // Takes from `input` what belongs to the head. kDone: ParseBody may be called.
  Progress ParseHead(ReadBuffer* input);
  // Takes from `input` what belongs to the body. kDone: the request is complete.
  Progress ParseBody(ReadBuffer* input);

  // After ParseHead: the client waits for a word before it sends the body.
  bool WantsContinue() const;
  bool ExpectsLargeBody() const;

  // The answer that was found without dispatching, if any.
  std::optional<Reply> TakeAnswer();
  const Request& GetRequest() const { return request_; }
  // Adds to the reply what goes out with every one, and logs it. Replaces one that there is no room
  // for.
  void Finish(Reply* reply);

  bool IsHead() const;
  // Whether the client and the state of the input allow another request.
  bool MayContinue() const;
  // The client may still be sending what nobody will read.
  bool HasUnreadInput() const { return refused_; }
  Persistence PersistenceOf(bool keep) const;

 private:
  class Impl;  // Hides Beast.

  Progress Refuse(Reply reply);
  // Looks at the complete head. Sets answer_ if the request need not be dispatched.
  void Examine();
  std::optional<Reply> Locate();
  std::optional<Reply> LocateOutside(std::string_view path);
  // Whether the head may be so long, of which `pending` bytes have come and are not taken.
  bool IsTooLong(std::size_t pending) const;
  // Looks at each byte once, however few come at a time. True: the parser can take something.
  bool HasWholeLine(const ReadBuffer& input);
  bool ChargeHead(std::size_t pending);
  bool ChargeBody();
  bool ChargeReply(const Reply& reply);
  void Release();

  const HttpEnvironment* environment_;
  Admission* admission_;
  std::unique_ptr<Impl> impl_;
  Request request_;
  std::optional<Reply> answer_;
  bool refused_ = false;
  bool below_base_ = false;         // Passed the middleware.
  std::size_t head_bytes_ = 0;      // Taken so far.
  std::size_t searched_bytes_ = 0;  // Of a long request line, without its end.
  std::size_t charged_head_bytes_ = 0;
  std::size_t charged_bytes_ = 0;  // Of the body, at admission_.
  std::size_t charged_reply_bytes_ = 0;
};

}  // namespace server
