// fhir/json/writer.h
//
// Writes JSON text: minified from a parsed value, or piece by piece for answers
// that the server makes itself.
#pragma once

#include <string>
#include <string_view>

#include "fhir/json/document.h"

namespace fhir::json {

// Appends `text` as a JSON string, quotes included.
void AppendString(std::string* out, std::string_view text);

// Appends `value` minified. Numbers are copied digit by digit.
void AppendValue(std::string* out, const Value& value);

// Builds an answer: Member("total").Number(3) and so on. Commas are put by the writer.
//   Writer w(&out);
//   w.BeginObject().Member("resourceType").String("Bundle").Member("entry").BeginArray()...
class Writer {
 public:
  explicit Writer(std::string* out) : out_(out) {}

  Writer& BeginObject() { return Open('{'); }
  Writer& EndObject() { return Close('}'); }
  Writer& BeginArray() { return Open('['); }
  Writer& EndArray() { return Close(']'); }
  Writer& Member(std::string_view name);
  Writer& String(std::string_view text);
  Writer& Number(std::int64_t number);
  Writer& Bool(bool value);
  // `json` is one complete JSON value and is copied as it stands.
  Writer& Raw(std::string_view json);

 private:
  Writer& Open(char bracket);
  Writer& Close(char bracket);
  void Separate();

  std::string* out_;
  bool need_comma_ = false;
};

}  // namespace fhir::json
