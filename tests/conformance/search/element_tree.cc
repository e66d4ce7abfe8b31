#include "tests/conformance/search/element_tree.h"

#include "fhir/base/check.h"
#include "fhir/json/writer.h"

namespace conformance {

namespace definitions = fhir::definitions;
using fhir::json::Value;
using fhir::search::Step;

void ElementTree::Merge(const Value& value) {
  if (value.IsObject()) {
    for (const Value member : value.Children()) members_[std::string(member.Name())].Merge(member);
  } else if (value.IsArray()) {
    is_array_ = true;
    for (const Value item : value.Children()) items_.emplace_back().Merge(item);
  } else if (value.IsString()) {
    scalar_.clear();
    fhir::json::AppendString(&scalar_, value.Text());
  } else {
    scalar_ = value.Text();
  }
}

ElementTree& ElementTree::Enter(definitions::TypeId type, const Step& step) {
  const definitions::Element* element = definitions::FindElement(type, step.name);
  FHIR_CHECK(element != nullptr, "a path of elements");
  ElementTree* entered = &members_[step.name];
  if (element->repeats) {
    entered->is_array_ = true;
    if (entered->items_.empty()) entered->items_.emplace_back();
    entered = &entered->items_.front();
  }
  if (!step.where_name.empty()) {
    std::string* scalar = &entered->members_[step.where_name].scalar_;
    scalar->clear();
    fhir::json::AppendString(scalar, step.where_value);
  }
  return *entered;
}

void ElementTree::Put(definitions::TypeId type, std::span<const Step> steps,
                      std::string_view json) {
  ElementTree* at = this;
  for (const Step& step : steps) {
    at = &at->Enter(type, step);
    type = step.type;
  }
  const auto document = fhir::json::Document::Parse(json);
  FHIR_CHECK(document.has_value(), "a sample is JSON");
  at->Merge(document->Root());
}

std::string ElementTree::Json() const {
  if (!scalar_.empty()) return scalar_;
  std::string out = is_array_ ? "[" : "{";
  for (const ElementTree& item : items_) {
    if (out.size() > 1) out += ',';
    out += item.Json();
  }
  for (const auto& [name, member] : members_) {
    if (out.size() > 1) out += ',';
    fhir::json::AppendString(&out, name);
    out += ':' + member.Json();
  }
  return out + (is_array_ ? ']' : '}');
}

}  // namespace conformance
