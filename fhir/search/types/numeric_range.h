// fhir/search/types/numeric_range.h
//
// How numbers and ranges of numbers are encoded and searched; number and
// quantity share it. What follows a number (a quantity's unit) is theirs.
//
//   0x01 | decimal | …          one number
//   0x02 | low | high | …       a range, twice: by its low end …
//   0x03 | high | low | …       … and by its high end
//
// A range is closed. An end is a decimal (fhir/base/decimal.h), or one byte 0x00 below all and 0xFF
// above all decimals where the range is open. These bytes are on disk.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/json/document.h"
#include "fhir/search/expression.h"
#include "fhir/search/prefix.h"

namespace fhir::search {

class ValueSink;

inline constexpr char kNumberTag = '\x01';
inline constexpr char kRangeByLowTag = '\x02';
inline constexpr char kRangeByHighTag = '\x03';
inline constexpr char kBelowAll = '\x00';
inline constexpr char kAboveAll = '\xFF';

// Length of the decimal or open end at the start of `bytes`, or nothing if they end before it does.
std::optional<std::size_t> EncodedBoundSize(std::string_view bytes);

// Adds both forms of a range with `tail` behind them. None is an open end; nothing is added if both
// are or if high is less than low.
void AddNumericRange(const json::Value& low, const json::Value& high, std::string_view tail,
                     ValueSink* sink);

// The ranges of encoded numbers that `prefix` asks for. eq and ne use the number's implicit
// precision, ap a tenth of the number, the others its exact value (R4 3.1.1.4.2). A range of
// numbers
//   eq  lies within the searched range    ne  does not
//   gt/lt/ge/le  contains such a number   sa/eb  contains only such numbers   ap  overlaps
// Nothing if `number` is not a decimal.
std::optional<std::vector<ValueRange>> NumericRanges(Prefix prefix, std::string_view number);

}  // namespace fhir::search
