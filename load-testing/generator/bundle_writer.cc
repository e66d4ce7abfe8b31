#include "load-testing/generator/bundle_writer.h"

#include <cstdint>

#include "load-testing/generator/json_text.h"

namespace load_testing {

Uuid::Uuid(Random& random) {
  std::uint64_t bits = 0;
  int held = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      text_[i] = '-';
      continue;
    }
    if (held == 0) {
      bits = random.Next();
      held = 16;
    }
    text_[i] = "0123456789abcdef"[bits & 15U];
    bits >>= 4;
    --held;
  }
}

BundleWriter::BundleWriter(std::string_view type, Bundle* bundle) : bundle_(bundle) {
  bundle->json.clear();
  bundle->resources = 0;
  Append(bundle->json, R"({"resourceType":"Bundle","type":")", type, R"(","entry":[)");
}

void BundleWriter::Begin(std::string_view type, const Uuid& id) {
  type_ = type;
  if (bundle_->resources++ > 0) Json() += ',';
  Append(Json(), R"({"fullUrl":"urn:uuid:)", id.Text(), R"(","resource":{"resourceType":")", type,
         R"(","id":")", id.Text(), "\"");
  ids_.push_back(id);
}

void BundleWriter::End(std::string_view condition) {
  Append(Json(), R"(},"request":{"method":"POST","url":")", type_, "\"");
  if (!condition.empty()) Append(Json(), R"(,"ifNoneExist":)", Quoted(condition));
  Append(Json(), "}}");
}

void BundleWriter::Finish() {
  Append(Json(), "]}");
}

}  // namespace load_testing
