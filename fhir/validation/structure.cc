#include "fhir/validation/structure.h"

#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <span>

#include "fhir/definitions/definitions.h"
#include "fhir/validation/element_path.h"
#include "fhir/validation/primitive.h"

namespace fhir::validation {

using definitions::Element;
using definitions::TypeId;
using definitions::TypeKind;

namespace {

// Which elements of its type an object has so far.
class SeenElements {
 public:
  // More than any R4 type has (a test holds this).
  static constexpr std::size_t kMaxElements = 512;

  bool Has(std::size_t position) const {
    return (words_[position / 64] >> (position % 64) & 1) != 0;
  }
  void Add(std::size_t position) { words_[position / 64] |= std::uint64_t{1} << (position % 64); }

  // True if `predicate` is true for the position of one of them.
  template <class Predicate>
  bool Any(Predicate predicate) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
        if (predicate(i * 64 + static_cast<std::size_t>(std::countr_zero(left)))) return true;
      }
    }
    return false;
  }

 private:
  std::array<std::uint64_t, kMaxElements / 64> words_{};
};

// The array beside the one that is walked (`given` beside `_given`), in step with it.
class SideArray {
 public:
  // Anything but an array has no items.
  explicit SideArray(json::Value array) {
    if (array.IsArray()) range_.emplace(array.Children());
  }

  // True if there is an item at `index`, and it is not null. REQUIRES: indexes that grow.
  bool HasValueAt(std::uint32_t index) {
    if (!range_) return false;
    for (; position_ < index && range_->first != range_->last; ++position_) ++range_->first;
    return range_->first != range_->last && (*range_->first).GetKind() != json::Kind::kNull;
  }

  bool IsShorterThan(std::uint32_t size) {
    if (!range_ || size == 0) return false;
    HasValueAt(size - 1);
    return !(range_->first != range_->last);
  }

 private:
  std::optional<json::Value::Range> range_;  // What is left of it.
  std::uint32_t position_ = 0;
};

std::string Quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

// One inspection: a walk over the values with the type that each must have. It recurses as deep as
// the JSON nests, which json::kMaxDepth bounds.
// Owner: InspectResource. Thread-safety: single-owner.
class Inspector {
 public:
  explicit Inspector(Inspection* out) : out_(*out) {}

  void InspectRoot(json::Value resource) {
    if (const TypeId type = ResourceTypeOf(resource); type != definitions::kNoType) {
      path_.SetRoot(definitions::GetType(type).name);
      InspectMembers(resource, type);
    }
  }

 private:
  struct Member {
    json::Value value;
    const Element* element;
    json::Value object;  // Where it is a member.
  };

  bool IsFull() const { return out_.issues.size() >= kMaxIssues; }

  void Report(IssueCode code, std::string diagnostics) {
    if (!IsFull()) out_.issues.push_back({code, std::move(diagnostics), path_.ToString()});
  }
  void ReportStructure(std::string diagnostics) {
    Report(IssueCode::kStructure, std::move(diagnostics));
  }

  TypeId ResourceTypeOf(json::Value resource);
  void InspectMembers(json::Value object, TypeId type);
  void InspectMember(json::Value object, TypeId type, json::Value value, SeenElements* values,
                     SeenElements* siblings);
  void InspectElement(const Member& member);
  void InspectArray(const Member& member);
  void InspectSibling(const Member& member);
  void InspectSiblingArray(const Member& member);
  void InspectValue(json::Value value, const Element& element);
  void InspectPrimitive(json::Value value, const Element& element);

  Inspection& out_;
  ElementPath path_;
  // The one string that is a reference: nothing but its place tells it.
  const Element* const reference_ =
      definitions::FindElement(definitions::FindType("Reference"), "reference");
};

// Reports, and returns kNoType, if it is not an object with a resource type.
TypeId Inspector::ResourceTypeOf(json::Value resource) {
  if (!resource.IsObject()) {
    ReportStructure("A resource must be a JSON object.");
    return definitions::kNoType;
  }
  const json::Value name = resource.Find("resourceType");
  if (name.IsNone()) {
    ReportStructure("A resource must have a resourceType.");
    return definitions::kNoType;
  }
  if (!definitions::IsResourceType(name.StringOrEmpty())) {
    ReportStructure(Quoted(name.StringOrEmpty()) + " is not a resource type of FHIR R4.");
    return definitions::kNoType;
  }
  return definitions::FindType(name.StringOrEmpty());
}

void Inspector::InspectMembers(json::Value object, TypeId type) {
  const bool is_resource = definitions::GetType(type).kind == TypeKind::kResource;
  bool has_type = false;
  bool is_empty = true;
  SeenElements values;
  SeenElements siblings;
  for (const json::Value value : object.Children()) {
    if (IsFull()) return;
    is_empty = false;
    if (is_resource && value.Name() == "resourceType") {
      if (has_type) ReportStructure("'resourceType' is repeated.");
      has_type = true;
      continue;
    }
    InspectMember(object, type, value, &values, &siblings);
  }
  if (is_empty) ReportStructure("An object must not be empty.");
}

void Inspector::InspectMember(json::Value object, TypeId type, json::Value value,
                              SeenElements* values, SeenElements* siblings) {
  const std::string_view full_name = value.Name();
  const bool is_sibling = full_name.starts_with('_');
  const std::string_view name = is_sibling ? full_name.substr(1) : full_name;
  const Element* element = definitions::FindElement(type, name);
  if (element == nullptr ||
      (is_sibling && definitions::GetType(element->type).kind != TypeKind::kPrimitive)) {
    path_.Push(full_name);
    ReportStructure(Quoted(full_name) + " is not an element of " +
                    std::string(definitions::GetType(type).name) + ".");
    path_.Pop();
    return;
  }
  path_.Push(name);
  const std::span<const Element> elements = definitions::ElementsOf(type);
  const auto position = static_cast<std::size_t>(element - elements.data());
  SeenElements* seen = is_sibling ? siblings : values;
  const auto is_other_choice = [&](std::size_t other) {
    return other != position && elements[other].choice == element->choice;
  };
  if (seen->Has(position)) {
    ReportStructure(Quoted(full_name) + " is repeated.");
  } else if (!element->choice.empty() &&
             (values->Any(is_other_choice) || siblings->Any(is_other_choice))) {
    ReportStructure("Only one type of " + Quoted(element->choice) + " may be present.");
  } else if (is_sibling) {
    InspectSibling({value, element, object});
  } else {
    InspectElement({value, element, object});
  }
  seen->Add(position);
  path_.Pop();
}

void Inspector::InspectElement(const Member& member) {
  if (member.element->repeats != member.value.IsArray()) {
    ReportStructure(Quoted(member.element->name) +
                    (member.element->repeats ? " must be an array." : " must not be an array."));
  } else if (member.element->repeats) {
    InspectArray(member);
  } else {
    InspectValue(member.value, *member.element);
  }
}

void Inspector::InspectArray(const Member& member) {
  const bool is_primitive = definitions::GetType(member.element->type).kind == TypeKind::kPrimitive;
  std::optional<SideArray> siblings;  // Looked for when the first null needs it.
  std::uint32_t index = 0;
  for (const json::Value item : member.value.Children()) {
    if (IsFull()) return;
    path_.SetIndex(index);
    if (is_primitive && item.GetKind() == json::Kind::kNull) {
      if (!siblings) siblings.emplace(member.object.Find("_" + std::string(member.element->name)));
      if (!siblings->HasValueAt(index)) {
        ReportStructure("null stands only where the array beside it has a value.");
      }
    } else {
      InspectValue(item, *member.element);
    }
    ++index;
  }
  if (index == 0) ReportStructure("An array must not be empty.");
}

// `member.value` holds the id and extensions of the primitive `member.element`.
void Inspector::InspectSibling(const Member& member) {
  if (member.element->repeats) {
    InspectSiblingArray(member);
  } else if (!member.value.IsObject()) {
    ReportStructure("'_" + std::string(member.element->name) + "' must be an object.");
  } else {
    InspectMembers(member.value, member.element->type);
  }
}

void Inspector::InspectSiblingArray(const Member& member) {
  const std::string name = "'_" + std::string(member.element->name) + "'";
  if (!member.value.IsArray()) return ReportStructure(name + " must be an array.");
  SideArray values(member.object.Find(member.element->name));
  std::uint32_t index = 0;
  for (const json::Value item : member.value.Children()) {
    if (IsFull()) return;
    path_.SetIndex(index);
    if (item.IsObject()) {
      InspectMembers(item, member.element->type);
    } else if (item.GetKind() != json::Kind::kNull) {
      ReportStructure("The items of " + name + " must be objects or null.");
    } else if (!values.HasValueAt(index)) {
      ReportStructure("null stands only where the array beside it has a value.");
    }
    ++index;
  }
  path_.SetIndex(ElementPath::kNoIndex);
  if (index == 0) ReportStructure("An array must not be empty.");
  if (values.IsShorterThan(index)) {
    ReportStructure(name + " must not be longer than the array of values.");
  }
}

// One item of the element if it repeats.
void Inspector::InspectValue(json::Value value, const Element& element) {
  const definitions::Type& type = definitions::GetType(element.type);
  if (type.kind == TypeKind::kPrimitive) return InspectPrimitive(value, element);
  if (type.kind == TypeKind::kAbstract) {
    const TypeId resource_type = ResourceTypeOf(value);
    if (resource_type != definitions::kNoType) InspectMembers(value, resource_type);
  } else if (!value.IsObject()) {
    ReportStructure("A " + std::string(type.name) + " must be a JSON object.");
  } else {
    InspectMembers(value, element.type);
  }
}

void Inspector::InspectPrimitive(json::Value value, const Element& element) {
  const definitions::Type& type = definitions::GetType(element.type);
  if (value.GetKind() != JsonKindOf(type.primitive)) {
    const json::Kind kind = JsonKindOf(type.primitive);
    const char* wanted = kind == json::Kind::kBoolean  ? "boolean"
                         : kind == json::Kind::kNumber ? "number"
                                                       : "string";
    return ReportStructure("A value of type " + std::string(type.name) + " must be a JSON " +
                           wanted + ".");
  }
  if (!IsLegalText(type.primitive, value.Text())) {
    return Report(IssueCode::kValue, "Not a legal value of type " + std::string(type.name) + ".");
  }
  if (IsUriType(type.primitive)) {
    out_.sites.push_back({value.Index(), SiteKind::kUri});
  } else if (&element == reference_) {
    out_.sites.push_back({value.Index(), SiteKind::kReference});
  } else if (type.primitive == definitions::Primitive::kXhtml) {
    out_.sites.push_back({value.Index(), SiteKind::kNarrative});
  }
}

}  // namespace

Inspection InspectResource(const json::Value& resource) {
  Inspection inspection;
  Inspector(&inspection).InspectRoot(resource);
  return inspection;
}

}  // namespace fhir::validation
