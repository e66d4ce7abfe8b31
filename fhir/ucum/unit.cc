// fhir/ucum/unit.cc -- the grammar of UCUM 2.1 §§5-12, and the table resolved once.
#include "fhir/ucum/unit.h"

#include <algorithm>

#include "fhir/base/check.h"
#include "fhir/ucum/unit_rows.h"

namespace fhir::ucum {
namespace {

constexpr std::size_t kMaxCharacters = 255;
constexpr std::size_t kMaxExponentDigits = 2;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// A number of the table.
Decimal NumberOf(std::string_view text) {
  std::optional<Decimal> number = ParseDecimal(text);
  FHIR_CHECK(number.has_value(), "the table's numbers are decimals");
  return *std::move(number);
}

const UnitRow* FindRow(std::string_view code) {
  const auto row = std::lower_bound(
      kUnitRows.begin(), kUnitRows.end(), code,
      [](const UnitRow& known, std::string_view wanted) { return known.code < wanted; });
  return row != kUnitRows.end() && row->code == code ? &*row : nullptr;
}

// A unit with or without prefix.
struct Atom {
  const UnitRow* row;
  const PrefixRow* prefix;
};

std::optional<Atom> FindAtom(std::string_view code) {
  if (const UnitRow* row = FindRow(code); row != nullptr) return Atom{row, nullptr};
  for (const PrefixRow& prefix : kPrefixRows) {
    if (!code.starts_with(prefix.code)) continue;
    const UnitRow* row = FindRow(code.substr(prefix.code.size()));
    if (row != nullptr && row->metric) return Atom{row, &prefix};
  }
  return std::nullopt;
}

// Product of units; no offset.
struct Product {
  Ratio factor;
  std::vector<std::pair<std::string_view, int>> bases;

  void Multiply(const Product& other, int exponent) {
    factor = factor * (exponent == 1 ? other.factor : other.factor.ToThe(exponent));
    for (const auto& [code, power] : other.bases) {
      auto at = std::lower_bound(bases.begin(), bases.end(), code,
                                 [](const auto& base, auto wanted) { return base.first < wanted; });
      if (at == bases.end() || at->first != code) at = bases.insert(at, {code, 0});
      at->second += power * exponent;
      if (at->second == 0) bases.erase(at);
    }
  }
};

// Every unit of the table in base units. Immutable once built.
class ResolvedUnits {
 public:
  static ResolvedUnits& Get() {
    static ResolvedUnits units;
    return units;
  }

  // Of an offset's row: the factor. REQUIRES: no kFunction.
  const Product& Of(const UnitRow& row);

 private:
  ResolvedUnits() : products_(kUnitRows.size()) {
    for (const UnitRow& row : kUnitRows) {
      if (row.kind != UnitKind::kFunction) Of(row);
    }
  }

  std::vector<std::optional<Product>> products_;
};

// Reads one expression. Nothing that it returns is unreasonable.
class Parser {
 public:
  Parser(std::string_view text, ResolvedUnits* units) : rest_(text), units_(units) {}

  std::optional<Product> ParseAll() {
    Product product;
    int sign = Take('/') ? -1 : 1;
    if (!ParseTerm(sign, &product) || !rest_.empty()) return std::nullopt;
    return product;
  }

 private:
  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // component { ("." | "/") component }; the first one to the power of `sign`.
  bool ParseTerm(int sign, Product* product) {
    while (ParseComponent(sign, product)) {
      if (Take('.')) {
        sign = 1;
      } else if (Take('/')) {
        sign = -1;
      } else {
        return true;
      }
    }
    return false;
  }

  bool ParseComponent(int sign, Product* product) {
    Product component;
    if (Take('(')) {
      if (!ParseTerm(1, &component) || !Take(')')) return false;
    } else if (!rest_.starts_with('{') && !ParseSimple(&component)) {
      return false;
    }
    if (!SkipAnnotation()) return false;
    product->Multiply(component, sign);
    return !product->factor.IsUnreasonable();
  }

  // A number, or a unit with its exponent.
  bool ParseSimple(Product* component) {
    const std::size_t digits = CountDigits();
    const bool is_ten = rest_.starts_with("10*") || rest_.starts_with("10^");
    if (digits > 0 && !is_ten) {
      Decimal number{false, std::string(rest_.substr(0, digits)), 0};
      rest_.remove_prefix(digits);
      if (number.IsZero()) return false;
      component->factor = Ratio(number);
      return true;
    }
    const auto atom = FindAtom(TakeAtom(is_ten));
    if (!atom || atom->row->kind == UnitKind::kOffset || atom->row->kind == UnitKind::kFunction) {
      return false;
    }
    const auto exponent = TakeExponent();
    if (!exponent) return false;
    component->Multiply(units_->Of(*atom->row), *exponent);
    if (atom->prefix != nullptr) {
      component->factor = component->factor * Ratio(NumberOf(atom->prefix->value)).ToThe(*exponent);
    }
    return true;
  }

  std::size_t CountDigits() const {
    return static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), IsDigit) -
                                    rest_.begin());
  }

  // Up to an operator or a digit; what stands in [] belongs to it.
  std::string_view TakeAtom(bool is_ten) {
    std::size_t n = is_ten ? 3 : 0;
    while (!is_ten && n < rest_.size() && !IsDigit(rest_[n])) {
      if (rest_[n] == '[') n = std::min(rest_.find(']', n), rest_.size() - 1);
      if (std::string_view("./(){}+-").find(rest_[n]) != std::string_view::npos) break;
      ++n;
    }
    const std::string_view atom = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return atom;
  }

  // 1 if there is none.
  std::optional<int> TakeExponent() {
    const bool negative = rest_.starts_with('-');
    const bool is_signed = negative || rest_.starts_with('+');
    if (is_signed) rest_.remove_prefix(1);
    const std::size_t digits = CountDigits();
    if (digits > kMaxExponentDigits || (digits == 0 && is_signed)) return std::nullopt;
    if (digits == 0) return 1;
    int exponent = 0;
    for (const char c : rest_.substr(0, digits)) exponent = exponent * 10 + (c - '0');
    rest_.remove_prefix(digits);
    return negative ? -exponent : exponent;
  }

  bool SkipAnnotation() {
    if (!Take('{')) return true;
    const std::size_t end = rest_.find_first_of("{}");
    if (end == std::string_view::npos || rest_[end] == '{') return false;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
  }

  std::string_view rest_;
  ResolvedUnits* units_;
};

const Product& ResolvedUnits::Of(const UnitRow& row) {
  std::optional<Product>& product = products_[static_cast<std::size_t>(&row - kUnitRows.data())];
  if (product) return *product;
  if (row.kind == UnitKind::kBase) {
    product.emplace().bases.emplace_back(row.code, 1);
    return *product;
  }
  product = Parser(row.unit, this).ParseAll();
  FHIR_CHECK(product.has_value(), "the table's units are made of its units");
  product->factor = product->factor * Ratio(NumberOf(row.value));
  return *product;
}

// Celsius and the like: the whole code but for an annotation is one unit.
std::optional<Unit> ParseOffsetUnit(std::string_view code) {
  if (code.ends_with('}')) code = code.substr(0, code.find('{'));
  const auto atom = FindAtom(code);
  if (!atom || atom->row->kind != UnitKind::kOffset) return std::nullopt;
  const Product& product = ResolvedUnits::Get().Of(*atom->row);
  Unit unit{product.factor, product.bases, NumberOf(atom->row->offset)};
  if (atom->prefix == nullptr) return unit;
  // v mCel is (v/1000 + 273.15) Cel, so (v + 273150) / 1000. A prefix that is no power of ten
  // would leave no decimal.
  const Ratio prefix(NumberOf(atom->prefix->value));
  if (prefix.Numerator() != 1) return std::nullopt;
  unit.factor = unit.factor * prefix;
  unit.offset.exponent -= prefix.Exponent();
  return unit;
}

}  // namespace

std::optional<Unit> ParseUnit(std::string_view code) {
  if (code.empty() || code.size() > kMaxCharacters) return std::nullopt;
  auto product = Parser(code, &ResolvedUnits::Get()).ParseAll();
  if (!product) return ParseOffsetUnit(code);
  return Unit{std::move(product->factor), std::move(product->bases), Decimal{}};
}

}  // namespace fhir::ucum
