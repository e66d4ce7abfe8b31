// fhir/json/document.h
//
// One parsed JSON text as a flat list of nodes in document order (a tape), with
// cursors to walk it. Knows JSON and nothing of FHIR. The only folder that
// includes RapidJSON.
//
// Numbers keep their digits ("1.10" stays "1.10"); strings are unescaped UTF-8.
//
// Errors of Parse: 400 with the line and column, for text that is not one JSON
// value, is not UTF-8, or nests deeper than kMaxDepth; 413 for more values than
// allowed. Repeated member names are not an error here (fhir/validation reports
// them with their path).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"

namespace fhir::json {

// Far above any real resource; bounds stacks and FHIRPath expressions.
inline constexpr std::size_t kMaxDepth = 100;
// Values in one text. A node takes 32 bytes, so that "[0,0,..." would take sixteen times its size;
// resources have 12 to 17 bytes a value, so this is some 200 MB of them.
inline constexpr std::size_t kMaxNodes = std::size_t{16} << 20;

enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kObject, kArray };

// One value. A member's name stands with its value; in an array it is empty.
struct Node {
  const char* name = nullptr;  // Null: not a member.
  const char* text = nullptr;  // String: unescaped. Number, boolean, null: as written.
  std::uint32_t name_size = 0;
  std::uint32_t text_size = 0;
  std::uint32_t end = 0;  // Index one past this value's last descendant.
  Kind kind = Kind::kNull;
};

class Value;

// Owner: whoever parsed it. Thread-safety: immutable after Parse.
// Moving a Document does not move its text: cursors hold the Document's address, so take them after
// the last move.
class Document {
 public:
  static Result<Document> Parse(std::string_view text, std::size_t max_nodes = kMaxNodes);

  Document(Document&&) = default;
  Document& operator=(Document&&) = default;

  Value Root() const;
  const std::vector<Node>& Nodes() const { return nodes_; }

 private:
  Document() = default;

  // unique_ptr-like stability: a std::string may be short and move its bytes.
  std::vector<char> text_;  // Unescaped in place; nodes point into it.
  std::vector<Node> nodes_;
};

// A cursor on one value. Cheap to copy; valid while its Document lives.
class Value {
 public:
  Value() = default;  // "No value": IsNone() is true, nothing else may be called but Find.
  Value(const Document* document, std::uint32_t index) : document_(document), index_(index) {}

  bool IsNone() const { return document_ == nullptr; }
  std::uint32_t Index() const { return index_; }
  // All nodes of its document; this value's are [Index(), Tape()[Index()].end).
  const std::vector<Node>& Tape() const { return document_->Nodes(); }
  Kind GetKind() const { return GetNode().kind; }
  bool IsObject() const { return !IsNone() && GetKind() == Kind::kObject; }
  bool IsArray() const { return !IsNone() && GetKind() == Kind::kArray; }
  bool IsString() const { return !IsNone() && GetKind() == Kind::kString; }
  std::string_view Name() const { return {GetNode().name, GetNode().name_size}; }
  // The unescaped string, or the literal of a number or boolean as written; empty for the others.
  std::string_view Text() const { return {GetNode().text, GetNode().text_size}; }
  // The same for a string value, and empty for anything else, None included.
  std::string_view StringOrEmpty() const { return IsString() ? Text() : std::string_view{}; }

  // The member of that name, or None (also if this is not an object). Linear.
  Value Find(std::string_view name) const;

  // Members of an object or items of an array: for (Value child : value.Children()).
  class Iterator {
   public:
    Iterator(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
    Value operator*() const { return {document_, index_}; }
    Iterator& operator++() {
      index_ = document_->Nodes()[index_].end;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const Document* document_;
    std::uint32_t index_;
  };
  struct Range {
    Iterator first, last;
    Iterator begin() const { return first; }
    Iterator end() const { return last; }
  };
  // REQUIRES: not None. A scalar has no children.
  Range Children() const { return {{document_, index_ + 1}, {document_, GetNode().end}}; }

 private:
  const Node& GetNode() const { return document_->Nodes()[index_]; }

  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;
};

inline Value Document::Root() const {
  return {this, 0};
}

}  // namespace fhir::json
