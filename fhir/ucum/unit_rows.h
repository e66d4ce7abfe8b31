// fhir/ucum/unit_rows.h
//
// The UCUM table as the build makes it of ucum-essence.xml (compile_units.py),
// for unit.cc only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fhir::ucum {

enum class UnitKind : std::uint8_t {
  kBase,      // Measures something of its own: the seven base units, arbitrary units as [iU].
  kRatio,     // `value` times `unit`.
  kOffset,    // (v + offset) times `value` times `unit`: Celsius.
  kFunction,  // Not a straight line: pH.
};

struct UnitRow {
  std::string_view code;
  bool metric;  // Takes prefixes.
  UnitKind kind;
  std::string_view value;  // A decimal.
  std::string_view unit;   // An expression of other units.
  std::string_view offset;
};

struct PrefixRow {
  std::string_view code;
  std::string_view value;
};

// Sorted by code.
extern const std::span<const UnitRow> kUnitRows;
extern const std::span<const PrefixRow> kPrefixRows;

}  // namespace fhir::ucum
