#include "fhir/json/patch.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fhir/base/decimal.h"
#include "fhir/json/sink.h"

namespace fhir::json {
namespace {

// A value that can be changed. Its text belongs to the documents and to Patcher::names_.
struct Tree {
  Kind kind = Kind::kNull;
  std::string_view name{};  // In an object; otherwise it means nothing.
  std::string_view text{};
  std::vector<Tree> children{};
};

using Pointer = std::vector<std::string>;

Tree Grow(const Value& value) {
  Tree tree{.kind = value.GetKind(), .name = value.Name(), .text = value.Text()};
  for (Value child : value.Children()) tree.children.push_back(Grow(child));
  return tree;
}

void AppendTree(Sink* sink, const Tree& tree) {
  if (tree.kind == Kind::kString) return sink->AppendQuoted(tree.text);
  if (tree.kind != Kind::kObject && tree.kind != Kind::kArray) return sink->Append(tree.text);
  const bool is_object = tree.kind == Kind::kObject;
  sink->Put(is_object ? '{' : '[');
  bool comma = false;
  for (const Tree& child : tree.children) {
    if (comma) sink->Put(',');
    comma = true;
    if (is_object) {
      sink->AppendQuoted(child.name);
      sink->Put(':');
    }
    AppendTree(sink, child);
  }
  sink->Put(is_object ? '}' : ']');
}

Tree* FindMember(Tree* object, std::string_view name) {
  const auto found = std::ranges::find(object->children, name, &Tree::name);
  return found == object->children.end() ? nullptr : &*found;
}

// Numbers are equal by value: 1.0 is 1 (RFC 6902 4.6).
bool AreEqual(const Tree& a, const Tree& b) {
  if (a.kind != b.kind || a.children.size() != b.children.size()) return false;
  switch (a.kind) {
    case Kind::kNull: return true;
    case Kind::kBoolean:
    case Kind::kString: return a.text == b.text;
    case Kind::kNumber: {
      const auto left = EncodeDecimal(a.text);
      return left ? left == EncodeDecimal(b.text) : a.text == b.text;
    }
    case Kind::kArray: return std::ranges::equal(a.children, b.children, &AreEqual);
    case Kind::kObject:
      return std::ranges::all_of(a.children, [&b](const Tree& member) {
        const auto other = std::ranges::find(b.children, member.name, &Tree::name);
        return other != b.children.end() && AreEqual(member, *other);
      });
  }
  return false;
}

std::size_t DepthOf(const Tree& tree) {
  std::size_t depth = 0;
  for (const Tree& child : tree.children) depth = std::max(depth, DepthOf(child));
  return depth + 1;
}

std::size_t SizeOf(const Tree& tree) {
  std::size_t size = sizeof(Tree) + tree.name.size() + tree.text.size();
  for (const Tree& child : tree.children) size += SizeOf(child);
  return size;
}

// Nothing for a text that is no pointer.
std::optional<Pointer> ParsePointer(std::string_view text) {
  Pointer pointer;
  if (!text.empty() && text.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/') {
      pointer.emplace_back();
    } else if (text[i] != '~') {
      pointer.back().push_back(text[i]);
    } else {
      ++i;
      if (i == text.size() || (text[i] != '0' && text[i] != '1')) return std::nullopt;
      pointer.back().push_back(text[i] == '0' ? '~' : '/');
    }
  }
  return pointer;
}

// An index below `end`: digits without a zero before them.
std::optional<std::size_t> ParseIndex(std::string_view text, std::size_t end) {
  constexpr std::size_t kMaxDigits = 10;
  if (text.empty() || text.size() > kMaxDigits || (text.front() == '0' && text.size() > 1)) {
    return std::nullopt;
  }
  std::size_t index = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  return index < end ? std::optional(index) : std::nullopt;
}

bool IsProperPrefix(const Pointer& prefix, const Pointer& pointer) {
  return prefix.size() < pointer.size() &&
         std::equal(prefix.begin(), prefix.end(), pointer.begin());
}

// One operation, its members checked.
struct Operation {
  std::string_view op;
  Pointer path;
  Pointer from;
  Value value;
};

// Errors: Invalid.
Result<Pointer> ReadPointer(const Value& source, std::string_view member) {
  const Value text = source.Find(member);
  if (!text.IsString()) return Fail(Invalid("there is no " + std::string(member)));
  auto pointer = ParsePointer(text.Text());
  if (!pointer) return Fail(Invalid(std::string(member) + " is no JSON pointer"));
  return *std::move(pointer);
}

// Which operation is meant must not depend on the reader (RFC 6902 A.13).
bool SaysTwice(const Value& source) {
  constexpr std::array<std::string_view, 4> kNames = {"op", "path", "from", "value"};
  std::array<int, kNames.size()> count{};
  for (Value member : source.Children()) {
    const auto known = std::ranges::find(kNames, member.Name());
    if (known != kNames.end() && ++count[known - kNames.begin()] > 1) return true;
  }
  return false;
}

// Errors: Invalid.
Result<Operation> ReadOperation(const Value& source) {
  if (!source.IsObject()) return Fail(Invalid("an operation is an object"));
  if (SaysTwice(source)) return Fail(Invalid("a member stands there twice"));
  Operation operation;
  operation.op = source.Find("op").StringOrEmpty();
  constexpr std::array<std::string_view, 6> kOps = {"add",  "remove", "replace",
                                                    "move", "copy",   "test"};
  if (std::ranges::find(kOps, operation.op) == kOps.end()) {
    return Fail(Invalid("op is add, remove, replace, move, copy or test"));
  }
  FHIR_TRY(path, ReadPointer(source, "path"));
  operation.path = std::move(path);
  if (operation.op == "move" || operation.op == "copy") {
    FHIR_TRY(from, ReadPointer(source, "from"));
    operation.from = std::move(from);
  } else if (operation.op != "remove") {
    operation.value = source.Find("value");
    if (operation.value.IsNone()) return Fail(Invalid("there is no value"));
  }
  return operation;
}

// Owner: one ApplyPatch. Thread-safety: single-owner.
class Patcher {
 public:
  explicit Patcher(const Value& target) : root_(Grow(target)) {}

  Result<void> Apply(const Operation& operation);
  std::string Write() const {
    std::string out;
    Sink sink(&out);
    AppendTree(&sink, root_);
    return out;
  }

 private:
  // Errors of all: Unprocessable.
  Result<Tree*> Find(const Pointer& pointer);
  // The container of what `pointer` names.
  Result<Tree*> FindParent(const Pointer& pointer);
  Result<void> Add(const Pointer& pointer, Tree value);
  Result<void> Replace(const Pointer& pointer, Tree value);
  // What was there.
  Result<Tree> Remove(const Pointer& pointer);
  Result<void> Move(const Operation& operation);
  Result<void> Copy(const Operation& operation);
  Result<void> Test(const Operation& operation);

  Tree root_;
  std::deque<std::string> names_;  // Of added members. Does not move what it holds.
  std::size_t copied_bytes_ = 0;
};

Error Absent() {
  return Unprocessable("there is nothing at the path");
}

// Null if there is none.
Tree* Step(Tree* tree, std::string_view token) {
  if (tree->kind == Kind::kObject) return FindMember(tree, token);
  if (tree->kind != Kind::kArray) return nullptr;
  const auto index = ParseIndex(token, tree->children.size());
  return index ? &tree->children[*index] : nullptr;
}

Result<Tree*> Patcher::Find(const Pointer& pointer) {
  Tree* tree = &root_;
  for (const std::string& token : pointer) {
    tree = Step(tree, token);
    if (tree == nullptr) return Fail(Absent());
  }
  return tree;
}

Result<Tree*> Patcher::FindParent(const Pointer& pointer) {
  return Find(Pointer(pointer.begin(), pointer.end() - 1));
}

Result<void> Patcher::Add(const Pointer& pointer, Tree value) {
  if (pointer.size() + DepthOf(value) > kMaxDepth + 1) {
    return Fail(Unprocessable("the result nests too deep"));
  }
  if (pointer.empty()) {
    root_ = std::move(value);
    return {};
  }
  FHIR_TRY(parent, FindParent(pointer));
  const std::string& last = pointer.back();
  if (parent->kind == Kind::kObject) {
    if (Tree* member = FindMember(parent, last)) {
      value.name = member->name;
      *member = std::move(value);
      return {};
    }
    value.name = names_.emplace_back(last);
    parent->children.push_back(std::move(value));
    return {};
  }
  if (parent->kind != Kind::kArray) return Fail(Absent());
  const std::size_t size = parent->children.size();
  const auto index = last == "-" ? size : ParseIndex(last, size + 1);
  if (!index) return Fail(Unprocessable("the path names no place in the array"));
  parent->children.insert(parent->children.begin() + static_cast<std::ptrdiff_t>(*index),
                          std::move(value));
  return {};
}

Result<void> Patcher::Replace(const Pointer& pointer, Tree value) {
  if (pointer.size() + DepthOf(value) > kMaxDepth + 1) {
    return Fail(Unprocessable("the result nests too deep"));
  }
  FHIR_TRY(found, Find(pointer));
  value.name = found->name;
  *found = std::move(value);
  return {};
}

Result<Tree> Patcher::Remove(const Pointer& pointer) {
  if (pointer.empty()) return Fail(Unprocessable("the whole document cannot be removed"));
  FHIR_TRY(parent, FindParent(pointer));
  Tree* found = Step(parent, pointer.back());
  if (found == nullptr) return Fail(Absent());
  Tree removed = std::move(*found);
  parent->children.erase(parent->children.begin() + (found - parent->children.data()));
  return removed;
}

Result<void> Patcher::Move(const Operation& operation) {
  if (IsProperPrefix(operation.from, operation.path)) {
    return Fail(Unprocessable("a value cannot be moved into itself"));
  }
  if (operation.from == operation.path) {
    FHIR_TRY_VOID(Find(operation.from).map([](Tree*) {}));
    return {};
  }
  FHIR_TRY(moved, Remove(operation.from));
  return Add(operation.path, std::move(moved));
}

Result<void> Patcher::Copy(const Operation& operation) {
  FHIR_TRY(found, Find(operation.from));
  copied_bytes_ += SizeOf(*found);
  if (copied_bytes_ > kMaxCopiedBytes) return Fail(TooLarge("the patch copies too much"));
  return Add(operation.path, Tree(*found));
}

Result<void> Patcher::Test(const Operation& operation) {
  FHIR_TRY(found, Find(operation.path));
  if (AreEqual(*found, Grow(operation.value))) return {};
  return Fail(Unprocessable("the test failed"));
}

Result<void> Patcher::Apply(const Operation& operation) {
  if (operation.op == "add") return Add(operation.path, Grow(operation.value));
  if (operation.op == "remove") return Remove(operation.path).map([](const Tree&) {});
  if (operation.op == "replace") return Replace(operation.path, Grow(operation.value));
  if (operation.op == "move") return Move(operation);
  if (operation.op == "copy") return Copy(operation);
  return Test(operation);
}

Error NameOperation(std::size_t index, Error error) {
  for (Issue& issue : error.issues) {
    issue.diagnostics =
        "operation " + std::to_string(index) + " of the patch: " + issue.diagnostics;
  }
  return error;
}

}  // namespace

Result<std::string> ApplyPatch(const Value& target, const Value& patch) {
  if (!patch.IsArray()) return Fail(Invalid("a JSON patch is an array of operations"));
  Patcher patcher(target);
  std::size_t index = 0;
  for (Value source : patch.Children()) {
    if (index == kMaxPatchOperations) return Fail(TooLarge("the patch has too many operations"));
    auto done = ReadOperation(source).and_then(
        [&patcher](const Operation& operation) { return patcher.Apply(operation); });
    if (!done) return Fail(NameOperation(index, std::move(done).error()));
    ++index;
  }
  return patcher.Write();
}

}  // namespace fhir::json
