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

definitions::TypeId TypeOf(const json::Value& resource) {
  return definitions::FindType(resource.Find("resourceType").StringOrEmpty());
}

// Appends `resource` with the mark in its meta. `append_member(sink, member, comma)` decides on
// every other member.
template <class AppendMember>
void AppendMarked(std::string* out, const json::Value& resource, AppendMember append_member) {
  json::Sink sink(out);
  sink.Put('{');
  bool comma = false;
  bool marked = false;
  for (json::Value member : resource.Children()) {
    if (member.Name() == "meta") {
      AppendName(&sink, "meta", &comma);
      AppendMeta(&sink, member);
      marked = true;
    } else {
      append_member(&sink, member, &comma);
    }
  }
  if (!marked) {
    AppendName(&sink, "meta", &comma);
    AppendMeta(&sink, {});
  }
  sink.Put('}');
}

void AppendSubset(std::string* out, const json::Value& resource,
                  std::span<const std::string_view> elements, Listed listed) {
  const definitions::TypeId type = TypeOf(resource);
  AppendMarked(out, resource, [&](json::Sink* sink, const json::Value& member, bool* comma) {
    if (!IsKept(member.Name(), type, elements, listed)) return;
    AppendName(sink, member.Name(), comma);
    AppendValue(sink, member);
  });
}

bool AppendShort(json::Sink* sink, const json::Value& value, definitions::TypeId type);

// `owner` is the type that has the member.
void AppendShortMember(json::Sink* sink, const json::Value& member, definitions::TypeId owner,
                       bool* comma) {
  std::string_view name = member.Name();
  const bool is_sibling = name.starts_with('_');
  if (is_sibling) name.remove_prefix(1);
  const definitions::Element* element = definitions::FindElement(owner, name);
  const bool is_always_whole = name == "resourceType" || name == "modifierExtension";
  const bool is_kept =
      is_always_whole || (element != nullptr && (element->summary || element->required));
  if (!is_kept) return;
  const std::size_t before = sink->Size();
  const bool had_comma = *comma;
  AppendName(sink, member.Name(), comma);
  if (is_always_whole || is_sibling) {
    AppendValue(sink, member);
  } else if (!AppendShort(sink, member, element->type)) {
    sink->CutTo(before);
    *comma = had_comma;
  }
}

// False if nothing is left of it; then something may have been appended all the same.
bool AppendShort(json::Sink* sink, const json::Value& value, definitions::TypeId type) {
  bool comma = false;
  if (value.IsArray()) {
    sink->Put('[');
    for (json::Value item : value.Children()) {
      const std::size_t before = sink->Size();
      if (comma) sink->Put(',');
      if (AppendShort(sink, item, type)) {
        comma = true;
      } else {
        sink->CutTo(before);
      }
    }
    sink->Put(']');
    return comma;
  }
  if (!value.IsObject()) {
    AppendValue(sink, value);
    return true;
  }
  if (definitions::GetType(type).kind == definitions::TypeKind::kAbstract) type = TypeOf(value);
  sink->Put('{');
  for (json::Value member : value.Children()) AppendShortMember(sink, member, type, &comma);
  sink->Put('}');
  return comma;
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

void AppendSummary(std::string* out, const json::Value& resource) {
  const definitions::TypeId type = TypeOf(resource);
  AppendMarked(out, resource, [&](json::Sink* sink, const json::Value& member, bool* comma) {
    AppendShortMember(sink, member, type, comma);
  });
}

}  // namespace fhir::model
