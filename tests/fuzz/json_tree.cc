#include "tests/fuzz/json_tree.h"

#include <algorithm>
#include <utility>

#include "fhir/json/writer.h"
#include "tests/fuzz/resource_generator.h"

namespace fuzz {
namespace {

using fhir::json::Kind;

// Enough to break what looks at every item twice, and quick to write.
constexpr std::size_t kManyItems = 3000;

void Append(const JsonTree& tree, std::string* out) {
  switch (tree.kind) {
    case Kind::kNull: out->append("null"); return;
    case Kind::kBoolean:
    case Kind::kNumber: out->append(tree.scalar); return;
    case Kind::kString: fhir::json::AppendString(out, tree.scalar); return;
    case Kind::kObject:
    case Kind::kArray: break;
  }
  const bool is_object = tree.kind == Kind::kObject;
  out->push_back(is_object ? '{' : '[');
  for (const JsonTree& child : tree.children) {
    if (&child != &tree.children.front()) out->push_back(',');
    if (is_object) fhir::json::AppendString(out, child.name);
    if (is_object) out->push_back(':');
    Append(child, out);
  }
  out->push_back(is_object ? '}' : ']');
}

void Collect(JsonTree* tree, std::vector<JsonTree*>* all) {
  all->push_back(tree);
  for (JsonTree& child : tree->children) Collect(&child, all);
}

JsonTree* PickNode(Random* random, JsonTree* tree) {
  std::vector<JsonTree*> all;
  Collect(tree, &all);
  return random->Pick(all);
}

void Retype(Random* random, JsonTree* tree) {
  static constexpr Kind kScalars[] = {Kind::kNull, Kind::kBoolean, Kind::kNumber, Kind::kString};
  tree->children.clear();
  tree->kind = random->Pick(kScalars);
  if (tree->kind == Kind::kBoolean) tree->scalar = "true";
  if (tree->kind == Kind::kNumber) tree->scalar = random->Pick(Numbers());
  if (tree->kind == Kind::kString) tree->scalar = random->Pick(Strings());
}

// `depth` arrays or objects around it.
void Nest(Random* random, JsonTree* tree) {
  for (std::size_t depth = random->OneIn(8) ? 120 : 1 + random->Below(3); depth > 0; --depth) {
    JsonTree inner = std::move(*tree);
    tree->name = inner.name;
    tree->kind = random->OneIn(2) ? Kind::kArray : Kind::kObject;
    tree->children.clear();
    tree->children.push_back(std::move(inner));
  }
}

void MutateNode(Random* random, JsonTree* root, JsonTree* node) {
  switch (random->Below(8)) {
    case 0: Retype(random, node); return;
    case 1: {  // Another value in its place.
      JsonTree copy = *PickNode(random, root);
      copy.name = node->name;
      *node = std::move(copy);
      return;
    }
    case 2: {  // Not `root` itself, which would double each time.
      JsonTree* added = PickNode(random, root);
      if (added != root) node->children.push_back(JsonTree(*added));
      return;
    }
    case 3:
      if (!node->children.empty()) {
        node->children.erase(node->children.begin() +
                             static_cast<std::ptrdiff_t>(random->Below(node->children.size())));
      }
      return;
    case 4: node->name = PickNode(random, root)->name; return;
    case 5: Nest(random, node); return;
    case 6:
      if (!node->children.empty() && node->children.size() < 4) {
        const JsonTree item = node->children.front();
        if (item.children.size() < 4) node->children.assign(kManyItems, item);
      }
      return;
    case 7: MutateBytes(random, &node->scalar); return;
  }
}

}  // namespace

JsonTree::JsonTree(const fhir::json::Value& value)
    : name(value.Name()), kind(value.GetKind()), scalar(value.Text()) {
  if (kind != Kind::kObject && kind != Kind::kArray) return;
  for (const fhir::json::Value child : value.Children()) children.emplace_back(child);
}

std::string JsonTree::Text() const {
  std::string text;
  Append(*this, &text);
  return text;
}

void MutateTree(Random* random, JsonTree* tree) {
  for (std::size_t i = 1 + random->Below(3); i > 0; --i) {
    MutateNode(random, tree, PickNode(random, tree));
  }
}

}  // namespace fuzz
