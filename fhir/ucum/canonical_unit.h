// fhir/ucum/canonical_unit.h
//
// Makes values in units of one kind comparable: 5.4 g and 5400 mg are the same
// number of the same canonical unit.
//
// What a value becomes is on disk (docs/storage-format.md), and depends on UCUM's
// table: docs/decisions/0009-ucum.md says what a new one needs.
//
// Thread-safety: immutable values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fhir/base/decimal.h"
#include "fhir/ucum/unit.h"

namespace fhir::ucum {

inline constexpr std::string_view kSystem = "http://unitsofmeasure.org";

class CanonicalUnit {
 public:
  explicit CanonicalUnit(const Unit& unit);

  // The product of base units that values are given in: "g.m-3"; "1" if there are none.
  const std::string& Name() const { return name_; }

  // `value` in base units. Exact if that is a decimal; cut off after 40 digits otherwise (a minute
  // is a 60th of an hour), which keeps the order of values and maps equal ones to one: 60 /min is
  // 1 /s. A value beyond 10^±60 is not moved by an offset.
  // REQUIRES: from ParseDecimal, perhaps with some more digits.
  Decimal Convert(const Decimal& value) const;

 private:
  Ratio factor_;
  Decimal offset_;
  std::string name_;
  // The factor's, if they are small; otherwise 0.
  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 0;
};

// The unit, which lives for ever if it is a common one and is otherwise made in `*made`. Null for
// what ParseUnit does not know.
const CanonicalUnit* FindCanonicalUnit(std::string_view code, std::optional<CanonicalUnit>* made);

}  // namespace fhir::ucum
