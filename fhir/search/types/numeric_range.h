// fhir/search/types/numeric_range.h
//
// How numbers and ranges of numbers are encoded and searched; number and
// quantity share it. What follows a number (a quantity's unit) is theirs.
//
//   0x01 | decimal | …          one number
//   0x02 | low | high | …       a range, twice: by its low end …
//   0x03 | high | low | …       … and by its high end
//
// Quantities in UCUM units stand there once more, in canonical units (fhir/ucum):
//
//   0x04 | hash of the canonical unit (8 bytes) | decimal
//   0x05 | hash of the canonical unit | low | high
//   0x06 | hash of the canonical unit | high | low
//
// Numbers, but not in tuples, are there once more by sign, exponent and first two digits, so that a
// scan reads one by one only what lies beside such a band at its ends:
//
//   0x07 | the first four bytes of the decimal | …
//   0x08 | hash of the canonical unit | the first four bytes of the decimal
//
// A range is closed. An end is a decimal (fhir/base/decimal.h), or one byte 0x00 below all and 0xFF
// above all decimals where the range is open. These bytes are on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/decimal.h"
#include "fhir/json/document.h"
#include "fhir/search/expression.h"
#include "fhir/search/prefix.h"

namespace fhir::ucum {
class CanonicalUnit;
}

namespace fhir::search {

class ValueSink;

inline constexpr char kNumberTag = '\x01';
inline constexpr char kBelowAll = '\x00';
inline constexpr char kAboveAll = '\xFF';

// Length of the decimal or open end at the start of `bytes`, or nothing if they end before it does.
std::optional<std::size_t> EncodedBoundSize(std::string_view bytes);

// Where numbers are kept among the values: as they are written, or in a canonical unit.
class NumericKeys {
 public:
  enum class Form : std::uint8_t { kNumber, kRangeByLow, kRangeByHigh, kBand };

  // As written.
  NumericKeys() = default;
  // `unit` outlives the keys.
  explicit NumericKeys(const ucum::CanonicalUnit* unit);

  // What stands before a number, or before the first end of a range.
  std::string Key(Form form) const;
  // Length of each key.
  std::size_t Size() const { return 1 + scope_.size(); }
  // A value that begins with the key.
  std::string* Begin(Form form, ValueSink* sink) const;

  std::string Encode(const Decimal& value) const;

 private:
  char TagOf(Form form) const;

  const ucum::CanonicalUnit* unit_ = nullptr;
  std::string scope_;
};

void AddNumber(const NumericKeys& keys, const Decimal& number, std::string_view tail,
               ValueSink* sink);

// Adds both forms of a range with `tail` behind them. None is an open end; nothing is added if both
// are or if high is less than low.
void AddNumericRange(const NumericKeys& keys, const json::Value& low, const json::Value& high,
                     std::string_view tail, ValueSink* sink);

// The ranges of encoded numbers that `prefix` asks for. eq and ne use the number's implicit
// precision, ap a tenth of the number, the others its exact value (R4 3.1.1.4.2); all in the unit
// that the number is written in, before it is converted. A range of numbers
//   eq  lies within the searched range    ne  does not
//   gt/lt/ge/le  contains such a number   sa/eb  contains only such numbers   ap  overlaps
// Nothing if `number` is not a decimal.
std::optional<std::vector<ValueRange>> NumericRanges(const NumericKeys& keys, Prefix prefix,
                                                     std::string_view number, bool in_tuple);

}  // namespace fhir::search
