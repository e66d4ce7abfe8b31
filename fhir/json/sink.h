// fhir/json/sink.h
//
// The writing end under fhir/json/writer.h: appends to a std::string through a
// bare pointer, since std::string checks its capacity and writes a NUL for each
// piece, and a resource is written in very many small pieces.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "fhir/json/document.h"

namespace fhir::json {

// While a Sink lives, the string belongs to it; its content is right again after the destructor.
// Thread-safety: single-owner.
class Sink {
 public:
  explicit Sink(std::string* out) : out_(out) { Rebase(out->size()); }
  ~Sink() { out_->resize(Size()); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // What the string's size would be now.
  std::size_t Size() const { return static_cast<std::size_t>(at_ - out_->data()); }
  // Takes back what was appended since the size was this.
  void CutTo(std::size_t size) { at_ = out_->data() + size; }

  void Put(char c) {
    Reserve(1);
    *at_++ = c;
  }

  void Append(std::string_view text) {
    Reserve(text.size());
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }

  // As a JSON string, quotes included. Escapes only what JSON demands.
  void AppendQuoted(std::string_view text);

 private:
  void Reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      Grow(bytes);
  }
  void Grow(std::size_t bytes);
  void AppendEscaped(std::string_view text);
  void Rebase(std::size_t size) {
    at_ = out_->data() + size;
    end_ = out_->data() + out_->size();
  }

  std::string* out_;
  char* at_;
  char* end_;
};

// Appends the value whose tape begins at `first`, without its name. `write_string(sink, index)`
// may write a string value itself (quotes included) and then returns true.
template <class WriteString>
void AppendTape(Sink* sink, const std::vector<Node>& nodes, std::uint32_t first,
                WriteString&& write_string) {
  struct Open {
    std::uint32_t end;
    char bracket;
  };
  Open open[kMaxDepth + 1];  // Document::Parse refuses what nests deeper.
  std::size_t depth = 0;
  bool comma = false;
  std::uint32_t last = nodes[first].end;
  for (std::uint32_t i = first; i < last; ++i) {
    for (; depth > 0 && open[depth - 1].end == i; --depth) {
      sink->Put(open[depth - 1].bracket);
      comma = true;
    }
    const Node& node = nodes[i];
    if (comma) sink->Put(',');
    comma = true;
    if (i != first && node.name != nullptr) {
      sink->AppendQuoted({node.name, node.name_size});
      sink->Put(':');
    }
    switch (node.kind) {
      case Kind::kObject:
      case Kind::kArray: {
        bool object = node.kind == Kind::kObject;
        sink->Put(object ? '{' : '[');
        open[depth++] = {node.end, object ? '}' : ']'};
        comma = false;
        break;
      }
      case Kind::kString:
        if (!write_string(sink, i)) sink->AppendQuoted({node.text, node.text_size});
        break;
      case Kind::kNull:
      case Kind::kBoolean:
      case Kind::kNumber: sink->Append({node.text, node.text_size}); break;
    }
  }
  while (depth > 0) sink->Put(open[--depth].bracket);
}

}  // namespace fhir::json
