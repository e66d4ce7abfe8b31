// fhir/model/subset.cc
#include "fhir/model/subset.h"

#include <algorithm>

#include "fhir/definitions/definitions.h"
#include "fhir/json/sink.h"

namespace fhir::model {
namespace {

constexpr std::string_view kTagSystem = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue";
constexpr std::string_view kTagCode = "SUBSETTED";

void AppendValue(json::Sink* sink, const json::Value& value) {
  json::AppendTape(sink, value.Tape(), value.Index(),
                   [](json::Sink*, std::uint32_t) { return false; });
}

void AppendName(json::Sink* sink, std::string_view name, bool* comma) {
  if (*comma) sink->Put(',');
  *comma = true;
  sink->AppendQuoted(name);
  sink->Put(':');
}

// `tag` may be None.
void AppendTags(json::Sink* sink, const json::Value& tag) {
  sink->Put('[');
  bool marked = false;
  bool comma = false;
  if (tag.IsArray()) {
    for (json::Value item : tag.Children()) {
      if (comma) sink->Put(',');
      comma = true;
      AppendValue(sink, item);
      marked = marked || (item.Find("system").StringOrEmpty() == kTagSystem &&
                          item.Find("code").StringOrEmpty() == kTagCode);
    }
  }
  if (!marked) {
    if (comma) sink->Put(',');
    sink->Append("{\"system\":\"");
    sink->Append(kTagSystem);
    sink->Append("\",\"code\":\"");
    sink->Append(kTagCode);
    sink->Append("\"}");
  }
  sink->Put(']');
}

// `meta` may be None.
void AppendMeta(json::Sink* sink, const json::Value& meta) {
  sink->Put('{');
  bool comma = false;
  if (meta.IsObject()) {
    for (json::Value member : meta.Children()) {
      if (member.Name() == "tag") continue;
      AppendName(sink, member.Name(), &comma);
      AppendValue(sink, member);
    }
  }
  AppendName(sink, "tag", &comma);
  AppendTags(sink, meta.Find("tag"));
  sink->Put('}');
}

enum class Listed { kKept, kLeftOut };

bool IsKept(std::string_view name, definitions::TypeId type,
            std::span<const std::string_view> elements, Listed listed) {
  if (name.starts_with('_')) name.remove_prefix(1);
  if (name == "resourceType" || name == "id") return true;
  const definitions::Element* element = definitions::FindElement(type, name);
  if (element != nullptr && element->required) return true;
  auto contains = [elements](std::string_view wanted) {
    return std::find(elements.begin(), elements.end(), wanted) != elements.end();
  };
  bool is_listed = contains(name) ||
                   (element != nullptr && !element->choice.empty() && contains(element->choice));
  return is_listed == (listed == Listed::kKept);
}

void AppendSubset(std::string* out, const json::Value& resource,
                  std::span<const std::string_view> elements, Listed listed) {
  definitions::TypeId type = definitions::FindType(resource.Find("resourceType").StringOrEmpty());
  json::Sink sink(out);
  sink.Put('{');
  bool comma = false;
  bool marked = false;
  for (json::Value member : resource.Children()) {
    if (member.Name() == "meta") {
      AppendName(&sink, "meta", &comma);
      AppendMeta(&sink, member);
      marked = true;
    } else if (IsKept(member.Name(), type, elements, listed)) {
      AppendName(&sink, member.Name(), &comma);
      AppendValue(&sink, member);
    }
  }
  if (!marked) {
    AppendName(&sink, "meta", &comma);
    AppendMeta(&sink, {});
  }
  sink.Put('}');
}

}  // namespace

void AppendElements(std::string* out, const json::Value& resource,
                    std::span<const std::string_view> elements) {
  AppendSubset(out, resource, elements, Listed::kKept);
}

void AppendWithout(std::string* out, const json::Value& resource,
                   std::span<const std::string_view> elements) {
  AppendSubset(out, resource, elements, Listed::kLeftOut);
}

}  // namespace fhir::model
