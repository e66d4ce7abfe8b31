// fhir/model/bundle.cc
#include "fhir/model/bundle.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fhir::model {
namespace {

std::optional<Method> ParseMethod(std::string_view code) {
  if (code == "GET") return Method::kGet;
  if (code == "HEAD") return Method::kHead;
  if (code == "POST") return Method::kPost;
  if (code == "PUT") return Method::kPut;
  if (code == "PATCH") return Method::kPatch;
  if (code == "DELETE") return Method::kDelete;
  return std::nullopt;
}

std::string EntryPath(std::uint32_t index, std::string_view element) {
  return "Bundle.entry[" + std::to_string(index) + "]" + std::string(element);
}

std::string_view WithoutSlash(std::string_view url) {
  if (url.starts_with('/')) url.remove_prefix(1);
  return url;
}

bool IsNestedBundle(const BundleEntry& entry, std::string_view base_url) {
  std::string_view path = entry.url.substr(0, entry.url.find('?'));
  if (!base_url.empty() && path.starts_with(base_url)) path.remove_prefix(base_url.size());
  if (entry.method != Method::kPost || !WithoutSlash(path).empty()) return false;
  if (entry.resource.Find("resourceType").StringOrEmpty() != "Bundle") return false;
  std::string_view type = entry.resource.Find("type").StringOrEmpty();
  return type == "batch" || type == "transaction";
}

// Operations and searches may be POSTed without a resource.
bool NeedsResource(const BundleEntry& entry) {
  switch (entry.method) {
    case Method::kGet:
    case Method::kHead:
    case Method::kDelete: return false;
    case Method::kPut:
    case Method::kPatch: return true;
    case Method::kPost: break;
  }
  std::string_view path = entry.url.substr(0, entry.url.find('?'));
  std::string_view last = path.substr(path.rfind('/') + 1);  // npos + 1 is 0.
  return !last.starts_with('$') && last != "_search";
}

// What is wrong with the entry by itself.
std::optional<Error> ReadRequest(const json::Value& source, BundleEntry* entry) {
  json::Value request = source.Find("request");
  if (!request.IsObject()) {
    return Invalid("the entry has no request", EntryPath(entry->index, ".request"));
  }
  entry->url = request.Find("url").StringOrEmpty();
  entry->if_none_match = request.Find("ifNoneMatch").StringOrEmpty();
  entry->if_modified_since = request.Find("ifModifiedSince").StringOrEmpty();
  entry->if_match = request.Find("ifMatch").StringOrEmpty();
  entry->if_none_exist = request.Find("ifNoneExist").StringOrEmpty();
  std::optional<Method> method = ParseMethod(request.Find("method").StringOrEmpty());
  if (!method) {
    return Invalid("the method is missing or unknown", EntryPath(entry->index, ".request.method"));
  }
  entry->method = *method;
  if (entry->url.empty()) {
    return Invalid("the url is missing", EntryPath(entry->index, ".request.url"));
  }
  if (NeedsResource(*entry) && !entry->resource.IsObject()) {
    return Invalid("the method needs a resource", EntryPath(entry->index, ".resource"));
  }
  return std::nullopt;
}

struct Identity {
  std::string_view text;
  std::uint32_t index;
};

// The later of two entries that say the same.
std::optional<std::uint32_t> FindDuplicate(std::vector<Identity> identities) {
  std::sort(identities.begin(), identities.end(), [](const Identity& a, const Identity& b) {
    return a.text != b.text ? a.text < b.text : a.index < b.index;
  });
  auto same = [](const Identity& a, const Identity& b) { return a.text == b.text; };
  auto first = std::adjacent_find(identities.begin(), identities.end(), same);
  if (first == identities.end()) return std::nullopt;
  return std::next(first)->index;
}

// R4 3.1.0.11.2: identities may not overlap within a transaction.
std::optional<Error> CheckIdentities(std::span<const BundleEntry> entries) {
  std::vector<Identity> full_urls;
  std::vector<Identity> targets;
  for (const BundleEntry& entry : entries) {
    if (!entry.full_url.empty()) full_urls.push_back({entry.full_url, entry.index});
    switch (entry.method) {
      case Method::kPut:
      case Method::kPatch:
      case Method::kDelete: targets.push_back({WithoutSlash(entry.url), entry.index}); break;
      case Method::kGet:
      case Method::kHead:
      case Method::kPost: break;
    }
  }
  if (std::optional<std::uint32_t> index = FindDuplicate(std::move(full_urls))) {
    return Invalid("two entries have this fullUrl", EntryPath(*index, ".fullUrl"));
  }
  if (std::optional<std::uint32_t> index = FindDuplicate(std::move(targets))) {
    return Invalid("two entries change this resource", EntryPath(*index, ".request.url"));
  }
  return std::nullopt;
}

std::optional<BundleType> ReadType(const json::Value& bundle) {
  std::string_view type = bundle.Find("type").StringOrEmpty();
  if (type == "batch") return BundleType::kBatch;
  if (type == "transaction") return BundleType::kTransaction;
  return std::nullopt;
}

int Rank(Method method) {
  switch (method) {
    case Method::kDelete: return 0;
    case Method::kPost: return 1;
    case Method::kPut:
    case Method::kPatch: return 2;
    case Method::kGet:
    case Method::kHead: return 3;
  }
  return 3;
}

}  // namespace

Result<Bundle> ReadBundle(const json::Value& bundle, std::string_view base_url) {
  if (bundle.Find("resourceType").StringOrEmpty() != "Bundle") {
    return Fail(Invalid("not a Bundle", "resourceType"));
  }
  std::optional<BundleType> type = ReadType(bundle);
  if (!type) return Fail(Invalid("only a batch or a transaction can be processed", "Bundle.type"));
  Bundle result{*type, {}};
  json::Value list = bundle.Find("entry");
  if (!list.IsArray()) return result;
  for (json::Value source : list.Children()) {
    if (result.entries.size() == kMaxEntries) {
      return Fail(TooLarge("the bundle has more than " + std::to_string(kMaxEntries) + " entries"));
    }
    BundleEntry entry;
    entry.index = static_cast<std::uint32_t>(result.entries.size());
    entry.full_url = source.Find("fullUrl").StringOrEmpty();
    entry.resource = source.Find("resource");
    entry.error = ReadRequest(source, &entry);
    // Fails a batch as a whole, too: its sender counts on the nested entries being run.
    if (IsNestedBundle(entry, base_url)) {
      return Fail(Within(EntryPath(entry.index, ".resource"),
                         NotSupported("a batch or transaction within another is not supported")));
    }
    if (entry.error && *type == BundleType::kTransaction) return Fail(*std::move(entry.error));
    result.entries.push_back(std::move(entry));
  }
  if (*type == BundleType::kTransaction) {
    if (std::optional<Error> error = CheckIdentities(result.entries))
      return Fail(*std::move(error));
  }
  return result;
}

std::vector<std::uint32_t> TransactionOrder(std::span<const BundleEntry> entries) {
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [entries](std::uint32_t a, std::uint32_t b) {
    return std::pair(Rank(entries[a].method), a) < std::pair(Rank(entries[b].method), b);
  });
  return order;
}

std::span<const validation::Site> SitesWithin(std::span<const validation::Site> all,
                                              const json::Value& resource) {
  auto by_node = [](const validation::Site& site, std::uint32_t node) { return site.node < node; };
  std::uint32_t end = resource.Tape()[resource.Index()].end;
  auto first = std::lower_bound(all.begin(), all.end(), resource.Index(), by_node);
  return {first, std::lower_bound(first, all.end(), end, by_node)};
}

}  // namespace fhir::model
