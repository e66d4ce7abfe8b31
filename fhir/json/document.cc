// fhir/json/document.cc
//
// RapidJSON reads a private copy in place and calls TapeBuilder for each event.
// What it lets through and we refuse: a NUL that ends the text early, and the
// escape of a lone low surrogate.
#include "fhir/json/document.h"

#include <algorithm>
#include <array>
#include <limits>

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

namespace fhir::json {
namespace {

// RapidJSON reads up to three bytes behind a truncated UTF-8 sequence.
constexpr std::size_t kPadding = 8;

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct InsituStream : rapidjson::InsituStringStream {
  using rapidjson::InsituStringStream::GenericInsituStringStream;
  std::size_t lone_surrogate_at = kNone;
};

}  // namespace
}  // namespace fhir::json

// As for the stream it derives from. Without it RapidJSON hands RawNumber a pointer behind the
// number.
template <>
struct rapidjson::StreamTraits<fhir::json::InsituStream> {
  enum { copyOptimization = 1 };  // NOLINT(readability-identifier-naming)
};

namespace fhir::json {
namespace {

// UTF-8, except that an escaped lone surrogate is noticed: it has no UTF-8 form.
struct StrictUtf8 : rapidjson::UTF8<> {
  template <class OutputStream>
  static void Encode(OutputStream& out, unsigned code_point) {
    if constexpr (requires { out.lone_surrogate_at; }) {
      if (code_point >= 0xD800 && code_point <= 0xDFFF) {
        out.lone_surrogate_at = std::min(out.lone_surrogate_at, out.Tell());
        return;
      }
    }
    rapidjson::UTF8<>::Encode(out, code_point);
  }
};

class TapeBuilder {
 public:
  TapeBuilder(std::vector<Node>* nodes, std::size_t max_nodes)
      : nodes_(nodes), max_nodes_(max_nodes) {}

  bool TooDeep() const { return too_deep_; }
  bool TooMany() const { return too_many_; }

  bool Null() { return Add(Kind::kNull, "null", 4); }
  bool Bool(bool value) {
    return value ? Add(Kind::kBoolean, "true", 4) : Add(Kind::kBoolean, "false", 5);
  }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    return Add(Kind::kNumber, text, size);
  }
  bool String(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    return Add(Kind::kString, text, size);
  }
  bool Key(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    name_ = text;
    name_size_ = size;
    return true;
  }
  bool StartObject() { return Open(Kind::kObject); }
  bool EndObject(rapidjson::SizeType /*members*/) { return Close(); }
  bool StartArray() { return Open(Kind::kArray); }
  bool EndArray(rapidjson::SizeType /*items*/) { return Close(); }

  // Numbers come as RawNumber only.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  bool Add(Kind kind, const char* text, std::uint32_t size) {
    if (nodes_->size() == max_nodes_) [[unlikely]] {
      too_many_ = true;
      return false;
    }
    auto index = static_cast<std::uint32_t>(nodes_->size());
    nodes_->push_back({name_, text, name_size_, size, index + 1, kind});
    name_ = nullptr;
    name_size_ = 0;
    return true;
  }

  bool Open(Kind kind) {
    if (depth_ == kMaxDepth) {
      too_deep_ = true;
      return false;
    }
    open_[depth_++] = static_cast<std::uint32_t>(nodes_->size());
    return Add(kind, nullptr, 0);
  }

  bool Close() {
    (*nodes_)[open_[--depth_]].end = static_cast<std::uint32_t>(nodes_->size());
    return true;
  }

  std::vector<Node>* nodes_;
  const std::size_t max_nodes_;
  const char* name_ = nullptr;
  std::uint32_t name_size_ = 0;
  std::size_t depth_ = 0;
  bool too_deep_ = false;
  bool too_many_ = false;
  std::array<std::uint32_t, kMaxDepth> open_;
};

Error SyntaxError(std::string_view text, std::size_t offset, std::string_view what) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  auto line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0.
  std::string message = "not valid JSON, line " + std::to_string(line) + ", column " +
                        std::to_string(before.size() - line_start + 1) + ": ";
  return Invalid(message.append(what));
}

}  // namespace

Result<Document> Document::Parse(std::string_view text, std::size_t max_nodes) {
  // Node counts in 32 bits.
  if (text.size() > std::numeric_limits<std::uint32_t>::max() - kPadding) {
    return Fail(TooLarge("JSON text is larger than 4 GiB"));
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Document document;
  document.text_.reserve(text.size() + kPadding);
  document.text_.assign(text.begin(), text.end());
  document.text_.resize(text.size() + kPadding);
  // Resources have 12 to 17 bytes a node; one long string must not reserve without bound.
  constexpr std::size_t kBytesPerNode = 14;
  constexpr std::size_t kMaxReserve = 1 << 20;
  document.nodes_.reserve(std::min(text.size() / kBytesPerNode + 8, kMaxReserve));

  // Not kParseIterativeFlag: it is no faster, its stack does arithmetic on a null pointer (UBSan),
  // and TapeBuilder bounds the recursion.
  constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag |
                              rapidjson::kParseValidateEncodingFlag;
  InsituStream stream(document.text_.data());
  TapeBuilder builder(&document.nodes_, max_nodes);
  rapidjson::GenericReader<StrictUtf8, StrictUtf8> reader;
  rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  if (builder.TooDeep()) {
    return Fail(SyntaxError(text, result.Offset(), "nested too deeply"));
  }
  if (builder.TooMany()) {
    return Fail(TooLarge("JSON text has more than " + std::to_string(max_nodes) + " values"));
  }
  if (result.IsError()) {
    return Fail(SyntaxError(text, result.Offset(), rapidjson::GetParseError_En(result.Code())));
  }
  if (stream.lone_surrogate_at != kNone) {
    return Fail(SyntaxError(text, stream.lone_surrogate_at, "lone surrogate"));
  }
  if (stream.Tell() != text.size()) return Fail(SyntaxError(text, stream.Tell(), "NUL character"));
  return document;
}

Value Value::Find(std::string_view name) const {
  if (!IsObject()) return {};
  const std::vector<Node>& nodes = document_->Nodes();
  std::uint32_t end = nodes[index_].end;
  for (std::uint32_t i = index_ + 1; i < end; i = nodes[i].end) {
    if (std::string_view(nodes[i].name, nodes[i].name_size) == name) return {document_, i};
  }
  return {};
}

}  // namespace fhir::json
