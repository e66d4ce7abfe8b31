#include "server/http/response_head.h"

#include <charconv>

#include "fhir/base/time.h"

namespace server {
namespace {

void AppendNumber(std::string* out, std::size_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out->append(digits, end);
}

// Values may hold what a client sent: a line break in one would begin a field of his.
void AppendField(std::string* out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out->append(name);
  out->append(": ");
  const std::size_t start = out->size();
  out->append(value);
  for (std::size_t i = start; i < out->size(); ++i) {
    char& c = (*out)[i];
    if (c == '\r' || c == '\n' || c == '\0') c = ' ';
  }
  out->append("\r\n");
}

}  // namespace

bool MayHaveBody(int status) {
  return status >= 200 && status != 204 && status != 304;
}

void AppendHead(std::string* out, const Reply& reply, std::string_view date,
                Persistence persistence) {
  out->append("HTTP/1.1 ");
  AppendNumber(out, static_cast<std::size_t>(reply.status));
  out->push_back(' ');
  out->append(ReasonOf(reply.status));
  out->append("\r\n");
  AppendField(out, "Date", date);
  if (MayHaveBody(reply.status)) {
    if (reply.body.Size() > 0) AppendField(out, "Content-Type", reply.content_type);
    out->append("Content-Length: ");
    AppendNumber(out, reply.body.Size());
    out->append("\r\n");
  }
  AppendField(out, "ETag", reply.etag);
  if (reply.modified_ms != 0) {
    AppendField(out, "Last-Modified", fhir::FormatHttpDate(reply.modified_ms));
  }
  AppendField(out, "Location", reply.location);
  AppendField(out, "Link", reply.link);
  for (const auto& [name, value] : reply.headers) AppendField(out, name, value);
  if (persistence == Persistence::kClose) out->append("Connection: close\r\n");
  if (persistence == Persistence::kKeepAlive) out->append("Connection: keep-alive\r\n");
  out->append("\r\n");
}

}  // namespace server
