// fhir/search/types/search_type.h
//
// What every search parameter type is to the rest of fhir/search: how an element
// becomes index values, and which index values a search value asks for. One
// file per type in this folder; search_type.cc lists them.
//
// An element that yields no value of its type (a date that is a Range, a reference that is only a
// display text) is indexed as the one byte 0x00, so that :missing tells whether the element is
// there. Values of all types begin with a tag byte that is not 0x00.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/base/time.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/search/expression.h"
#include "fhir/search/extract.h"
#include "fhir/search/filter/operator.h"
#include "fhir/search/index_entries.h"
#include "fhir/search/registry.h"
#include "fhir/terminology/terminology.h"

namespace fhir::search {

// The value of an element that yields nothing to search by.
inline constexpr std::string_view kPresenceValue{"\0", 1};

// Receives the values of one resource, index by index. Built per resource, on the stack.
class ValueSink {
 public:
  // All outlive the sink. `edits` are in node order.
  ValueSink(const ExtractOptions& options, std::span<const model::Edit> edits,
            IndexEntries* entries)
      : options_(options), edits_(edits), entries_(entries) {}

  // Where the next values go. In a tuple every element has exactly one form (see composite.cc).
  void Target(IndexId index, bool in_tuple) {
    index_ = index;
    in_tuple_ = in_tuple;
  }

  const ExtractOptions& Options() const { return options_; }
  std::span<const model::Edit> Edits() const { return edits_; }
  bool InTuple() const { return in_tuple_; }

  // The text of a string node as it will be stored.
  std::string_view TextOf(const json::Value& value) const;

  // A value is made by Begin(), appends to what it returns, and Add().
  std::string* Begin(char tag) {
    value_.assign(1, tag);
    return &value_;
  }
  void Add() { AddRaw(value_); }
  void AddRaw(std::string_view value) {
    if (IsOverfull()) return;
    if (entries_->Bytes() + value.size() > kMaxIndexBytes) return Refuse();
    entries_->Add(index_, value);
  }
  // The values are too long, and no more of them are taken.
  void Refuse() { is_overfull_ = true; }
  bool IsOverfull() const { return is_overfull_; }
  std::size_t Size() const { return entries_->List().size(); }

  // Counts one value of a composite. False: there are too many, or too long ones.
  bool CountTuple(std::size_t bytes) {
    ++tuples_;
    tuple_bytes_ += bytes;
    return !HasTooManyTuples();
  }
  // Counts the JSON values below one that lies outside of the composite's element.
  void CountTupleSource(std::size_t nodes) { tuple_sources_ += nodes; }
  bool HasTooManyTuples() const {
    return tuples_ > kMaxTuples || tuple_bytes_ > kMaxTupleBytes ||
           tuple_sources_ > kMaxTupleSources;
  }

 private:
  const ExtractOptions& options_;
  std::span<const model::Edit> edits_;
  IndexEntries* entries_;
  IndexId index_ = 0;
  bool in_tuple_ = false;
  bool is_overfull_ = false;
  std::size_t tuples_ = 0;
  std::size_t tuple_bytes_ = 0;
  std::size_t tuple_sources_ = 0;
  std::string value_;
};

// One element to be indexed: a value, never an array or null.
struct ElementView {
  json::Value value;
  std::string_view system;  // Of a code, when its binding implies one.
};

// Adds the element's values to the sink's target; none, if there is nothing to search by.
using Encoder = void (*)(const ElementView& element, ValueSink* sink);

// One of the values that a search parameter is compared with: "ge2020" of birthdate=ge2020,eq1980.
struct SearchValue {
  std::string_view name;      // As the client wrote it, for error messages: "subject.birthdate".
  std::string_view text;      // Not empty. Escapes are still in it.
  std::string_view modifier;  // Without the colon; one that the type has, or none.
  // Reference: the types that a bare id may mean; and the only one that counts, or empty.
  std::span<const std::string> targets;
  std::string_view only_type;
  std::span<const ComponentParameter> components;  // Composite.
  bool in_tuple = false;                           // A component of a composite.
  const TimeZone* zone = nullptr;
  std::string_view base_url;
  std::int64_t now_us = 0;
  terminology::Terminology* terminology = nullptr;  // Null: value sets cannot be expanded here.
};

// Index values that satisfy the search value: those in any of the ranges, in whatever index of the
// parameter (ValueRange::index is left 0). No range: none can.
// Errors: Invalid or NotSupported, naming the parameter.
using Parser = Result<std::vector<ValueRange>> (*)(const SearchValue& value);

struct SearchTypeSpec {
  std::string_view name;  // "token"; in the keys of indexes, in messages and in docs/search.md.
  SearchType type;
  // Null: elements of this type have no values of the search type. Composite: always null.
  Encoder (*encoder_for)(definitions::TypeId element_type);
  Parser parse;
  // Besides :missing, which all have. "[type]" stands for any resource type.
  std::span<const std::string_view> modifiers;
  // Values with this tag are the sort keys; empty: cannot be sorted by.
  std::string_view sort_tags;
  // Goes up when elements get other values than before: an index made before is another index, and
  // what it lacks is never taken for what is not there.
  int revision = 1;
  // A value may begin with a prefix of fhir/search/prefix.h.
  bool has_prefixes = false;
  // A resource matches if it has a value in each of the ranges that `parse` makes, not in any.
  bool needs_every_range = false;
  // False: elements such as `last` yields have nothing that the modifier could ask for, so that a
  // search would never find them. Null: all modifiers fit.
  bool (*modifier_fits)(std::string_view modifier, const Step& last) = nullptr;
  // What `_filter` can ask of it besides `pr`.
  std::span<const FilterOperator> operators = {};
  // The index values for which the operator holds, as `parse` has them for prefixes, modifiers and
  // plain references, which are not asked here (filter/translate.cc).
  Result<std::vector<ValueRange>> (*compare)(FilterOperator op, const SearchValue& value) = nullptr;
};

// Never null. kSpecial is a position (Location.near).
const SearchTypeSpec* FindSearchType(SearchType type);
// Every spec: one for each SearchType, and kWordsType.
std::span<const SearchTypeSpec* const> AllSearchTypes();

// "parameter 'birthdate': 'x' <problem>"
Error BadValue(const SearchValue& value, std::string_view problem);

// `text` without NUL, which ends texts in values: it becomes 0x01, in both directions.
void AppendText(std::string* out, std::string_view text);

// The same for what may be long: one of more than `max` bytes becomes its first `kept` bytes and
// HashText of the whole as 16 hexadecimal digits. Keys must not be as long as a client likes.
void AppendShortened(std::string* out, std::string_view text, std::size_t max, std::size_t kept);

// A URL, or a canonical with its version (url|1.0), each part shortened from kMaxUrlBytes to
// kKeptUrlBytes.
inline constexpr std::size_t kMaxUrlBytes = 2'048;
inline constexpr std::size_t kKeptUrlBytes = 2'000;
void AppendUrl(std::string* out, std::string_view url);

// The range of all values that begin with `prefix`; the value itself.
ValueRange PrefixRange(std::string prefix);
ValueRange ExactValue(std::string value);

extern const SearchTypeSpec kTokenType;
extern const SearchTypeSpec kStringType;
extern const SearchTypeSpec kUriType;
extern const SearchTypeSpec kReferenceType;
extern const SearchTypeSpec kDateType;
extern const SearchTypeSpec kNumberType;
extern const SearchTypeSpec kQuantityType;
extern const SearchTypeSpec kCompositeType;
extern const SearchTypeSpec kPositionType;
// Words of texts (_text, _content): R4 calls these parameters strings.
extern const SearchTypeSpec kWordsType;

}  // namespace fhir::search
