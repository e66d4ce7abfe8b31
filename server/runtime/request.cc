#include "server/runtime/request.h"

namespace server {

std::string_view ToString(Verb verb) {
  switch (verb) {
    case Verb::kGet: return "GET";
    case Verb::kHead: return "HEAD";
    case Verb::kPost: return "POST";
    case Verb::kPut: return "PUT";
    case Verb::kPatch: return "PATCH";
    case Verb::kDelete: return "DELETE";
    case Verb::kOptions: return "OPTIONS";
  }
  return {};
}

}  // namespace server
