#include "tests/fuzz/search_generator.h"

#include "fhir/search/types/search_type.h"
#include "tests/fuzz/resource_generator.h"

namespace fuzz {
namespace {

using fhir::search::SearchParameter;
using fhir::search::SearchType;

constexpr std::string_view kPrefixes[] = {"", "eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"};
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view(",|$\\").find(c) != std::string_view::npos) escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

std::string FilterValue(Random* random, const SearchParameter& parameter) {
  if (parameter.type == SearchType::kDate) return std::string(random->Pick(Dates()));
  if (parameter.type == SearchType::kNumber) return std::string(random->Pick(Numbers()));
  if (parameter.type != SearchType::kString) {
    std::string value = RandomSearchValue(random, parameter.type, parameter.components);
    if (parameter.type == SearchType::kToken && random->OneIn(3)) {
      for (char& c : value) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return value;
  }
  const std::string text(random->Pick(Strings()));
  const std::size_t start = text.empty() ? 0 : random->Below(text.size());
  return random->OneIn(2) ? text : text.substr(start, 1 + random->Below(4));
}

// One test of a filter, on a parameter of the type or behind a chain; sometimes with an operator or
// a value that the parameter cannot have.
std::string RandomTest(Random* random, const fhir::search::Registry& registry,
                       std::string_view type, int levels) {
  const auto parameters = registry.ParametersOf(type);
  if (parameters.empty()) return "_id eq 1";
  const SearchParameter& parameter = random->Pick(parameters);
  const bool is_chain = parameter.type == SearchType::kReference && !parameter.targets.empty();
  if (levels > 0 && is_chain) {
    const std::string& target = random->Pick(parameter.targets);
    std::string text = parameter.code + (random->OneIn(4) ? "" : ":" + target);
    if (random->OneIn(3)) text += "[" + RandomTest(random, registry, target, levels - 1) + "]";
    return text + "." + RandomTest(random, registry, target, levels - 1);
  }
  static constexpr std::string_view kOperators[] = {"eq", "ne", "co", "sw", "ew", "gt", "lt",
                                                    "ge", "le", "ap", "sa", "eb", "pr", "po",
                                                    "ss", "sb", "in", "ni", "re"};
  std::string_view op = random->Pick(kOperators);
  // Mostly one that the type has.
  if (parameter.rules != nullptr && !parameter.rules->operators.empty() && !random->OneIn(8)) {
    op = CodeOf(random->Pick(parameter.rules->operators));
  }
  const std::string start = parameter.code + " " + std::string(op) + " ";
  if (op == "pr") return start + (random->OneIn(2) ? "true" : "false");
  std::string quoted = "\"";
  for (const char c : FilterValue(random, parameter)) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    if (static_cast<unsigned char>(c) >= ' ') quoted.push_back(c);
  }
  return start + quoted + "\"";
}

}  // namespace

std::string RandomSearchValue(Random* random, SearchType type,
                              std::span<const fhir::search::ComponentParameter> components) {
  const auto prefixed = [&](std::span<const std::string_view> pool) {
    return std::string(random->Pick(kPrefixes)) + std::string(random->Pick(pool));
  };
  switch (type) {
    case SearchType::kNumber: return prefixed(Numbers());
    case SearchType::kDate: return prefixed(Dates());
    case SearchType::kString: return Escaped(random->Pick(Strings()));
    case SearchType::kUri: return Escaped(random->Pick(Uris()));
    case SearchType::kReference: return RandomReference(random);
    case SearchType::kToken: {
      const std::string code =
          Escaped(random->OneIn(4) ? random->Pick(Strings()) : random->Pick(Codes()));
      const std::string system = Escaped(random->Pick(Uris()));
      switch (random->Below(4)) {
        case 0: return system + "|" + code;
        case 1: return system + "|";
        case 2: return "|" + code;
        default: return random->OneIn(4) ? "true" : code;
      }
    }
    case SearchType::kQuantity: {
      const std::string number = prefixed(Numbers());
      if (random->OneIn(2)) return number;
      return number + "|" + (random->OneIn(2) ? Escaped(random->Pick(Uris())) : "") + "|" +
             Escaped(random->Pick(Codes()));
    }
    case SearchType::kComposite: {
      std::string value;
      for (const auto& component : components) {
        if (!value.empty()) value.push_back('$');
        value += RandomSearchValue(random, component.type, {});
      }
      return value;
    }
    case SearchType::kSpecial: {  // near
      const std::string latitude = std::to_string(static_cast<int>(random->Below(181)) - 90);
      return latitude + "|" + std::to_string(random->Below(181)) + "|" +
             std::to_string(random->Below(20'000));
    }
  }
  return "x";
}

std::string RandomFilter(Random* random, const fhir::search::Registry& registry,
                         std::string_view type, int levels) {
  if (levels == 0 || random->OneIn(3)) return RandomTest(random, registry, type, levels);
  const auto inner = [&] { return RandomFilter(random, registry, type, levels - 1); };
  switch (random->Below(4)) {
    case 0: return "not (" + inner() + ")";
    case 1: return "(" + inner() + ") or " + inner();
    case 2: return inner() + " or " + inner();
    default: return inner() + " and " + inner();
  }
}

}  // namespace fuzz
