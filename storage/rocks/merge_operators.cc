#include "storage/rocks/merge_operators.h"

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rocksdb/slice.h>

#include "storage/posting/live_delta.h"
#include "storage/posting/posting_value.h"

namespace storage::rocks {
namespace {

std::string_view View(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

// A merge is one function of all values in order; `is_full`: nothing lies below them.
class FoldOperator : public rocksdb::MergeOperator {
 public:
  bool FullMergeV2(const MergeOperationInput& input, MergeOperationOutput* output) const override {
    std::vector<std::string_view> values;
    values.reserve(input.operand_list.size() + 1);
    if (input.existing_value != nullptr) values.push_back(View(*input.existing_value));
    for (const rocksdb::Slice& operand : input.operand_list) values.push_back(View(operand));
    output->new_value.clear();
    return Fold(values, true, &output->new_value);
  }

  bool PartialMergeMulti(const rocksdb::Slice& /*key*/, const std::deque<rocksdb::Slice>& operands,
                         std::string* new_value, rocksdb::Logger* /*logger*/) const override {
    std::vector<std::string_view> values;
    values.reserve(operands.size());
    for (const rocksdb::Slice& operand : operands) values.push_back(View(operand));
    new_value->clear();
    return Fold(values, false, new_value);
  }

  bool PartialMerge(const rocksdb::Slice& /*key*/, const rocksdb::Slice& left,
                    const rocksdb::Slice& right, std::string* new_value,
                    rocksdb::Logger* /*logger*/) const override {
    const std::string_view values[] = {View(left), View(right)};
    new_value->clear();
    return Fold(values, false, new_value);
  }

 protected:
  virtual bool Fold(std::span<const std::string_view> values, bool is_full,
                    std::string* out) const = 0;
};

class PostingUnion final : public FoldOperator {
 public:
  const char* Name() const override { return "kiln.PostingUnion"; }

 protected:
  bool Fold(std::span<const std::string_view> values, bool /*is_full*/,
            std::string* out) const override {
    return UnionPostings(values, out);
  }
};

class LiveChange final : public FoldOperator {
 public:
  const char* Name() const override { return "kiln.LiveChange"; }

 protected:
  bool Fold(std::span<const std::string_view> values, bool is_full,
            std::string* out) const override {
    return ComposeLiveDeltas(values, is_full, out);
  }
};

}  // namespace

std::shared_ptr<rocksdb::MergeOperator> PostingMergeOperator() {
  return std::make_shared<PostingUnion>();
}

std::shared_ptr<rocksdb::MergeOperator> LiveMergeOperator() {
  return std::make_shared<LiveChange>();
}

}  // namespace storage::rocks
