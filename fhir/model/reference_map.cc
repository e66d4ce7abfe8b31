// fhir/model/reference_map.cc
//
// How references between the entries of a transaction resolve (R4 3.1.0.11.2
// and 2.36.4.1): the second half of fhir/model/bundle.h.
#include <algorithm>

#include "fhir/model/bundle.h"
#include "fhir/model/reference.h"

namespace fhir::model {
namespace {

// "http://h/fhir/Patient/New" as "http://h/fhir" and "Patient/New".
struct RestfulUrl {
  std::string_view root;
  std::string_view relative;
};

// A root is copied for each reference that is looked up below it: a longer one is no URL of a
// server.
constexpr std::size_t kMaxRestfulUrlBytes = 4096;

std::optional<RestfulUrl> SplitRestfulUrl(std::string_view url) {
  if (url.size() > kMaxRestfulUrlBytes) return std::nullopt;
  if (!url.starts_with("http://") && !url.starts_with("https://")) return std::nullopt;
  std::size_t id_slash = url.rfind('/');
  std::size_t type_slash = url.rfind('/', id_slash - 1);
  if (type_slash == std::string_view::npos) return std::nullopt;
  RestfulUrl parts{url.substr(0, type_slash), url.substr(type_slash + 1)};
  std::optional<LiteralReference> reference = ParseLiteralReference(parts.relative, {});
  if (!reference) return std::nullopt;
  return parts;
}

// The text with the fragment or version cut off that may stand behind a fullUrl.
std::string_view WithoutSuffix(std::string_view text) {
  text = text.substr(0, text.find('#'));
  return text.substr(0, text.rfind("/_history/"));
}

// Copies XHTML, with the href and src attributes of its tags resolved.
class NarrativeRewriter {
 public:
  NarrativeRewriter(std::string_view xhtml, const ReferenceMap& references,
                    std::string_view full_url)
      : xhtml_(xhtml), references_(references), full_url_(full_url) {}

  // Nothing if no attribute resolves.
  std::optional<std::string> Rewrite() {
    while ((at_ = xhtml_.find('<', at_)) != std::string_view::npos) {
      if (xhtml_.substr(at_).starts_with("<!--")) {
        at_ = xhtml_.find("-->", at_);
        if (at_ == std::string_view::npos) break;
        continue;
      }
      ++at_;
      RewriteTag();
    }
    if (copied_ == 0) return std::nullopt;
    result_.append(xhtml_.substr(copied_));
    return std::move(result_);
  }

 private:
  // From behind '<' to behind '>'.
  void RewriteTag() {
    std::string_view name;
    while (at_ < xhtml_.size()) {
      std::size_t start = at_;
      at_ = xhtml_.find_first_of(" \t\r\n=>\"'", at_);
      if (at_ == std::string_view::npos) at_ = xhtml_.size();
      if (at_ > start) name = xhtml_.substr(start, at_ - start);
      if (at_ == xhtml_.size()) return;
      char c = xhtml_[at_++];
      if (c == '>') return;
      if (c == '"' || c == '\'') {
        std::size_t end = std::min(xhtml_.find(c, at_), xhtml_.size());
        if (name == "href" || name == "src") RewriteAttribute(end);
        at_ = std::min(end + 1, xhtml_.size());
        name = {};
      }
    }
  }

  // The attribute's value is [at_, end).
  void RewriteAttribute(std::size_t end) {
    std::optional<std::string> target =
        references_.ResolveEntry(xhtml_.substr(at_, end - at_), full_url_);
    if (!target) return;
    result_.append(xhtml_.substr(copied_, at_ - copied_)).append(*target);
    copied_ = end;
  }

  std::string_view xhtml_;
  const ReferenceMap& references_;
  std::string_view full_url_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  // How much of `xhtml_` is in `result_`.
  std::string result_;
};

}  // namespace

void ReferenceMap::Insert(std::string key, std::string_view target) {
  key_sizes_ |= std::uint64_t{1} << key.size() % 64;
  auto [entry, inserted] = targets_.try_emplace(std::move(key), target);
  if (!inserted && entry->second != target) entry->second.clear();
}

void ReferenceMap::AddEntry(std::string_view full_url, std::string_view type_and_id) {
  if (full_url.empty()) return;
  Insert(std::string(full_url), type_and_id);
  if (std::optional<RestfulUrl> url = SplitRestfulUrl(full_url)) {
    Insert(std::string(url->relative), type_and_id);
  }
}

void ReferenceMap::AddConditional(std::string_view text, std::string_view type_and_id) {
  conditionals_.insert_or_assign(std::string(text), std::string(type_and_id));
}

const std::string* ReferenceMap::FindTarget(std::string_view key) const {
  if ((key_sizes_ >> key.size() % 64 & 1) == 0) return nullptr;
  auto entry = targets_.find(key);
  return entry == targets_.end() || entry->second.empty() ? nullptr : &entry->second;
}

const std::string* ReferenceMap::FindRelative(std::string_view key,
                                              std::string_view full_url) const {
  if (std::optional<RestfulUrl> url = SplitRestfulUrl(full_url)) {
    return FindTarget(std::string(url->root).append("/").append(key));
  }
  return FindTarget(key);
}

std::optional<std::string> ReferenceMap::ResolveEntry(std::string_view text,
                                                      std::string_view full_url) const {
  if (targets_.empty() || text.empty() || text.starts_with('#')) return std::nullopt;
  std::string_view key = WithoutSuffix(text);
  bool relative = ParseLiteralReference(key, {}).has_value();
  const std::string* target = relative ? FindRelative(key, full_url) : FindTarget(key);
  if (target == nullptr) return std::nullopt;
  std::string resolved = *target;
  resolved.append(text.substr(key.size()));
  if (resolved == text) return std::nullopt;
  return resolved;
}

std::optional<std::string> ReferenceMap::Resolve(std::string_view text,
                                                 std::string_view full_url) const {
  if (auto entry = conditionals_.find(text); entry != conditionals_.end()) return entry->second;
  if (std::optional<std::string> resolved = ResolveEntry(text, full_url)) return resolved;
  if (base_.empty() || !text.starts_with(base_)) return std::nullopt;
  if (!ParseLiteralReference(text, base_)) return std::nullopt;
  return std::string(text.substr(base_.size() + 1));
}

bool ReferenceMap::HasConditional(std::string_view text) const {
  return conditionals_.find(text) != conditionals_.end();
}

std::vector<Edit> ResolveReferences(const json::Value& resource,
                                    std::span<const validation::Site> sites,
                                    const ReferenceMap& references, std::string_view full_url) {
  std::vector<Edit> edits;
  if (references.IsEmpty()) return edits;
  for (const validation::Site& site : sites) {
    const json::Node& node = resource.Tape()[site.node];
    std::string_view text(node.text, node.text_size);
    std::optional<std::string> resolved;
    switch (site.kind) {
      case validation::SiteKind::kReference: resolved = references.Resolve(text, full_url); break;
      case validation::SiteKind::kUri: resolved = references.ResolveEntry(text, full_url); break;
      case validation::SiteKind::kNarrative:
        if (!references.HasEntries()) break;
        resolved = NarrativeRewriter(text, references, full_url).Rewrite();
        break;
    }
    if (resolved) edits.push_back({site.node, *std::move(resolved)});
  }
  return edits;
}

}  // namespace fhir::model
