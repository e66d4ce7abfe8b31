#include "storage/rocks/status.h"

#include <string>

namespace storage::rocks {

fhir::Error ToError(const rocksdb::Status& status, std::string_view doing) {
  return fhir::Internal(std::string(doing) + ": " + status.ToString());
}

}  // namespace storage::rocks
