#include "server/interactions/own_parameters.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fhir/json/document.h"

namespace server {
namespace {

using fhir::search::OwnParameter;
using fhir::search::RegistryPtr;

constexpr std::string_view kType = "SearchParameter";

std::string SourceOf(std::string_view id) {
  return std::string(kType) + "/" + std::string(id);
}

fhir::Result<std::optional<OwnParameter>> ReadJson(const std::string& json, std::string_view id) {
  FHIR_TRY(document, fhir::json::Document::Parse(json));
  const fhir::json::Value resource = document.Root();
  return fhir::search::ReadOwnParameter(
      resource, SourceOf(id.empty() ? resource.Find("id").StringOrEmpty() : id));
}

std::string TextOf(const fhir::Error& error) {
  const fhir::Issue& issue = error.issues.front();
  return (issue.expression.empty() ? "" : issue.expression + ": ") + issue.diagnostics;
}

bool AreSame(const std::vector<OwnParameter>& a, const std::vector<OwnParameter>& b) {
  return std::ranges::equal(a, b, [](const OwnParameter& one, const OwnParameter& other) {
    return one.source == other.source && one.IsSame(other);
  });
}

// All that fit, in their order.
RegistryPtr WithFitting(const fhir::search::Registry& r4, std::vector<OwnParameter> own,
                        const std::function<void(const std::string&)>& log) {
  for (;;) {
    auto registry = r4.With(own);
    if (registry) return *std::move(registry);
    const std::size_t position = registry.error().position;
    log(own[position].source + " is not searched by: " + TextOf(registry.error().error));
    own.erase(own.begin() + static_cast<std::ptrdiff_t>(position));
  }
}

}  // namespace

tl::expected<void, RejectedWrite> PlanRegistry(storage::Transaction* transaction) {
  // By source, for those that are written; nothing for what is no search parameter any more.
  std::map<std::string, std::optional<OwnParameter>> written;
  std::map<std::string, std::size_t> write_of;
  for (std::size_t i = 0; i < transaction->writes.size(); ++i) {
    const storage::Write& write = transaction->writes[i];
    if (write.type != kType) continue;
    std::optional<OwnParameter>& parameter = written[SourceOf(write.id)];
    write_of[SourceOf(write.id)] = i;
    if (write.kind == storage::Write::Kind::kDelete) continue;
    auto read = ReadJson(write.form.json, write.id);
    if (!read) return tl::unexpected(RejectedWrite{i, std::move(read).error()});
    parameter = *std::move(read);
  }
  if (written.empty()) return {};
  const std::vector<OwnParameter>& before = transaction->registry->Own();
  std::vector<OwnParameter> own;
  for (const OwnParameter& parameter : before) {
    const auto found = written.find(parameter.source);
    // One that is written as it was keeps its place.
    const bool stays =
        found == written.end() || (found->second && found->second->IsSame(parameter));
    if (stays) own.push_back(parameter);
    if (stays && found != written.end()) written.erase(found);
  }
  for (auto& [source, parameter] : written) {
    if (parameter) own.push_back(*std::move(parameter));
  }
  if (AreSame(own, before)) return {};
  auto next = transaction->registry->With(own);
  if (!next) {
    return tl::unexpected(
        RejectedWrite{write_of[own[next.error().position].source], std::move(next.error().error)});
  }
  transaction->next_registry = *std::move(next);
  return {};
}

fhir::Result<void> PlanRegistryOfOne(storage::Transaction* transaction) {
  auto planned = PlanRegistry(transaction);
  if (planned) return {};
  return fhir::Fail(std::move(planned.error().error));
}

fhir::Result<RegistryPtr> LoadRegistry(const fhir::search::Registry& r4,
                                       const std::vector<std::string>& stored,
                                       const std::vector<OwnParameter>& bundle,
                                       const std::function<void(const std::string&)>& log) {
  std::vector<OwnParameter> own;
  for (const std::string& json : stored) {
    auto read = ReadJson(json, {});
    if (!read) {
      log("a stored SearchParameter is not searched by: " + TextOf(read.error()));
    } else if (*read) {
      own.push_back(**std::move(read));
    }
  }
  const RegistryPtr fitting = WithFitting(r4, std::move(own), log);
  own = fitting->Own();
  own.insert(own.end(), bundle.begin(), bundle.end());
  auto registry = fitting->With(own);
  if (registry) return *std::move(registry);
  return fhir::Fail(
      fhir::Invalid("DB_SEARCH_PARAM_BUNDLE: " + own[registry.error().position].source + ": " +
                    TextOf(registry.error().error)));
}

}  // namespace server
