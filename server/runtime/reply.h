// server/runtime/reply.h
//
// What a handler answers: status, header fields and a body of pieces, which go
// to the socket by one gathered write.
//
// Owner: the session coroutine. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

// A body as slices: some owned, some shared with the resource cache.
class Body {
 public:
  Body() = default;

  void Append(std::string bytes) {
    if (bytes.empty()) return;
    auto owned = std::make_shared<const std::string>(std::move(bytes));
    const std::string_view view = *owned;
    AppendShared(view, std::move(owned));
  }
  // `bytes` stay valid while `owner` lives.
  void AppendShared(std::string_view bytes, std::shared_ptr<const void> owner) {
    if (bytes.empty()) return;
    size_ += bytes.size();
    pieces_.push_back({bytes, std::move(owner)});
  }

  struct Piece {
    std::string_view bytes;
    std::shared_ptr<const void> owner;
  };
  const std::vector<Piece>& Pieces() const { return pieces_; }
  std::size_t Size() const { return size_; }
  // The whole body in one string: for bundles of answers and tests.
  std::string Flatten() const {
    std::string out;
    out.reserve(size_);
    for (const Piece& piece : pieces_) out.append(piece.bytes);
    return out;
  }

 private:
  std::vector<Piece> pieces_;
  std::size_t size_ = 0;
};

// Bytes of bodies after which a batch or transaction reads no more, and its other reads get an
// error: all are held until the last is there.
inline constexpr std::size_t kMaxBundleReplyBytes = std::size_t{128} << 20;

// The words behind a status ("Not Found"), in the status line and in bundles; empty for one that the
// server does not send (RFC 9112 4 allows it).
std::string_view ReasonOf(int status);

struct Reply {
  int status = 200;
  // Content-Type of the body; ignored without one.
  std::string_view content_type = "application/fhir+json;charset=utf-8";
  std::string etag;              // `W/"3"`
  std::int64_t modified_ms = 0;  // Last-Modified, Unix time; 0: not sent.
  std::string location;
  std::string link;  // Value of the Link header.
  // Others: Retry-After, Allow …
  std::vector<std::pair<std::string_view, std::string>> headers;
  Body body;
};

}  // namespace server
