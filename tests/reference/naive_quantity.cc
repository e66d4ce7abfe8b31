#include "tests/reference/naive_quantity.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace reference {
namespace {

using fhir::json::Value;

// Exact: in units of 10^-20. Enough for what the data holds; no exponents.
__extension__ using Scaled = __int128;
constexpr int kScale = 20;

constexpr std::string_view kUcum = "http://unitsofmeasure.org";

Scaled PowerOfTen(int exponent) {
  Scaled power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

int FractionDigits(const std::string& text) {
  const std::size_t dot = text.find('.');
  return dot == std::string::npos ? 0 : static_cast<int>(text.size() - dot - 1);
}

Scaled ToScaled(const std::string& text) {
  Scaled value = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') value = value * 10 + (c - '0');
  }
  value *= PowerOfTen(kScale - FractionDigits(text));
  return text.starts_with('-') ? -value : value;
}

// A UCUM unit by hand: `size` of the smallest unit of its kind that the data has.
struct Unit {
  std::string_view code, kind;
  std::int64_t size;
};
constexpr Unit kUnits[] = {{"pg", "mass", 1},
                           {"g", "mass", 1'000'000'000'000},
                           {"kg", "mass", 1'000'000'000'000'000},
                           {"pg/mL", "mass per volume", 1},
                           {"ng/mL", "mass per volume", 1'000},
                           {"ug/L", "mass per volume", 1'000},
                           {"ug/dL", "mass per volume", 10'000},
                           {"mg/L", "mass per volume", 1'000'000},
                           {"ug/mL", "mass per volume", 1'000'000},
                           {"mg/dL", "mass per volume", 10'000'000},
                           {"g/L", "mass per volume", 1'000'000'000},
                           {"g/dL", "mass per volume", 10'000'000'000},
                           {"mm", "length", 1},
                           {"cm", "length", 10},
                           {"m", "length", 1'000},
                           {"s", "time", 1},
                           {"min", "time", 60},
                           {"/min", "frequency", 1},
                           {"Hz", "frequency", 60},
                           {"10*3/uL", "count per volume", 1},
                           {"10*6/uL", "count per volume", 1'000},
                           {"umol/L", "count per volume", 602'214'076},
                           {"mmol/L", "count per volume", 602'214'076'000},
                           {"mg/g", "count", 1},
                           {"%", "count", 10},
                           {"1", "count", 1'000},
                           {"{score}", "count", 1'000},
                           {"{INR}", "count", 1'000},
                           {"{count}", "count", 1'000},
                           {"{nominal}", "count", 1'000},
                           {"{T-score}", "count", 1'000},
                           {"{#}", "count", 1'000},
                           {"U/L", "catalysis per volume", 1},
                           {"kU/L", "catalysis per volume", 1'000},
                           {"mL/min", "flow", 1},
                           {"mL/min/{1.73_m2}", "flow", 1},
                           {"L/min", "flow", 1'000}};

const Unit* FindUnit(std::string_view code) {
  const auto* found = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const Unit& unit) { return unit.code == code; });
  return found == std::end(kUnits) ? nullptr : found;
}

// `value` is in units `searched_size` large, `text` in units `found_size` large.
bool ConvertedHolds(const std::string& value, const std::string& text, std::int64_t searched_size,
                    std::int64_t found_size) {
  const Prefixed p = SplitPrefix(value);
  const std::int64_t common = std::gcd(searched_size, found_size);
  const Scaled s = ToScaled(p.rest) * (searched_size / common);
  const Scaled v = ToScaled(text) * (found_size / common);
  // Half a unit of the last digit that is written.
  const Scaled half = PowerOfTen(kScale - FractionDigits(p.rest)) / 2 * (searched_size / common);
  const bool equal = v >= s - half && v < s + half;
  if (p.prefix == "eq") return equal;
  if (p.prefix == "ne") return !equal;
  if (p.prefix == "gt" || p.prefix == "sa") return v > s;
  if (p.prefix == "lt" || p.prefix == "eb") return v < s;
  if (p.prefix == "ge") return v >= s;
  if (p.prefix == "ap") return (v < s ? s - v : v - s) * 10 <= (s < 0 ? -s : s);
  return v <= s;
}

// The number with its point moved: 5.4 by 3 is 5400, by -2 is 0.054.
std::string MovePoint(std::string text, int places) {
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  int fraction = FractionDigits(text) - places;
  std::erase(text, '.');
  if (fraction < 0) text.append(static_cast<std::size_t>(-fraction), '0');
  fraction = std::max(fraction, 0);
  const auto digits = static_cast<std::size_t>(fraction) + 1;
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - digits));
  if (fraction > 0) text.insert(text.size() - digits + 1, ".");
  return (negative ? "-" : "") + text;
}

// The same quantity in the other units of its kind that a power of ten leads to; in the others,
// the same number.
void AddConverted(const Value& v, std::vector<std::string>* values) {
  const Unit* found = Text(v, "system") == kUcum ? FindUnit(Text(v, "code")) : nullptr;
  if (found == nullptr) return;
  for (const Unit& unit : kUnits) {
    if (unit.kind != found->kind || &unit == found) continue;
    int places = 0;
    std::int64_t size = std::min(unit.size, found->size);
    for (; size < std::max(unit.size, found->size); size *= 10) ++places;
    const bool is_power = size == std::max(unit.size, found->size);
    if (unit.size > found->size) places = -places;
    const std::string number = MovePoint(Text(v, "value"), is_power ? places : 0);
    if (FractionDigits(number) >= kScale) continue;
    values->push_back(number + "|" + std::string(kUcum) + "|" + std::string(unit.code));
  }
}

}  // namespace

std::string Text(const Value& object, std::string_view member) {
  const Value value = object.Find(member);
  return value.IsNone() ? std::string() : std::string(value.Text());
}

Prefixed SplitPrefix(const std::string& value) {
  for (const char* prefix : {"eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"}) {
    if (value.starts_with(prefix)) return {prefix, value.substr(2)};
  }
  return {"eq", value};
}

bool NumberHolds(const std::string& value, const std::string& text) {
  return ConvertedHolds(value, text, 1, 1);
}

bool QuantityHolds(const std::string& value, const Value& v) {
  if (!v.IsObject() || v.Find("value").IsNone()) return false;
  const std::size_t bar = value.find('|');
  const std::string number = value.substr(0, bar);
  if (bar == std::string::npos) return NumberHolds(number, Text(v, "value"));
  const std::size_t second = value.find('|', bar + 1);
  const std::string system = value.substr(bar + 1, second - bar - 1);
  const std::string code = value.substr(second + 1);
  const Unit* searched = system == kUcum ? FindUnit(code) : nullptr;
  const Unit* found = Text(v, "system") == kUcum ? FindUnit(Text(v, "code")) : nullptr;
  if (searched != nullptr && found != nullptr && searched->kind == found->kind) {
    return ConvertedHolds(number, Text(v, "value"), searched->size, found->size);
  }
  if (!NumberHolds(number, Text(v, "value"))) return false;
  if (system.empty()) return Text(v, "code") == code || Text(v, "unit") == code;
  return Text(v, "system") == system && Text(v, "code") == code;
}

std::vector<std::string> QuantityExamples(const Value& v) {
  const std::string number = Text(v, "value");
  std::vector<std::string> values = {number, number + "||" + Text(v, "code"),
                                     number + "|" + Text(v, "system") + "|" + Text(v, "code"),
                                     number + "||" + Text(v, "unit")};
  AddConverted(v, &values);
  return values;
}

}  // namespace reference
