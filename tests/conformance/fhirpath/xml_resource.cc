#include "tests/conformance/fhirpath/xml_resource.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "fhir/definitions/definitions.h"
#include "fhir/json/writer.h"

namespace fhir::path {

namespace {

using definitions::Primitive;
using definitions::TypeId;

class Converter {
 public:
  explicit Converter(std::string* unknown) : unknown_(unknown) {}

  std::string Resource(const pugi::xml_node& node) {
    std::string members = Member("resourceType", Quoted(node.name()));
    return "{" + members + Members(node, definitions::FindType(node.name()), "") + "}";
  }

 private:
  static std::string Quoted(std::string_view text) {
    std::string quoted;
    json::AppendString(&quoted, text);
    return quoted;
  }
  static std::string Member(std::string_view name, const std::string& value) {
    return Quoted(name) + ":" + value;
  }

  // ",name:value" for every attribute but `value` and every child. `skip` leaves out attributes.
  std::string Members(const pugi::xml_node& node, TypeId type, std::string_view path) {
    std::string out;
    for (const char* attribute : {"id", "url"}) {
      const auto value = node.attribute(attribute);
      if (value) out += "," + Member(attribute, Quoted(value.value()));
    }
    std::vector<std::string> done;
    for (const pugi::xml_node child : node.children()) {
      const std::string name = child.name();
      if (child.type() != pugi::node_element || std::ranges::find(done, name) != done.end()) {
        continue;
      }
      done.push_back(name);
      const definitions::Element* element = definitions::FindElement(type, name);
      const std::string child_path = std::string(path) + "." + name;
      if (element == nullptr) {
        *unknown_ += " " + std::string(node.name()) + child_path;
        continue;
      }
      out += Child(node, *element, child_path);
    }
    return out;
  }

  // All children of that name.
  std::string Child(const pugi::xml_node& node, const definitions::Element& element,
                    std::string_view path) {
    std::vector<std::string> values;
    std::vector<std::string> extras;
    bool has_value = false;
    bool has_extras = false;
    const std::string name(element.name);
    for (const pugi::xml_node child : node.children(name.c_str())) {
      values.push_back(Value(child, element.type, path));
      has_value = has_value || values.back() != "null";
      const bool primitive = IsPrimitive(element.type) && !IsXhtml(element.type);
      const std::string members = primitive ? Members(child, element.type, path) : "";
      extras.push_back(members.empty() ? "null" : "{" + members.substr(1) + "}");
      has_extras = has_extras || !members.empty();
    }
    std::string out;
    if (has_value) out += "," + Member(element.name, Joined(values, element.repeats));
    if (has_extras) {
      out += "," + Member("_" + std::string(element.name), Joined(extras, element.repeats));
    }
    return out;
  }

  static std::string Joined(const std::vector<std::string>& values, bool repeats) {
    if (!repeats) return values.front();
    std::string out = "[";
    for (const std::string& value : values) out += (out.size() > 1 ? "," : "") + value;
    return out + "]";
  }

  static bool IsPrimitive(TypeId type) {
    return definitions::GetType(type).kind == definitions::TypeKind::kPrimitive;
  }
  static bool IsXhtml(TypeId type) {
    return definitions::GetType(type).primitive == Primitive::kXhtml;
  }

  std::string Value(const pugi::xml_node& node, TypeId type, std::string_view path) {
    const definitions::Type& row = definitions::GetType(type);
    if (row.kind == definitions::TypeKind::kAbstract) return Resource(node.first_child());
    if (row.kind != definitions::TypeKind::kPrimitive) {
      const std::string members = Members(node, type, path);
      return "{" + (members.empty() ? members : members.substr(1)) + "}";
    }
    if (IsXhtml(type)) {
      std::ostringstream text;
      node.print(text, "", pugi::format_raw);
      return Quoted(text.str());
    }
    const auto value = node.attribute("value");
    if (!value) return "null";
    switch (row.primitive) {
      case Primitive::kBoolean:
      case Primitive::kDecimal:
      case Primitive::kInteger:
      case Primitive::kPositiveInt:
      case Primitive::kUnsignedInt: return value.value();
      default: return Quoted(value.value());
    }
  }

  std::string* unknown_;
};

}  // namespace

std::string ResourceAsJson(const pugi::xml_node& resource, std::string* unknown) {
  return Converter(unknown).Resource(resource);
}

}  // namespace fhir::path
