#include "server/http/gather.h"

#include "server/http/limits.h"

namespace server {

std::string* Gather::Start() {
  if (joined_.capacity() > kSmallBodyBytes) joined_ = std::string();
  joined_.clear();
  segments_.clear();
  buffers_.clear();
  first_ = 0;
  rest_ = {};
  return &joined_;
}

void Gather::SetBody(const Body* body) {
  rest_ = body->Pieces();
  // A call takes kMaxGatheredBuffers; where there are more, copying is cheaper than another call.
  join_below_ = rest_.size() < kMaxGatheredBuffers ? kJoinBelowBytes : kJoinManyBelowBytes;
}

std::span<const boost::asio::const_buffer> Gather::Buffers() {
  if (first_ == buffers_.size()) Fill();
  return std::span(buffers_).subspan(first_);
}

void Gather::Advance(std::size_t bytes) {
  while (bytes > 0 && bytes >= buffers_[first_].size()) bytes -= buffers_[first_++].size();
  if (bytes > 0) buffers_[first_] += bytes;
  if (first_ == buffers_.size()) joined_.clear();
}

void Gather::Join(std::string_view bytes) {
  if (segments_.empty() || segments_.back().data != nullptr) {
    segments_.push_back({nullptr, joined_.size(), 0});
  }
  joined_.append(bytes);
  segments_.back().size += bytes.size();
}

void Gather::Fill() {
  segments_.clear();
  buffers_.clear();
  first_ = 0;
  if (!joined_.empty()) segments_.push_back({nullptr, 0, joined_.size()});  // The head.
  while (!rest_.empty() && segments_.size() < kMaxGatheredBuffers &&
         joined_.size() < kJoinedBytes) {
    const std::string_view bytes = rest_.front().bytes;
    rest_ = rest_.subspan(1);
    if (bytes.size() < join_below_) {
      Join(bytes);
    } else {
      segments_.push_back({bytes.data(), 0, bytes.size()});
    }
  }
  // Only now: joined_ may have moved while it grew.
  for (const Segment& segment : segments_) {
    const char* data = segment.data != nullptr ? segment.data : joined_.data() + segment.offset;
    buffers_.emplace_back(data, segment.size);
  }
}

}  // namespace server
