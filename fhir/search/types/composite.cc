// fhir/search/types/composite.cc
//
// Composite parameters: values of several elements that stand together.
//
//   value of component 1 | value of component 2 | …
//
// with nothing between, as values of each type end themselves. Of the forms that a type has, a
// tuple holds: token 0x01, string 0x01, date 0x01 (whatever its length), reference 0x01 and 0x02,
// number 0x01, quantity all. A tuple is made for every combination of the values inside one element
// that the composite's expression yields. These bytes are on disk.
//
// A search knows the bytes of component 1 and tests the others where they begin. So a component
// that is not the last must end at a place known from the search value, or behind one number.
#include "fhir/search/types/composite.h"

#include <array>
#include <optional>
#include <utility>

#include "fhir/base/check.h"
#include "fhir/search/escape.h"
#include "fhir/search/types/numeric_range.h"

namespace fhir::search {
namespace {

constexpr std::size_t kMaxComponents = 3;
constexpr std::int32_t kHashBytes = 8;
constexpr std::int32_t kDateBytes = 17;

// Where something begins in a value: after `decimals` decimals that stand at `offset`.
struct Place {
  std::int32_t offset = 0;
  std::uint32_t decimals = 0;
};

// A search for the first components of a tuple.
struct Partial {
  ValueRange range;
  Place end;
};

// How a component's values that are in `range` end, from where they begin. Nothing: it is not
// known.
std::optional<Place> EndOf(SearchType type, const ValueRange& range) {
  const auto size = static_cast<std::int32_t>(range.from.size());
  if (range.exact) return Place{size, 0};
  switch (type) {
    case SearchType::kToken:
      if (!range.conditions.empty()) return std::nullopt;  // system|
      return Place{size + kHashBytes, 0};
    case SearchType::kDate: return Place{kDateBytes, 0};
    case SearchType::kNumber: return Place{1, 1};
    case SearchType::kString:
    case SearchType::kReference:
    case SearchType::kComposite:
    case SearchType::kQuantity:
    case SearchType::kUri:
    case SearchType::kSpecial: return std::nullopt;
  }
  return std::nullopt;
}

// Adds a component's own conditions, moved to where the component begins. False: cannot be said.
bool AddConditions(const Place& begin, const ValueRange& component, ValueRange* range) {
  for (ByteCondition condition : component.conditions) {
    if (condition.offset >= 0) {
      if (begin.decimals > 0) return false;
      condition.offset += begin.offset;
    }
    range->conditions.push_back(std::move(condition));
  }
  return true;
}

// `partial` with one more component behind it, except for where that ends.
std::optional<Partial> Extend(Partial partial, const ValueRange& component) {
  ValueRange& range = partial.range;
  if (!range.exact) {
    range.conditions.push_back({.offset = partial.end.offset,
                                .decimals = partial.end.decimals,
                                .from = component.from,
                                .to = component.exact ? PrefixEnd(component.from) : component.to});
  } else if (component.exact) {
    range.from += component.from;
  } else {
    range.exact = false;
    range.to = component.to.empty() ? PrefixEnd(range.from) : range.from + component.to;
    range.from += component.from;
  }
  if (!AddConditions(partial.end, component, &range)) return std::nullopt;
  return partial;
}

// Moves the end of `partial` behind a component. False: it would stand behind two separate numbers.
bool MoveEnd(const Place& size, Place* end) {
  if (end->decimals > 0) return false;
  end->offset += size.offset;
  end->decimals = size.decimals;
  return true;
}

Error Unsupported(const SearchValue& value) {
  return NotSupported("parameter '" + std::string(value.name) + "': '" + std::string(value.text) +
                      "' needs a full value before the '$'");
}

Result<std::vector<Partial>> ExtendAll(const SearchValue& value, std::vector<Partial> partials,
                                       SearchType type, const std::vector<ValueRange>& ranges,
                                       bool is_last) {
  std::vector<Partial> extended;
  for (const Partial& partial : partials) {
    for (const ValueRange& range : ranges) {
      auto next = Extend(partial, range);
      if (!next) return Fail(Unsupported(value));
      if (!is_last) {
        const auto size = EndOf(type, range);
        if (!size || !MoveEnd(*size, &next->end)) return Fail(Unsupported(value));
      }
      extended.push_back(*std::move(next));
    }
  }
  return extended;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  const std::vector<std::string_view> parts = SplitUnescaped(value.text, '$');
  if (parts.size() != value.components.size()) {
    return Fail(BadValue(value, "needs " + std::to_string(value.components.size()) +
                                    " values with '$' between them"));
  }
  Partial start;
  start.range.exact = true;
  std::vector<Partial> partials = {start};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ComponentParameter& component = value.components[i];
    SearchValue part = value;
    part.text = parts[i];
    part.targets = component.targets;
    part.components = {};
    part.in_tuple = true;
    if (part.text.empty()) return Fail(BadValue(value, "lacks a value at '$'"));
    FHIR_TRY(ranges, FindSearchType(component.type)->parse(part));
    const bool is_last = i + 1 == parts.size();
    FHIR_TRY(extended, ExtendAll(value, std::move(partials), component.type, ranges, is_last));
    partials = std::move(extended);
  }
  std::vector<ValueRange> ranges;
  for (Partial& partial : partials) ranges.push_back(std::move(partial.range));
  return ranges;
}

// Composites are indexed by TupleEncoder.
Encoder NoEncoder(definitions::TypeId) {
  return nullptr;
}

// The values of an element's components. Those of component i stand at [begins[i], begins[i - 1])
// of the list, the last component's first; begins[-1] is the size.
struct Parts {
  IndexEntries values;
  std::array<std::size_t, kMaxComponents> begins{};
};

// Adds `prefix` with every combination of the values of components from `component` on.
void AddProduct(const Parts& parts, std::size_t components, std::size_t component,
                std::string* prefix, ValueSink* sink) {
  if (component == components) {
    if (sink->CountTuple(prefix->size())) sink->AddRaw(*prefix);
    return;
  }
  const auto& list = parts.values.List();
  const std::size_t end = component == 0 ? list.size() : parts.begins[component - 1];
  const std::size_t size = prefix->size();
  for (std::size_t i = parts.begins[component]; i < end; ++i) {
    if (sink->HasTooManyTuples()) return;
    prefix->append(parts.values.ValueOf(list[i]));
    AddProduct(parts, components, component + 1, prefix, sink);
    prefix->resize(size);
  }
}

}  // namespace

Encoder EncoderOf(SearchType type, const Path& path) {
  if (path.steps.empty()) return nullptr;
  return FindSearchType(type)->encoder_for(path.steps.back().type);
}

TupleEncoder::TupleEncoder(const IndexSpec& spec) {
  FHIR_CHECK(spec.components.size() <= kMaxComponents, "R4 composites have at most 3 components");
  for (const ComponentSpec& component : spec.components) {
    std::vector<Source>& sources = components_.emplace_back();
    for (const Path& path : component.paths) {
      const Encoder encode = EncoderOf(component.type, path);
      if (encode == nullptr) continue;
      sources.push_back({path.steps, path.from_resource, encode, path.steps.back().system});
    }
  }
}

void TupleEncoder::Encode(const json::Value& element, const json::Value& resource, IndexId index,
                          ValueSink* sink) const {
  if (sink->HasTooManyTuples()) return;
  Parts parts;
  ValueSink part_sink(sink->Options(), sink->Edits(), &parts.values);
  // The last component is the one that is most often absent (code-value-…): nothing else is done
  // then.
  for (std::size_t i = components_.size(); i-- > 0;) {
    parts.begins[i] = part_sink.Size();
    part_sink.Target(static_cast<IndexId>(i), /*in_tuple=*/true);
    for (const Source& source : components_[i]) {
      WalkSteps(source.steps, source.from_resource ? resource : element,
                [&](const json::Value& value) {
                  if (source.from_resource) {
                    sink->CountTupleSource(value.Tape()[value.Index()].end - value.Index());
                  }
                  source.encode({value, source.system}, &part_sink);
                });
    }
    if (part_sink.IsOverfull()) return sink->Refuse();
    if (part_sink.Size() == parts.begins[i]) return;
  }
  std::string prefix;
  sink->Target(index, /*in_tuple=*/false);
  AddProduct(parts, components_.size(), 0, &prefix, sink);
}

const SearchTypeSpec kCompositeType = {.type = SearchType::kComposite,
                                       .encoder_for = &NoEncoder,
                                       .parse = &Parse,
                                       .modifiers = {},
                                       .sort_tags = {}};

}  // namespace fhir::search
