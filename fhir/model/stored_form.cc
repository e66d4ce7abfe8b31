// fhir/model/stored_form.cc
#include "fhir/model/stored_form.h"

#include <algorithm>
#include <charconv>

#include "fhir/json/sink.h"
#include "fhir/model/reference.h"

namespace fhir::model {
namespace {

// Applies edits and notes references while strings are written in node order.
class StringWriter {
 public:
  // `first`: the first node that will be written.
  StringWriter(std::span<const validation::Site> sites, std::span<const Edit> edits,
               std::uint32_t first, const std::vector<json::Node>& tape,
               std::vector<ReferenceSpan>* references)
      : tape_(tape), references_(references) {
    auto by_node = [](const auto& item, std::uint32_t node) { return item.node < node; };
    site_ = std::to_address(std::lower_bound(sites.begin(), sites.end(), first, by_node));
    edit_ = std::to_address(std::lower_bound(edits.begin(), edits.end(), first, by_node));
    sites_end_ = std::to_address(sites.end());
    edits_end_ = std::to_address(edits.end());
  }

  bool operator()(json::Sink* sink, std::uint32_t node) {
    // Nodes that are not written (resourceType, meta) are passed over.
    while (site_ != sites_end_ && site_->node < node) ++site_;
    while (edit_ != edits_end_ && edit_->node < node) ++edit_;
    bool edited = edit_ != edits_end_ && edit_->node == node;
    bool is_reference = site_ != sites_end_ && site_->node == node &&
                        site_->kind == validation::SiteKind::kReference;
    if (!edited && !is_reference) return false;
    std::string_view text = edited ? std::string_view(edit_->text)
                                   : std::string_view(tape_[node].text, tape_[node].text_size);
    // A literal reference has no character that JSON escapes, so its bytes stand as they are.
    if (is_reference && ParseLiteralReference(text, {})) {
      references_->push_back(
          {static_cast<std::uint32_t>(sink->Size() + 1), static_cast<std::uint32_t>(text.size())});
    }
    sink->AppendQuoted(text);
    return true;
  }

 private:
  const std::vector<json::Node>& tape_;
  std::vector<ReferenceSpan>* references_;
  const validation::Site* site_;
  const validation::Site* sites_end_;
  const Edit* edit_;
  const Edit* edits_end_;
};

bool IsServerMeta(std::string_view name) {
  if (name.starts_with('_')) name.remove_prefix(1);
  return name == "versionId" || name == "lastUpdated";
}

bool IsWrittenFirst(std::string_view name) {
  return name == "resourceType" || name == "id" || name == "meta";
}

void AppendMember(json::Sink* sink, const json::Value& member, StringWriter* strings) {
  sink->AppendQuoted(member.Name());
  sink->Put(':');
  json::AppendTape(sink, member.Tape(), member.Index(), *strings);
}

void AppendMeta(json::Sink* sink, const json::Value& meta, StringWriter* strings) {
  bool comma = false;
  for (json::Value member : meta.Children()) {
    if (IsServerMeta(member.Name())) continue;
    if (comma) sink->Put(',');
    comma = true;
    AppendMember(sink, member, strings);
  }
}

// About what the source's nodes take, so that the string seldom grows: names and values lie in one
// text, in order.
std::size_t EstimateSize(const json::Value& resource) {
  const std::vector<json::Node>& tape = resource.Tape();
  const char* first = nullptr;
  const char* last = nullptr;
  for (std::uint32_t i = resource.Index() + 1; i < tape[resource.Index()].end; i = tape[i].end) {
    if (tape[i].name == nullptr) continue;
    if (first == nullptr) first = tape[i].name;
    last = tape[i].name;
  }
  return first == nullptr ? 128 : static_cast<std::size_t>(last - first) + 128;
}

}  // namespace

StoredForm MakeStoredForm(const json::Value& resource, std::string_view id,
                          std::span<const validation::Site> sites, std::span<const Edit> edits) {
  StoredForm form;
  form.json.reserve(EstimateSize(resource));
  {
    json::Sink sink(&form.json);
    auto strings_from = [&](const json::Value& value) {
      return StringWriter(sites, edits, value.Index(), value.Tape(), &form.references);
    };
    sink.Append("{\"resourceType\":");
    sink.AppendQuoted(resource.Find("resourceType").StringOrEmpty());
    sink.Append(",\"id\":");
    sink.AppendQuoted(id);
    sink.Append(",\"meta\":{");
    form.meta_offset = static_cast<std::uint32_t>(sink.Size());
    if (json::Value meta = resource.Find("meta"); meta.IsObject()) {
      StringWriter strings = strings_from(meta);
      AppendMeta(&sink, meta, &strings);
    }
    sink.Put('}');
    StringWriter strings = strings_from(resource);
    for (json::Value member : resource.Children()) {
      if (IsWrittenFirst(member.Name())) continue;
      sink.Put(',');
      AppendMember(&sink, member, &strings);
    }
    sink.Put('}');
  }
  return form;
}

void AppendResource(std::string* out, std::string_view json, std::uint32_t meta_offset,
                    std::uint64_t version, std::string_view last_updated) {
  char digits[20];
  char* digits_end = std::to_chars(digits, digits + sizeof digits, version).ptr;
  out->append(json.substr(0, meta_offset));
  out->append("\"versionId\":\"").append(digits, digits_end);
  out->append("\",\"lastUpdated\":\"").append(last_updated).append("\"");
  std::string_view rest = json.substr(meta_offset);
  if (!rest.starts_with('}')) out->append(",");
  out->append(rest);
}

}  // namespace fhir::model
