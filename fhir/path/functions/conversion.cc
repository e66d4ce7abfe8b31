// toX() and convertsToX() (FHIRPath 5.5).
#include <algorithm>
#include <string>

#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/operators.h"
#include "fhir/path/quantity.h"
#include "fhir/path/unicode.h"

namespace fhir::path {

namespace {

using Converted = std::optional<Item>;
using Converter = Converted (*)(const Item& value);

template <class T>
Converted ToItem(const std::optional<T>& value) {
  return value ? Converted(Item(*value)) : std::nullopt;
}

Converted TextToBoolean(std::string_view text) {
  constexpr std::string_view kTrue[] = {"true", "t", "yes", "y", "1", "1.0"};
  constexpr std::string_view kFalse[] = {"false", "f", "no", "n", "0", "0.0"};
  const std::string lower = ToLower(text);
  if (std::ranges::find(kTrue, lower) != std::end(kTrue)) return true;
  if (std::ranges::find(kFalse, lower) != std::end(kFalse)) return false;
  return std::nullopt;
}

Converted ToBoolean(const Item& value) {
  if (std::holds_alternative<bool>(value)) return value;
  if (const auto* text = std::get_if<Text>(&value)) return TextToBoolean(text->view);
  const auto number = NumberOf(value);
  if (!number) return std::nullopt;
  if (Compare(*number, Decimal{1, 0}) == 0) return true;
  if (Compare(*number, Decimal{0, 0}) == 0) return false;
  return std::nullopt;
}

Converted ToIntegerValue(const Item& value) {
  if (std::holds_alternative<std::int32_t>(value)) return value;
  if (const auto* boolean = std::get_if<bool>(&value)) return std::int32_t{*boolean};
  const auto* text = std::get_if<Text>(&value);
  if (text == nullptr || text->view.find_first_of(".eE") != std::string_view::npos) {
    return std::nullopt;
  }
  const auto number = ParseDecimal(text->view);
  return number ? ToIntegerItem(*number) : std::nullopt;
}

Converted ToDecimalValue(const Item& value) {
  if (const auto number = NumberOf(value)) return *number;
  if (const auto* boolean = std::get_if<bool>(&value)) return Decimal{*boolean, 0};
  const auto* text = std::get_if<Text>(&value);
  if (text == nullptr || text->view.find_first_of("eE") != std::string_view::npos) {
    return std::nullopt;
  }
  return ToItem(ParseDecimal(text->view));
}

Converted ToTextValue(const Item& value) {
  return ToItem(ToText(value));
}

Converted ToDate(const Item& value) {
  if (const auto* text = std::get_if<Text>(&value)) {
    return ToItem(ParseTemporal(TemporalKind::kDate, text->view));
  }
  const auto* time = std::get_if<Temporal>(&value);
  if (time == nullptr || time->kind == TemporalKind::kTime) return std::nullopt;
  Temporal date;
  date.year = time->year;
  date.month = time->month;
  date.day = time->day;
  date.precision = std::min(time->precision, Precision::kDay);
  return date;
}

Converted ToDateTime(const Item& value) {
  if (const auto* text = std::get_if<Text>(&value)) {
    return ToItem(ParseTemporal(TemporalKind::kDateTime, text->view));
  }
  const auto* time = std::get_if<Temporal>(&value);
  if (time == nullptr || time->kind == TemporalKind::kTime) return std::nullopt;
  Temporal date_time = *time;
  date_time.kind = TemporalKind::kDateTime;
  return date_time;
}

Converted ToTime(const Item& value) {
  if (const auto* text = std::get_if<Text>(&value)) {
    return ToItem(ParseTemporal(TemporalKind::kTime, text->view));
  }
  const auto* time = std::get_if<Temporal>(&value);
  return time != nullptr && time->kind == TemporalKind::kTime ? Converted(value) : std::nullopt;
}

Converted ToQuantity(const Item& value) {
  if (std::holds_alternative<Quantity>(value)) return value;
  if (const auto number = NumberOf(value)) return QuantityOfNumber(*number);
  if (const auto* boolean = std::get_if<bool>(&value)) {
    return QuantityOfNumber(Decimal{*boolean ? 10 : 0, 1});
  }
  const auto* text = std::get_if<Text>(&value);
  return text != nullptr ? ToItem(ParseQuantity(text->view)) : std::nullopt;
}

Result<Converted> Convert(const Call& call, Converter converter) {
  FHIR_TRY(item, call.SingleInput());
  const auto value = item ? ToSystemValue(*item) : std::nullopt;
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<Text>(&*value)) {
    FHIR_TRY_VOID(call.GetEvaluation().Charge(text->view.size() / kBytesPerStep));
  }
  auto converted = converter(*value);
  if (call.ArgumentCount() == 0 || !converted) return converted;
  // toQuantity('mg')
  FHIR_TRY(unit, call.TextArgument(0));
  if (!unit) return std::nullopt;
  return ToItem(AddQuantities(Quantity{{}, *unit}, std::get<Quantity>(*converted),
                              /*subtract=*/false));
}

template <Converter kConverter>
Result<Collection> To(const Call& call) {
  FHIR_TRY(converted, Convert(call, kConverter));
  return OneOrNone(std::move(converted));
}

template <Converter kConverter>
Result<Collection> ConvertsTo(const Call& call) {
  FHIR_TRY(converted, Convert(call, kConverter));
  return call.Input().empty() ? Collection() : One(converted.has_value());
}

constexpr FunctionSpec kFunctions[] = {
    {"toBoolean", 0, 0, &To<&ToBoolean>},
    {"convertsToBoolean", 0, 0, &ConvertsTo<&ToBoolean>},
    {"toInteger", 0, 0, &To<&ToIntegerValue>},
    {"convertsToInteger", 0, 0, &ConvertsTo<&ToIntegerValue>},
    {"toDecimal", 0, 0, &To<&ToDecimalValue>},
    {"convertsToDecimal", 0, 0, &ConvertsTo<&ToDecimalValue>},
    {"toString", 0, 0, &To<&ToTextValue>},
    {"convertsToString", 0, 0, &ConvertsTo<&ToTextValue>},
    {"toDate", 0, 0, &To<&ToDate>},
    {"convertsToDate", 0, 0, &ConvertsTo<&ToDate>},
    {"toDateTime", 0, 0, &To<&ToDateTime>},
    {"convertsToDateTime", 0, 0, &ConvertsTo<&ToDateTime>},
    {"toTime", 0, 0, &To<&ToTime>},
    {"convertsToTime", 0, 0, &ConvertsTo<&ToTime>},
    {"toQuantity", 0, 1, &To<&ToQuantity>},
    {"convertsToQuantity", 0, 1, &ConvertsTo<&ToQuantity>},
};

}  // namespace

std::span<const FunctionSpec> ConversionFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
