// fhir/ucum/ratio.h
//
// Exact positive rational numbers, with the power of ten kept apart, so that what
// is decimal has the denominator 1. Boost.Multiprecision's integers do the work.
//
// Thread-safety: a value; thread-compatible.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "fhir/base/decimal.h"

namespace fhir::ucum {

// Without expression templates: what an operator returns is a number, not a promise of one.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                              boost::multiprecision::et_off>;

// The digits of a decimal as a number.
Integer ToInteger(const Decimal& value);

// numerator / denominator * 10^exponent. The denominator has no factor in common with the
// numerator or with 10, and the numerator is no multiple of 10.
class Ratio {
 public:
  Ratio() = default;
  // |value|. REQUIRES: value is not 0.
  explicit Ratio(const Decimal& value);

  const Integer& Numerator() const { return numerator_; }
  const Integer& Denominator() const { return denominator_; }
  int Exponent() const { return exponent_; }

  Ratio operator*(const Ratio& other) const;
  // REQUIRES: |exponent| <= 99.
  Ratio ToThe(int exponent) const;

  // Larger than any unit is: whoever multiplies what clients write stops here.
  bool IsUnreasonable() const;

 private:
  void Normalize();

  Integer numerator_ = 1;
  Integer denominator_ = 1;
  int exponent_ = 0;
};

}  // namespace fhir::ucum
