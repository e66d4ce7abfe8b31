// server/interactions/bundle_answer.h
//
// Bundles of stored resources: searchset and history. Entries are written into
// one string in the order in which the disk is read, and sent in theirs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/interactions/page_link.h"
#include "server/interactions/shape.h"
#include "server/runtime/reply.h"
#include "storage/store.h"

namespace server {

// Bytes of entries after which a page ends, whatever _count says: many are held at a time.
inline constexpr std::size_t kMaxPageBytes = std::size_t{64} << 20;

// Owner: one handler. Thread-safety: single-owner.
class BundleEntries {
 public:
  // `base_url` is that of the fullUrls.
  explicit BundleEntries(std::string_view base_url);

  // The page has its bytes: what comes next belongs to another one.
  bool IsFull() const { return bytes_.size() >= kMaxPageBytes; }
  // Forgets all entries.
  void Clear();

  // Room for that many entries more; a guess saves copying.
  void Reserve(std::size_t count);

  // An entry of a search's result. Positions may come in any order, each once.
  // `extension`: JSON of an extension of Bundle.entry.search; empty: none.
  void AddMatch(std::size_t position, const storage::ResourceView& view, const Shape& shape,
                std::string_view extension = {});
  // The same for what the matches include. Its position is behind theirs.
  void AddIncluded(std::size_t position, const storage::ResourceView& view, const Shape& shape);
  // A version in a history; `view` may be a deletion.
  void AddVersion(std::size_t position, const storage::ResourceView& view, const Shape& shape);
  // What the server has to say about a search (search.mode=outcome), behind all others.
  void AddOutcome(std::string_view operation_outcome);

  // Moves the entries to `body`, with the commas between them.
  void MoveTo(Body* body);

 private:
  struct Slot {
    std::size_t offset = 0;
    std::size_t size = 0;  // 0: no such entry.
  };

  void AddFound(std::size_t position, const storage::ResourceView& view, const Shape& shape,
                std::string_view mode, std::string_view extension);
  void Begin(std::size_t position);
  void End();
  void AppendFullUrl(std::string_view type, std::string_view id);

  std::string escaped_base_;
  std::string bytes_;
  std::vector<Slot> slots_;   // By position.
  std::size_t position_ = 0;  // Of the entry being written.
  bool in_order_ = true;      // The entries stand in bytes_ by position.
};

// The whole answer: type is "searchset" or "history". Takes `entries`; null: no entries are shown.
Reply AnswerBundle(std::string_view type, std::optional<std::uint64_t> total,
                   const std::vector<PageLink>& links, BundleEntries* entries);

}  // namespace server
