#include "server/http/exchange.h"

#include <algorithm>
#include <chrono>

#include <boost/beast/http/error.hpp>

#include "server/admin/health.h"
#include "server/http/connection.h"
#include "server/http/limits.h"
#include "server/http/request_parser.h"
#include "server/http/target.h"
#include "server/middleware/cors.h"
#include "server/middleware/pipeline.h"
#include "server/routing/handler.h"

namespace server {
namespace {

namespace http = boost::beast::http;

std::int64_t UnixMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Reply HeadTooLong() {
  Reply reply =
      ReplyOf(fhir::TooLarge("The URL or the header fields are longer than this server allows."));
  reply.status = 431;
  return reply;
}

Reply MemoryTaken() {
  return ReplyOf(fhir::TooBusy("The bodies of other requests take all memory.", 5));
}

Reply ReplyToParseError(const boost::beast::error_code& error) {
  if (error == http::error::header_limit) return HeadTooLong();
  if (error == http::error::body_limit) {
    return ReplyOf(fhir::TooLarge("The body is longer than this server allows."));
  }
  Reply reply = ReplyOf(fhir::Invalid("Not an HTTP/1.1 request: " + error.message() + "."));
  if (error == http::error::bad_transfer_encoding) reply.status = 501;
  return reply;
}

}  // namespace

class Exchange::Impl {
 public:
  RequestHead head;
  std::optional<RequestParser> parser;
};

Exchange::Exchange(const HttpEnvironment* environment, Admission* admission)
    : environment_(environment), admission_(admission), impl_(std::make_unique<Impl>()) {}

Exchange::~Exchange() {
  Release();
}

void Exchange::Release() {
  admission_->RemoveBody(std::exchange(charged_head_bytes_, 0));
  admission_->RemoveBody(std::exchange(charged_bytes_, 0));
  admission_->RemoveReply(std::exchange(charged_reply_bytes_, 0));
}

void Exchange::Begin(const std::atomic<bool>* client_gone) {
  ClearRequest(&request_);
  request_.cancelled = client_gone;
  impl_->head.Clear();
  impl_->parser.emplace(&request_, &impl_->head, environment_->max_body_bytes);
  answer_.reset();
  below_base_ = false;
  head_bytes_ = searched_bytes_ = 0;
  Release();
}

Exchange::Progress Exchange::Refuse(Reply reply) {
  answer_ = std::move(reply);
  refused_ = true;
  return Progress::kRefused;
}

Exchange::Progress Exchange::ParseHead(ReadBuffer* input) {
  RequestParser& parser = *impl_->parser;
  if (input->Size() == 0) return Progress::kNeedsMore;
  if (!ChargeHead(input->Size())) return Refuse(MemoryTaken());
  if (!HasWholeLine(*input)) {
    return IsTooLong(input->Size()) ? Refuse(HeadTooLong()) : Progress::kNeedsMore;
  }
  boost::beast::error_code error;
  const std::size_t taken = parser.put(input->Data(), error);
  input->Consume(taken);
  head_bytes_ += taken;
  if (error && error != http::error::need_more) return Refuse(ReplyToParseError(error));
  if (parser.is_header_done()) {
    if (IsTooLong(0)) return Refuse(HeadTooLong());
    Examine();
    return refused_ ? Progress::kRefused : Progress::kDone;
  }
  // Beast's limit is for what it has not taken yet: fields that trickle in would never meet it.
  if (IsTooLong(input->Size())) return Refuse(HeadTooLong());
  return Progress::kNeedsMore;
}

bool Exchange::IsTooLong(std::size_t pending) const {
  const std::size_t target_bytes = impl_->head.target.size();
  if (target_bytes > kMaxTargetBytes) return true;
  // Before the line is complete, all of it may be target.
  const bool has_line = head_bytes_ > 0;
  return head_bytes_ + pending > kMaxHeadBytes + (has_line ? target_bytes : kMaxTargetBytes);
}

bool Exchange::HasWholeLine(const ReadBuffer& input) {
  if (head_bytes_ > 0 || input.Size() <= kMaxHeadBytes) return true;
  const auto* begin = static_cast<const char*>(input.Data().data());
  const std::string_view unseen(begin + searched_bytes_, input.Size() - searched_bytes_);
  searched_bytes_ = input.Size();
  return unseen.find('\n') != std::string_view::npos;
}

bool Exchange::ChargeHead(std::size_t pending) {
  const std::size_t bytes = head_bytes_ + pending;
  // The buffer, which grows by doubling, the target and the query.
  const std::size_t held = 4 * bytes;
  if (bytes <= kMaxHeadBytes || held <= charged_head_bytes_) return true;
  if (head_bytes_ > 0 && charged_head_bytes_ == 0) return true;  // What follows is no long line.
  if (!admission_->TryAddBody(held - charged_head_bytes_)) return false;
  charged_head_bytes_ = held;
  return true;
}

Exchange::Progress Exchange::ParseBody(ReadBuffer* input) {
  RequestParser& parser = *impl_->parser;
  while (!parser.is_done()) {
    if (input->Size() == 0) return Progress::kNeedsMore;
    boost::beast::error_code error;
    const std::size_t taken = parser.put(input->Data(), error);
    input->Consume(taken);
    if (error == http::error::need_more) {
      if (taken > 0 && input->Size() > 0) continue;
      // Only the head of a chunk and trailers are taken whole: nobody needs that much for them.
      if (input->Size() > kMaxHeadBytes) return Refuse(HeadTooLong());
      return Progress::kNeedsMore;
    }
    if (error) return Refuse(ReplyToParseError(error));
    if (!ChargeBody()) {
      return Refuse(MemoryTaken());
    }
  }
  return Progress::kDone;
}

bool Exchange::ChargeBody() {
  const std::size_t held = request_.body.capacity();
  if (held <= std::max(kSmallBodyBytes, charged_bytes_)) return true;
  if (!admission_->TryAddBody(held - charged_bytes_)) return false;
  charged_bytes_ = held;
  return true;
}

void Exchange::Examine() {
  request_.received_ms = UnixMs();
  answer_ = Locate();
  RequestParser& parser = *impl_->parser;
  if (!answer_ && below_base_) {
    const bool has_body = parser.chunked() || parser.content_length().value_or(0) > 0;
    answer_ = BeforeDispatch({.request = &request_, .has_body = has_body});
  }
  if (!answer_) return;
  parser.DiscardBody();
  // The client holds the body back until it hears from us: it hears the answer, and may then send
  // the body or not. Nobody could tell which.
  if (WantsContinue()) refused_ = true;
}

std::optional<Reply> Exchange::Locate() {
  const RequestHead& head = impl_->head;
  const TargetParts parts = SplitTarget(head.target);
  if (head.host_count > 1 || (head.http_1_1 && head.host_count == 0)) {
    return ReplyOf(fhir::Invalid("A request has exactly one Host field."));
  }
  const std::string_view host = parts.authority.empty() ? head.host : parts.authority;
  if (!host.empty() && !IsHost(host)) return ReplyOf(fhir::Invalid("Host: not a host name."));
  if (!head.known_verb) return ReplyOf(fhir::MethodNotAllowed("The method is not known."));
  const auto below = BelowContext(parts.path, environment_->context_path);
  if (auto probe = LocateOutside(parts.path)) return probe;
  if (!below) {
    return ReplyOf(fhir::NotFound("There is nothing at this path; FHIR is served under " +
                                  std::string(environment_->context_path) + "/."));
  }
  auto decoded = DecodePath(*below, &request_.path);
  if (!decoded) return ReplyOf(decoded.error());
  request_.query.assign(parts.query);
  if (environment_->base_url.empty()) {
    request_.base_url.assign("http://").append(host.empty() ? "localhost" : host);
  } else {
    request_.base_url.assign(environment_->base_url);
  }
  request_.base_url.append(environment_->context_path);
  below_base_ = true;
  return std::nullopt;
}

std::optional<Reply> Exchange::LocateOutside(std::string_view path) {
  if (path == "*" && request_.verb == Verb::kOptions) {
    Reply reply;
    reply.status = 204;
    return reply;
  }
  return AnswerProbe(request_.verb, path, *environment_->lifecycle);
}

bool Exchange::WantsContinue() const {
  return impl_->head.expects_continue && impl_->head.http_1_1 && !impl_->parser->is_done() &&
         request_.body.empty();
}

bool Exchange::ExpectsLargeBody() const {
  const auto length = impl_->parser->content_length();
  return impl_->parser->chunked() || (length && *length > kReadBufferBytes);
}

std::optional<Reply> Exchange::TakeAnswer() {
  return std::exchange(answer_, std::nullopt);
}

bool Exchange::ChargeReply(const Reply& reply) {
  const std::size_t bytes = reply.body.Size();
  if (bytes <= kSmallBodyBytes) return true;
  const bool is_read = request_.verb == Verb::kGet || request_.path.ends_with("/_search");
  const std::size_t max_bytes = is_read ? kMaxBufferedReplyBytes : 2 * kMaxBufferedReplyBytes;
  if (!admission_->TryAddReply(bytes, max_bytes)) return false;
  charged_reply_bytes_ = bytes;
  return true;
}

void Exchange::Finish(Reply* reply) {
  if (!ChargeReply(*reply)) {
    *reply = ReplyOf(fhir::TooBusy("The answers to other requests take all memory.", 5));
  }
  AllowOrigin(environment_->cors_allow_origin, request_.verb, reply);
  if (below_base_) {
    AfterReply(request_, reply);
  } else {
    AfterEarlyReply(request_, reply);
  }
}

bool Exchange::IsHead() const {
  return impl_->head.known_verb && request_.verb == Verb::kHead;
}

bool Exchange::MayContinue() const {
  return !refused_ && impl_->parser->keep_alive();
}

Persistence Exchange::PersistenceOf(bool keep) const {
  if (!keep) return Persistence::kClose;
  return impl_->head.http_1_1 ? Persistence::kImplied : Persistence::kKeepAlive;
}

}  // namespace server
