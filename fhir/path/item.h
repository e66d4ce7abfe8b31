// fhir/path/item.h
//
// What FHIRPath computes with: elements of a resource, which stay where they are
// in the parsed JSON, and System values.
//
// Thread-safety: values. An Element is valid while its json::Document lives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"
#include "fhir/path/decimal.h"
#include "fhir/path/temporal.h"

namespace fhir::path {

// One element of FHIR data. A primitive may have a value, an `_x` object with its id and extensions,
// or both.
struct Element {
  json::Value value;   // None: a primitive without a value, or a resource that was not loaded.
  json::Value extras;  // The `_x` object, or None.
  definitions::TypeId type = definitions::kNoType;

  bool IsPrimitive() const {
    return definitions::GetType(type).kind == definitions::TypeKind::kPrimitive;
  }
};

// System.String.
struct Text {
  std::string_view view;
  // Who owns the bytes; null if a Document does. Shared: items are copied from collection to
  // collection, their texts are not.
  std::shared_ptr<const std::string> owner;
};

Text MakeText(std::string text);

// System.Quantity.
struct Quantity {
  Decimal value;
  Text unit;                 // A UCUM code, or FHIRPath's calendar word.
  bool is_calendar = false;  // `1 week`, not `1 'wk'`.
};

// What type() returns. Both names live as long as the program.
struct TypeInfo {
  std::string_view type_namespace;
  std::string_view name;
};

// An int32_t is System.Integer.
using Item = std::variant<Element, bool, std::int32_t, Decimal, Text, Temporal, Quantity, TypeInfo>;
using Collection = std::vector<Item>;

// The FHIR type of an element, or System's of a value.
TypeInfo TypeOf(const Item& item);

// The System value that an element stands for: that of a primitive, and of a Quantity with a UCUM
// code and no comparator. Nothing for all other elements; a System value is itself.
std::optional<Item> ToSystemValue(const Item& item);

// The number that 3 and 3.0 are. Nothing for all but Integers and Decimals.
std::optional<Decimal> NumberOf(const Item& system_value);

// As toString() writes it. Nothing for what has no such form.
std::optional<Text> ToText(const Item& item);

}  // namespace fhir::path
