#include "fhir/ucum/ratio.h"

#include <algorithm>
#include <cstdlib>

namespace fhir::ucum {
namespace {

constexpr unsigned kMaxBits = 2048;
constexpr int kMaxExponent = 5000;

// Takes `factor` out of `number` as often as it is in there, and says how often.
int Remove(unsigned factor, Integer* number) {
  int times = 0;
  while (*number % factor == 0) {
    *number /= factor;
    ++times;
  }
  return times;
}

Integer Power(unsigned base, int exponent) {
  return boost::multiprecision::pow(Integer(base), static_cast<unsigned>(exponent));
}

}  // namespace

Integer ToInteger(const Decimal& value) {
  // A leading zero would make it octal.
  const std::size_t first = value.digits.find_first_not_of('0');
  return first == std::string::npos ? Integer(0) : Integer(value.digits.substr(first));
}

Ratio::Ratio(const Decimal& value) : numerator_(ToInteger(value)), exponent_(value.exponent) {
  Normalize();
}

Ratio Ratio::operator*(const Ratio& other) const {
  Ratio product;
  product.numerator_ = numerator_ * other.numerator_;
  product.denominator_ = denominator_ * other.denominator_;
  product.exponent_ = exponent_ + other.exponent_;
  product.Normalize();
  return product;
}

Ratio Ratio::ToThe(int exponent) const {
  const auto times = static_cast<unsigned>(std::abs(exponent));
  Ratio power;
  power.numerator_ = boost::multiprecision::pow(numerator_, times);
  power.denominator_ = boost::multiprecision::pow(denominator_, times);
  power.exponent_ = exponent_ * exponent;
  if (exponent < 0) std::swap(power.numerator_, power.denominator_);
  power.Normalize();
  return power;
}

bool Ratio::IsUnreasonable() const {
  return msb(numerator_) > kMaxBits || msb(denominator_) > kMaxBits ||
         std::abs(exponent_) > kMaxExponent;
}

void Ratio::Normalize() {
  if (denominator_ != 1) {
    // 1/2 is 5/10 and 1/5 is 2/10.
    const int twos = Remove(2, &denominator_);
    const int fives = Remove(5, &denominator_);
    numerator_ *= Power(5, twos) * Power(2, fives);
    exponent_ -= twos + fives;
    const Integer common = gcd(numerator_, denominator_);
    numerator_ /= common;
    denominator_ /= common;
  }
  exponent_ += Remove(10, &numerator_);
}

}  // namespace fhir::ucum
