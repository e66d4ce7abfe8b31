// server/http/gather.h
//
// Turns a head and a body of many pieces into few buffers: small neighbours are
// copied together, large pieces are sent from where they lie. Bounded: a body of
// any size passes through a window of kJoinedBytes.
//
// Owner: the connection. Thread-safety: single-owner.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <boost/asio/buffer.hpp>

#include "server/runtime/reply.h"

namespace server {

class Gather {
 public:
  // Starts a new answer and returns the string to put the head into, before the first Buffers().
  std::string* Start();
  // The body that follows the head; outlives the sending.
  void SetBody(const Body* body);

  // What to send next; empty when all is sent. Valid until the next call of any method.
  std::span<const boost::asio::const_buffer> Buffers();
  // The first `bytes` of Buffers() are sent.
  void Advance(std::size_t bytes);

 private:
  struct Segment {
    const char* data;  // Null: in joined_, at `offset`.
    std::size_t offset;
    std::size_t size;
  };
  void Fill();
  void Join(std::string_view bytes);

  std::string joined_;
  std::vector<Segment> segments_;
  std::vector<boost::asio::const_buffer> buffers_;
  std::size_t first_ = 0;  // Of buffers_, not sent yet.
  std::span<const Body::Piece> rest_;
  std::size_t join_below_ = 0;
};

}  // namespace server
