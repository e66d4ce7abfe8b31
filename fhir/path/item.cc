#include "fhir/path/item.h"

#include <limits>
#include <utility>

namespace fhir::path {

namespace {

constexpr std::string_view kUcum = "http://unitsofmeasure.org";

// A number, boolean or string of the element as written; nothing if it has no value.
std::optional<std::string_view> ValueText(const Element& element) {
  if (element.value.IsNone()) return std::nullopt;
  switch (element.value.GetKind()) {
    case json::Kind::kBoolean:
    case json::Kind::kNumber:
    case json::Kind::kString: return element.value.Text();
    case json::Kind::kNull:
    case json::Kind::kObject:
    case json::Kind::kArray: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Item> IntegerOf(std::string_view text) {
  const auto decimal = ParseDecimal(text);
  const auto integer = decimal ? ToInteger(*decimal) : std::nullopt;
  if (!integer || !std::in_range<std::int32_t>(*integer)) return std::nullopt;
  return static_cast<std::int32_t>(*integer);
}

template <class T>
std::optional<Item> ToItem(std::optional<T> value) {
  return value ? std::optional<Item>(*std::move(value)) : std::nullopt;
}

std::optional<Item> PrimitiveValue(const Element& element, definitions::Primitive primitive) {
  using definitions::Primitive;
  const auto text = ValueText(element);
  if (!text) return std::nullopt;
  switch (primitive) {
    case Primitive::kBoolean:
      if (*text != "true" && *text != "false") return std::nullopt;
      return *text == "true";
    case Primitive::kInteger:
    case Primitive::kPositiveInt:
    case Primitive::kUnsignedInt: return IntegerOf(*text);
    case Primitive::kDecimal: return ToItem(ParseDecimal(*text));
    case Primitive::kDate: return ToItem(ParseTemporal(TemporalKind::kDate, *text));
    case Primitive::kDateTime:
    case Primitive::kInstant: return ToItem(ParseTemporal(TemporalKind::kDateTime, *text));
    case Primitive::kTime: return ToItem(ParseTemporal(TemporalKind::kTime, *text));
    case Primitive::kBase64Binary:
    case Primitive::kCanonical:
    case Primitive::kCode:
    case Primitive::kId:
    case Primitive::kMarkdown:
    case Primitive::kOid:
    case Primitive::kString:
    case Primitive::kUri:
    case Primitive::kUrl:
    case Primitive::kUuid:
    case Primitive::kXhtml: return Text{*text, nullptr};
    case Primitive::kNone: return std::nullopt;
  }
  return std::nullopt;
}

bool IsQuantity(std::string_view type) {
  return type == "Quantity" || type == "Age" || type == "Count" || type == "Distance" ||
         type == "Duration";
}

// R4's FHIRPath page: UCUM's year and month are FHIRPath's calendar ones.
std::optional<Item> QuantityValue(const Element& element) {
  const json::Value value = element.value.Find("value");
  if (value.IsNone() || !element.value.Find("comparator").IsNone()) return std::nullopt;
  const auto decimal = ParseDecimal(value.Text());
  if (!decimal) return std::nullopt;
  Quantity quantity{*decimal, Text{element.value.Find("code").StringOrEmpty(), nullptr}};
  if (quantity.unit.view.empty()) {
    quantity.unit.view = "1";
    return element.value.Find("unit").IsNone() ? std::optional<Item>(quantity) : std::nullopt;
  }
  if (element.value.Find("system").StringOrEmpty() != kUcum) return std::nullopt;
  if (quantity.unit.view == "a") quantity.unit.view = "year", quantity.is_calendar = true;
  if (quantity.unit.view == "mo") quantity.unit.view = "month", quantity.is_calendar = true;
  return quantity;
}

std::string QuantityText(const Quantity& quantity) {
  std::string text = ToString(quantity.value) + " ";
  const bool quoted = !quantity.is_calendar;
  if (quoted) text += '\'';
  text += quantity.unit.view;
  if (quoted) text += '\'';
  return text;
}

}  // namespace

Text MakeText(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  const std::string_view view = *owner;
  return {view, std::move(owner)};
}

TypeInfo TypeOf(const Item& item) {
  struct Namer {
    TypeInfo operator()(const Element& element) const {
      return {"FHIR", definitions::GetType(element.type).name};
    }
    TypeInfo operator()(bool) const { return {"System", "Boolean"}; }
    TypeInfo operator()(std::int32_t) const { return {"System", "Integer"}; }
    TypeInfo operator()(const Decimal&) const { return {"System", "Decimal"}; }
    TypeInfo operator()(const Text&) const { return {"System", "String"}; }
    TypeInfo operator()(const Temporal& value) const {
      switch (value.kind) {
        case TemporalKind::kDate: return {"System", "Date"};
        case TemporalKind::kDateTime: return {"System", "DateTime"};
        case TemporalKind::kTime: return {"System", "Time"};
      }
      return {};
    }
    TypeInfo operator()(const Quantity&) const { return {"System", "Quantity"}; }
    TypeInfo operator()(const TypeInfo&) const { return {"System", "SimpleTypeInfo"}; }
  };
  return std::visit(Namer{}, item);
}

std::optional<Item> ToSystemValue(const Item& item) {
  const auto* element = std::get_if<Element>(&item);
  if (element == nullptr) return item;
  const definitions::Type& type = definitions::GetType(element->type);
  if (type.kind == definitions::TypeKind::kPrimitive)
    return PrimitiveValue(*element, type.primitive);
  if (IsQuantity(type.name)) return QuantityValue(*element);
  return std::nullopt;
}

std::optional<Decimal> NumberOf(const Item& system_value) {
  if (const auto* integer = std::get_if<std::int32_t>(&system_value)) {
    return Decimal::FromInteger(*integer);
  }
  if (const auto* decimal = std::get_if<Decimal>(&system_value)) return *decimal;
  return std::nullopt;
}

std::optional<Text> ToText(const Item& item) {
  const auto value = ToSystemValue(item);
  if (!value) return std::nullopt;
  struct Writer {
    std::optional<Text> operator()(const Element&) const { return std::nullopt; }
    std::optional<Text> operator()(bool b) const { return Text{b ? "true" : "false", nullptr}; }
    std::optional<Text> operator()(std::int32_t i) const { return MakeText(std::to_string(i)); }
    std::optional<Text> operator()(const Decimal& d) const { return MakeText(ToString(d)); }
    std::optional<Text> operator()(const Text& t) const { return t; }
    std::optional<Text> operator()(const Temporal& t) const { return MakeText(ToString(t)); }
    std::optional<Text> operator()(const Quantity& q) const { return MakeText(QuantityText(q)); }
    std::optional<Text> operator()(const TypeInfo&) const { return std::nullopt; }
  };
  return std::visit(Writer{}, *value);
}

}  // namespace fhir::path
