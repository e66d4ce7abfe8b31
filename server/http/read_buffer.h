// server/http/read_buffer.h
//
// The bytes that came in and are not parsed yet, in one piece.
//
// Owner: the connection. Thread-safety: single-owner.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

#include <boost/asio/buffer.hpp>

namespace server {

class ReadBuffer {
 public:
  explicit ReadBuffer(std::size_t capacity) { Resize(capacity); }

  boost::asio::const_buffer Data() const { return {bytes_.get() + begin_, Size()}; }
  std::size_t Size() const { return end_ - begin_; }
  std::size_t Capacity() const { return capacity_; }
  bool IsFull() const { return Size() == capacity_; }

  // Room behind the data; empty if the buffer is full.
  boost::asio::mutable_buffer Room() {
    if (end_ == capacity_) Compact();
    return {bytes_.get() + end_, capacity_ - end_};
  }
  void Commit(std::size_t count) { end_ += count; }
  void Consume(std::size_t count) {
    begin_ += count;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  // REQUIRES: capacity >= Size().
  void Resize(std::size_t capacity) {
    std::unique_ptr<char[]> bytes(new char[capacity]);  // Not make_unique, which would clear it.
    const std::size_t size = Size();
    if (size > 0) std::memcpy(bytes.get(), bytes_.get() + begin_, size);
    bytes_ = std::move(bytes);
    begin_ = 0;
    end_ = size;
    capacity_ = capacity;
  }

 private:
  void Compact() {
    std::memmove(bytes_.get(), bytes_.get() + begin_, Size());
    end_ -= begin_;
    begin_ = 0;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace server
