#include "tests/fuzz/resource_generator.h"

#include <algorithm>

#include "fhir/base/check.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/writer.h"

namespace fuzz {
namespace {

namespace definitions = fhir::definitions;
using definitions::Element;
using definitions::Primitive;
using definitions::TypeId;
using definitions::TypeKind;
using namespace std::string_view_literals;

constexpr std::string_view kCodes[] = {"a", "b", "final", "male", "8480-6", "x,y", "x|y", "$"};
constexpr std::string_view kStrings[] = {"Ann",   "ann lee", "Müller", "\u00C5ngstr\u00F6m",
                                         "a,b|c", "x",       "日本",   "line\nbreak",
                                         "\"q\\", "e\u0301", "*",      "null"};
constexpr std::string_view kUris[] = {"http://a.org/x", "http://a.org/x/y", "http://a.org",
                                      "urn:uuid:c757873d-ec9a-4326-a141-556f43239520",
                                      "http://a.org/x|1.0"};
constexpr std::string_view kDateTimes[] = {"2020",
                                           "2020-02",
                                           "2020-02-29",
                                           "2020-02-29T10:00:00Z",
                                           "2020-02-29T10:00:00.123+14:00",
                                           "0001-01-01",
                                           "9999-12-31",
                                           "1999-12-31T23:59:60Z"};
constexpr std::string_view kNumbers[] = {"0", "1", "1.10", "-2.5e3", "100", "1e-9", "5.4", "0.000"};

// Deeper elements of a complex type have primitives only.
constexpr std::size_t kMaxDepth = 6;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string Make(std::string_view type, std::string_view id) {
    const TypeId type_id = definitions::FindType(type);
    FHIR_CHECK(type_id != definitions::kNoType, "a resource type");
    std::string out = R"({"resourceType":")" + std::string(type) + R"(","id":")" + std::string(id);
    out.append("\"");
    AppendElements(type_id, &out);
    out.append("}");
    return out;
  }

 private:
  // Behind other members.
  void AppendElements(TypeId type, std::string* out) {
    stack_.push_back(type);
    for (const Element& element : definitions::ElementsOf(type)) {
      if (IsWanted(type, element)) AppendElement(element, out);
    }
    stack_.pop_back();
  }

  bool IsWanted(TypeId type, const Element& element) {
    const bool is_root = stack_.size() == 1;
    if (is_root && element.name == "id") return false;
    if (element.name == "extension" || element.name == "modifierExtension") return is_root;
    if (!element.choice.empty() && ChosenOf(type, element.choice) != &element) return false;
    switch (definitions::GetType(element.type).kind) {
      case TypeKind::kPrimitive: return true;
      case TypeKind::kAbstract: return stack_.size() <= 2;
      case TypeKind::kComplex:
      case TypeKind::kBackbone: break;
      case TypeKind::kResource: return false;
    }
    return stack_.size() < kMaxDepth &&
           std::find(stack_.begin(), stack_.end(), element.type) == stack_.end();
  }

  // Which of a choice's elements is there: the same whenever it is asked about this object.
  const Element* ChosenOf(TypeId type, std::string_view choice) {
    if (choice != last_choice_ || type != last_type_) {
      std::vector<const Element*> all;
      for (const Element& element : definitions::ElementsOf(type)) {
        if (element.choice == choice) all.push_back(&element);
      }
      chosen_ = random_.Pick(all);
      last_choice_ = choice;
      last_type_ = type;
    }
    return chosen_;
  }

  void AppendElement(const Element& element, std::string* out) {
    // What lies between may ask about other choices.
    const auto choice = std::pair(last_choice_, last_type_);
    const Element* chosen = chosen_;
    out->append(",\"").append(element.name).append(element.repeats ? "\":[" : "\":");
    AppendValue(element, out);
    if (element.repeats && random_.OneIn(3)) {
      out->append(",");
      AppendValue(element, out);
    }
    if (element.repeats) out->append("]");
    std::tie(last_choice_, last_type_) = choice;
    chosen_ = chosen;
    if (definitions::GetType(element.type).kind != TypeKind::kPrimitive || !random_.OneIn(4))
      return;
    out->append(",\"_").append(element.name).append(element.repeats ? "\":[" : "\":");
    out->append(R"({"id":"side"})").append(element.repeats ? "]" : "");
  }

  void AppendValue(const Element& element, std::string* out) {
    const definitions::Type& type = definitions::GetType(element.type);
    if (type.kind == TypeKind::kPrimitive) return AppendPrimitive(element, type.primitive, out);
    if (type.kind == TypeKind::kAbstract) {
      out->append(R"({"resourceType":"Basic","id":"inner","code":{"text":"x"}})");
      return;
    }
    std::string members;
    AppendElements(element.type, &members);
    members.front() = '{';  // The comma.
    out->append(members).append("}");
  }

  void AppendPrimitive(const Element& element, Primitive primitive, std::string* out) {
    if (primitive == Primitive::kBoolean) {
      out->append(random_.OneIn(2) ? "true" : "false");
    } else if (primitive == Primitive::kDecimal) {
      out->append(random_.Pick(kNumbers));
    } else if (primitive == Primitive::kInteger || primitive == Primitive::kUnsignedInt ||
               primitive == Primitive::kPositiveInt) {
      out->append(std::to_string(1 + random_.Below(9)));
    } else if (element.name == "reference") {
      fhir::json::AppendString(out, RandomReference(&random_));
    } else {
      fhir::json::AppendString(out, TextOf(primitive));
    }
  }

  std::string_view TextOf(Primitive primitive) {
    switch (primitive) {
      case Primitive::kBase64Binary: return "AAAA";
      case Primitive::kCanonical: return random_.Pick(kUris);
      case Primitive::kCode: return kCodes[random_.Below(5)];
      case Primitive::kDate: return kDateTimes[random_.Below(3)];
      case Primitive::kDateTime: return random_.Pick(kDateTimes);
      case Primitive::kId: return "id-1";
      case Primitive::kInstant: return "2020-02-29T10:00:00.5Z";
      case Primitive::kMarkdown:
      case Primitive::kString: return random_.Pick(random_.OneIn(4) ? Codes() : Strings());
      case Primitive::kOid: return "urn:oid:1.2.3";
      case Primitive::kTime: return "10:00:00";
      case Primitive::kUri:
      case Primitive::kUrl: return kUris[random_.Below(4)];
      case Primitive::kUuid: return kUris[3];
      case Primitive::kXhtml:
        return R"(<div xmlns="http://www.w3.org/1999/xhtml"><a href="http://a.org/x">x</a></div>)";
      case Primitive::kNone:
      case Primitive::kBoolean:
      case Primitive::kDecimal:
      case Primitive::kInteger:
      case Primitive::kPositiveInt:
      case Primitive::kUnsignedInt: break;
    }
    return "x";
  }

  Random random_;
  std::vector<TypeId> stack_;
  std::string_view last_choice_;
  TypeId last_type_ = definitions::kNoType;
  const Element* chosen_ = nullptr;
};

}  // namespace

std::vector<std::string_view> ResourceTypes() {
  std::vector<std::string_view> types;
  for (const definitions::Type& type : definitions::Types()) {
    if (type.kind == TypeKind::kResource) types.push_back(type.name);
  }
  return types;
}

std::string MaximalResource(std::string_view type, std::string_view id, std::uint64_t seed) {
  return Generator(seed).Make(type, id);
}

std::span<const std::string_view> Codes() {
  return kCodes;
}
std::span<const std::string_view> Strings() {
  return kStrings;
}
std::span<const std::string_view> Uris() {
  return kUris;
}
std::span<const std::string_view> Dates() {
  return kDateTimes;
}
std::span<const std::string_view> Numbers() {
  return kNumbers;
}

std::string RandomReference(Random* random) {
  static constexpr std::string_view kTargets[] = {
      "Patient", "Practitioner", "Organization", "Encounter", "Device",
      "Group",   "Location",     "Observation",  "Condition", "Questionnaire"};
  static const std::vector<std::string_view> kTypes = ResourceTypes();
  const std::string_view type = random->OneIn(4) ? random->Pick(kTypes) : random->Pick(kTargets);
  switch (random->Below(8)) {
    case 0: return "http://elsewhere.org/fhir/" + std::string(type) + "/1";
    case 1: return std::string(type) + "/1/_history/2";
    case 2: return "#inner";
    default: return std::string(type) + "/" + std::to_string(random->Below(3));
  }
}

}  // namespace fuzz
