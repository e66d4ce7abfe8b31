// fhir/json/writer.cc
#include "fhir/json/writer.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "fhir/json/sink.h"

namespace fhir::json {
namespace {

constexpr std::uint64_t Repeat(unsigned char byte) {
  return 0x0101010101010101U * byte;
}

// Non-zero if one of the eight bytes is a quote, a backslash or below 0x20. A byte of 0x80 and
// above never counts by itself.
std::uint64_t Special(std::uint64_t word) {
  std::uint64_t quote = word ^ Repeat('"');
  std::uint64_t backslash = word ^ Repeat('\\');
  return ((word - Repeat(0x20)) & ~word & Repeat(0x80)) |
         ((quote - Repeat(1)) & ~quote & Repeat(0x80)) |
         ((backslash - Repeat(1)) & ~backslash & Repeat(0x80));
}

bool IsSpecial(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

bool HasSpecial(std::string_view text) {
  const char* from = text.data();
  const char* end = from + text.size();
  for (; end - from >= 8; from += 8) {
    std::uint64_t word;
    std::memcpy(&word, from, 8);
    if (Special(word) != 0) return true;
  }
  return std::any_of(from, end, IsSpecial);
}

char* PutEscaped(char* to, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  *to++ = '\\';
  switch (c) {
    case '"':
    case '\\': *to++ = c; return to;
    case '\b': *to++ = 'b'; return to;
    case '\f': *to++ = 'f'; return to;
    case '\n': *to++ = 'n'; return to;
    case '\r': *to++ = 'r'; return to;
    case '\t': *to++ = 't'; return to;
    default: break;
  }
  *to++ = 'u';
  *to++ = '0';
  *to++ = '0';
  *to++ = kHex[c >> 4];
  *to++ = kHex[c & 15];
  return to;
}

}  // namespace

void Sink::Grow(std::size_t bytes) {
  // Fresh bytes are zeroed by std::string, so take them in moderate steps.
  constexpr std::size_t kMinStep = 512;
  constexpr std::size_t kMaxStep = 64 << 10;
  std::size_t size = Size();
  std::size_t step = std::max(bytes, std::clamp(size, kMinStep, kMaxStep));
  out_->resize(size + step);
  Rebase(size);
}

void Sink::AppendQuoted(std::string_view text) {
  Reserve(text.size() + 2);
  char* start = at_;
  *at_++ = '"';
  const char* from = text.data();
  const char* end = from + text.size();
  for (; end - from >= 8; from += 8, at_ += 8) {
    std::uint64_t word;
    std::memcpy(&word, from, 8);
    if (Special(word) != 0) break;
    std::memcpy(at_, &word, 8);
  }
  while (from != end && !IsSpecial(*from)) *at_++ = *from++;
  if (from != end) [[unlikely]] {
    std::size_t clean = static_cast<std::size_t>(from - text.data());
    at_ = start + 1 + clean;
    AppendEscaped(text.substr(clean));
  }
  Put('"');
}

void Sink::AppendEscaped(std::string_view text) {
  constexpr std::size_t kMaxEscape = 6;  // \u001f
  while (!text.empty()) {
    std::size_t clean = 0;
    while (clean < text.size() && !IsSpecial(text[clean])) ++clean;
    Append(text.substr(0, clean));
    if (clean == text.size()) return;
    Reserve(kMaxEscape);
    at_ = PutEscaped(at_, text[clean]);
    text.remove_prefix(clean + 1);
  }
}

void AppendString(std::string* out, std::string_view text) {
  // A Sink clears room for many strings: 64 KiB, at the end of a long text.
  if (HasSpecial(text)) return Sink(out).AppendQuoted(text);
  out->push_back('"');
  out->append(text);
  out->push_back('"');
}

void AppendValue(std::string* out, const Value& value) {
  Sink sink(out);
  AppendTape(&sink, value.Tape(), value.Index(), [](Sink*, std::uint32_t) { return false; });
}

void Writer::Separate() {
  if (need_comma_) out_->push_back(',');
  need_comma_ = true;
}

Writer& Writer::Open(char bracket) {
  Separate();
  out_->push_back(bracket);
  need_comma_ = false;
  return *this;
}

Writer& Writer::Close(char bracket) {
  out_->push_back(bracket);
  need_comma_ = true;
  return *this;
}

Writer& Writer::Member(std::string_view name) {
  Separate();
  AppendString(out_, name);
  out_->push_back(':');
  need_comma_ = false;
  return *this;
}

Writer& Writer::String(std::string_view text) {
  Separate();
  AppendString(out_, text);
  return *this;
}

Writer& Writer::Number(std::int64_t number) {
  Separate();
  char digits[20];
  out_->append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  return *this;
}

Writer& Writer::Bool(bool value) {
  Separate();
  out_->append(value ? "true" : "false");
  return *this;
}

Writer& Writer::Raw(std::string_view json) {
  Separate();
  out_->append(json);
  return *this;
}

}  // namespace fhir::json
