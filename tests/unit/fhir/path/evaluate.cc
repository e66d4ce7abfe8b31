#include "tests/unit/fhir/path/evaluate.h"

#include <gtest/gtest.h>

namespace fhir::path {

Evaluator::Evaluator(std::string_view resource) {
  auto parsed = json::Document::Parse(resource);
  EXPECT_TRUE(parsed) << resource;
  if (!parsed) parsed = json::Document::Parse("{}");
  document_ = std::make_unique<json::Document>(*std::move(parsed));
  context_ = ContextFor(document_->Root());
}

std::vector<std::string> Evaluator::operator()(std::string_view expression) const {
  const auto failed = [](const Error& error) {
    return Texts{"error " + std::string(fhir::ToString(error.issues[0].code))};
  };
  const auto compiled = Compile(expression);
  if (!compiled) return failed(compiled.error());
  const auto items = Evaluate(*compiled, context_);
  if (!items) return failed(items.error());
  Texts texts;
  for (const Item& item : *items) {
    const auto text = ToText(item);
    texts.push_back(text ? std::string(text->view) : "{" + std::string(TypeOf(item).name) + "}");
  }
  return texts;
}

}  // namespace fhir::path
