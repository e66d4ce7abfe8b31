// storage/commit/current.h
//
// The newest version of a resource as the next transaction of a group finds it: in the overlay, or
// committed.
//
// Owner: the commit thread. Thread-safety: single-owner. Blocking: reads the disk.
#pragma once

#include <optional>

#include "fhir/base/result.h"
#include "storage/commit/overlay.h"
#include "storage/reader.h"

namespace storage {

struct CurrentVersion {
  VersionRecord record;
  const NewVersion* pending = nullptr;  // In the overlay; null if committed.

  bool IsLive() const { return record.operation != Operation::kDelete; }
};

class CurrentVersions {
 public:
  explicit CurrentVersions(const Overlay* overlay)
      : overlay_(overlay), finder_(&overlay->Committed()) {}

  // Deletions too. Nothing if it never existed.
  fhir::Result<std::optional<CurrentVersion>> Find(const ResourceName& name) {
    if (const NewVersion* pending = overlay_->Find(name)) {
      return CurrentVersion{pending->record, pending};
    }
    FHIR_TRY(committed, finder_.Find(name.type, name.id));
    if (!committed) return std::nullopt;
    return CurrentVersion{*committed};
  }

 private:
  const Overlay* overlay_;
  VersionFinder finder_;
};

}  // namespace storage
