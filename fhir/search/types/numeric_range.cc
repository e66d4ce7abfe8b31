#include "fhir/search/types/numeric_range.h"

#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"
#include "fhir/search/types/search_type.h"
#include "fhir/ucum/canonical_unit.h"

namespace fhir::search {
namespace {

using Form = NumericKeys::Form;

constexpr char kWrittenTags[] = {kNumberTag, '\x02', '\x03', '\x07'};
constexpr char kCanonicalTags[] = {'\x04', '\x05', '\x06', '\x08'};
constexpr std::size_t kBandSize = 4;  // Of an encoded decimal: sign, exponent, two digits.

struct EncodedBounds {
  std::string low;
  std::string high;
};

// The first band at or above `bound`; empty: the first of all.
std::string BandFrom(std::string_view bound) {
  if (bound.size() <= kBandSize) return std::string(bound);
  const std::string_view band = bound.substr(0, kBandSize);
  // A number of no more digits is the least of its band, if it is positive.
  const bool is_least = bound.size() == kBandSize + 1 && bound.back() == '\0';
  return is_least ? std::string(band) : PrefixEnd(band);
}

// Collects the scans for one search value.
class Scans {
 public:
  Scans(const NumericKeys& keys, bool in_tuple) : keys_(keys), in_tuple_(in_tuple) {}

  // Numbers in [from, to); an empty bound is none.
  void Numbers(const std::string& from, const std::string& to) {
    const std::string first_band = BandFrom(from);
    const std::string end_band = to.substr(0, kBandSize);
    const bool has_bands = to.empty() || first_band < end_band;
    if (in_tuple_ || !has_bands) return Put(Form::kNumber, from, to);
    if (from < first_band) Put(Form::kNumber, from, first_band);
    Put(Form::kBand, first_band, end_band);
    if (end_band < to) Put(Form::kNumber, end_band, to);
  }
  // Ranges whose end of the form lies in [from, to).
  void Ends(Form form, const std::string& from, const std::string& to) { Put(form, from, to); }
  // … and whose other end lies in [other_from, other_to).
  void BothEnds(Form form, const std::string& from, const std::string& to, std::string other_from,
                std::string other_to) {
    Put(form, from, to);
    ranges_.back().conditions.push_back({.offset = static_cast<std::int32_t>(keys_.Size()),
                                         .decimals = 1,
                                         .from = std::move(other_from),
                                         .to = std::move(other_to)});
  }

  void Within(const EncodedBounds& bounds) {
    Numbers(bounds.low, bounds.high);
    BothEnds(Form::kRangeByLow, bounds.low, bounds.high, {}, bounds.high);
  }
  void NotWithin(const EncodedBounds& bounds) {
    Numbers({}, bounds.low);
    Numbers(bounds.high, {});
    Ends(Form::kRangeByLow, {}, bounds.low);
    Ends(Form::kRangeByHigh, bounds.high, {});
  }
  // Overlaps the closed range.
  void Near(const EncodedBounds& bounds) {
    const std::string above = PrefixEnd(bounds.high);
    Numbers(bounds.low, above);
    BothEnds(Form::kRangeByLow, {}, above, bounds.low, {});
  }

  std::vector<ValueRange> Take() && { return std::move(ranges_); }

 private:
  void Put(Form form, const std::string& from, const std::string& to) {
    const std::string key = keys_.Key(form);
    ValueRange range;
    range.from = key + from;
    range.to = to.empty() ? PrefixEnd(key) : key + to;
    ranges_.push_back(std::move(range));
  }

  const NumericKeys& keys_;
  const bool in_tuple_;
  std::vector<ValueRange> ranges_;
};

}  // namespace

std::optional<std::size_t> EncodedBoundSize(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() == kBelowAll || bytes.front() == kAboveAll) return 1;
  return EncodedDecimalSize(bytes);
}

NumericKeys::NumericKeys(const ucum::CanonicalUnit* unit) : unit_(unit) {
  AppendU64(&scope_, HashText(unit->Name()));
}

std::string NumericKeys::Encode(const Decimal& value) const {
  return EncodeDecimal(unit_ == nullptr ? value : unit_->Convert(value));
}

char NumericKeys::TagOf(Form form) const {
  return (unit_ == nullptr ? kWrittenTags : kCanonicalTags)[static_cast<std::size_t>(form)];
}

std::string NumericKeys::Key(Form form) const {
  return std::string(1, TagOf(form)) += scope_;
}

std::string* NumericKeys::Begin(Form form, ValueSink* sink) const {
  return &sink->Begin(TagOf(form))->append(scope_);
}

void AddNumber(const NumericKeys& keys, const Decimal& number, std::string_view tail,
               ValueSink* sink) {
  const std::string bytes = keys.Encode(number);
  keys.Begin(Form::kNumber, sink)->append(bytes).append(tail);
  sink->Add();
  if (sink->InTuple()) return;
  keys.Begin(Form::kBand, sink)->append(bytes, 0, kBandSize).append(tail);
  sink->Add();
}

void AddNumericRange(const NumericKeys& keys, const json::Value& low, const json::Value& high,
                     std::string_view tail, ValueSink* sink) {
  if (low.IsNone() && high.IsNone()) return;
  const auto encode = [&](const json::Value& end, char open) -> std::optional<std::string> {
    if (end.IsNone()) return std::string(1, open);
    const auto number = ParseDecimal(end.Text());
    return number ? std::optional(keys.Encode(*number)) : std::nullopt;
  };
  const auto from = encode(low, kBelowAll);
  const auto to = encode(high, kAboveAll);
  if (!from || !to || *to < *from) return;
  keys.Begin(Form::kRangeByLow, sink)->append(*from).append(*to).append(tail);
  sink->Add();
  keys.Begin(Form::kRangeByHigh, sink)->append(*to).append(*from).append(tail);
  sink->Add();
}

std::optional<std::vector<ValueRange>> NumericRanges(const NumericKeys& keys, Prefix prefix,
                                                     std::string_view number, bool in_tuple) {
  const std::optional<Decimal> decimal = ParseDecimal(number);
  if (!decimal) return std::nullopt;
  const auto encode = [&](const DecimalBounds& bounds) {
    return EncodedBounds{keys.Encode(bounds.low), keys.Encode(bounds.high)};
  };
  const std::string value = keys.Encode(*decimal);
  // Encodings are no prefixes of one another: this is above `value` and below all greater numbers.
  const std::string above = PrefixEnd(value);
  Scans scans(keys, in_tuple);
  const auto not_below = [&](Form ends, const std::string& bound) {
    scans.Numbers(bound, {});
    scans.Ends(ends, bound, {});
  };
  const auto below = [&](Form ends, const std::string& bound) {
    scans.Numbers({}, bound);
    scans.Ends(ends, {}, bound);
  };
  switch (prefix) {
    case Prefix::kEq: scans.Within(encode(ImplicitBounds(*decimal))); break;
    case Prefix::kNe: scans.NotWithin(encode(ImplicitBounds(*decimal))); break;
    case Prefix::kAp: scans.Near(encode(ApproximateBounds(*decimal))); break;
    case Prefix::kGt: not_below(Form::kRangeByHigh, above); break;
    case Prefix::kGe: not_below(Form::kRangeByHigh, value); break;
    case Prefix::kLt: below(Form::kRangeByLow, value); break;
    case Prefix::kLe: below(Form::kRangeByLow, above); break;
    case Prefix::kSa: not_below(Form::kRangeByLow, above); break;
    case Prefix::kEb: below(Form::kRangeByHigh, value); break;
  }
  return std::move(scans).Take();
}

}  // namespace fhir::search
