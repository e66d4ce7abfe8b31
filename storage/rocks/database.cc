#include "storage/rocks/database.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "storage/rocks/status.h"

namespace storage::rocks {
namespace {

constexpr char kInMemoryPath[] = "/kiln";

rocksdb::Slice Slice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

fhir::Result<void> MakeDirectories(const DatabaseOptions& options) {
  for (const std::string* path :
       {&options.index_dir, &options.resource_dir, &options.transaction_dir}) {
    if (path->empty()) continue;
    std::error_code failure;
    std::filesystem::create_directories(*path, failure);
    if (failure) {
      return fhir::Fail(
          fhir::Internal("Cannot create the directory " + *path + ": " + failure.message()));
    }
  }
  return {};
}

// A newer version may have families of which this one knows nothing.
fhir::Result<void> RefuseUnknownFamilies(const rocksdb::DBOptions& options,
                                         const std::string& path) {
  std::vector<std::string> names;
  // Fails when there is no database yet, and again in Open when it is damaged.
  if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) return {};
  for (const std::string& name : names) {
    const bool known = std::any_of(kFamilies.begin(), kFamilies.end(),
                                   [&](Family family) { return NameOf(family) == name; });
    if (!known) {
      return fhir::Fail(fhir::Internal("The database in " + path + " has the column family \"" +
                                       name +
                                       "\", which this version does not know: it was written by "
                                       "another version of the server."));
    }
  }
  return {};
}

}  // namespace

fhir::Result<std::unique_ptr<Database>> Database::Open(const DatabaseOptions& options) {
  std::unique_ptr<Database> database(new Database());
  rocksdb::DBOptions db_options = MakeDbOptions(options);
  std::string path = options.index_dir;
  if (options.in_memory) {
    database->env_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    db_options.env = database->env_.get();
    path = kInMemoryPath;
  } else {
    FHIR_TRY_VOID(MakeDirectories(options));
  }
  FHIR_TRY_VOID(RefuseUnknownFamilies(db_options, path));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(db_options, path, MakeFamilies(options), &handles, &db);
  if (!status.ok()) {
    return fhir::Fail(ToError(status, "Cannot open the database in " + path +
                                          " (where this names the LOCK file, another process has "
                                          "the database open)"));
  }
  database->db_.reset(db);
  std::copy(handles.begin(), handles.end(), database->handles_.begin());
  return database;
}

Database::~Database() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) db_->DestroyColumnFamilyHandle(handle);
}

fhir::Result<bool> Database::Get(Family family, std::string_view key, PinnedValue* value,
                                 const ReadPoint* at) const {
  rocksdb::ReadOptions options;
  options.snapshot = at;
  value->slice_.Reset();
  const rocksdb::Status status = db_->Get(options, HandleOf(family), Slice(key), &value->slice_);
  if (status.ok()) return true;
  if (status.IsNotFound()) return false;
  return fhir::Fail(ToError(status, "reading a key"));
}

Iterator Database::NewIterator(Family family, Walk walk) const {
  rocksdb::ReadOptions options;
  options.snapshot = walk.at;
  options.total_order_seek = !walk.one_version_prefix;
  options.prefix_same_as_start = walk.one_version_prefix;
  std::unique_ptr<Iterator::Bound> bound;
  if (!walk.upper_bound.empty()) {
    bound = std::make_unique<Iterator::Bound>();
    bound->key = std::move(walk.upper_bound);
    bound->slice = Slice(bound->key);
    options.iterate_upper_bound = &bound->slice;
  }
  std::unique_ptr<rocksdb::Iterator> iterator(db_->NewIterator(options, HandleOf(family)));
  return {std::move(bound), std::move(iterator)};
}

fhir::Result<void> Database::WriteSynced(Batch* batch) {
  rocksdb::Status status = batch->status_;
  if (status.ok()) {
    rocksdb::WriteOptions options;
    options.sync = true;
    status = db_->Write(options, &batch->batch_);
  }
  if (!status.ok()) return fhir::Fail(ToError(status, "writing"));
  return {};
}

std::shared_ptr<const ReadPoint> Database::Now() const {
  rocksdb::DB* db = db_.get();
  return {db->GetSnapshot(), [db](const ReadPoint* point) { db->ReleaseSnapshot(point); }};
}

RangeSize Database::ApproximateSize(Family family, std::string_view from,
                                    std::string_view to) const {
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = false;
  options.include_files = true;
  options.files_size_error_margin = 0.1;  // Spares the edges of large files.
  const rocksdb::Range range(Slice(from), Slice(to));
  RangeSize size;
  // Fails for damaged files only, and then whoever reads them says so.
  (void)db_->GetApproximateSizes(options, HandleOf(family), &range, 1, &size.file_bytes).ok();
  std::uint64_t memtable_bytes = 0;
  db_->GetApproximateMemTableStats(HandleOf(family), range, &size.memtable_keys, &memtable_bytes);
  return size;
}

void Database::Describe(const std::function<void(const std::string&)>& log) const {
  for (const Family family : kFamilies) {
    std::uint64_t bytes = 0;
    std::uint64_t keys = 0;
    db_->GetIntProperty(HandleOf(family), "rocksdb.total-sst-files-size", &bytes);
    db_->GetIntProperty(HandleOf(family), "rocksdb.estimate-num-keys", &keys);
    rocksdb::ColumnFamilyMetaData files;
    db_->GetColumnFamilyMetaData(HandleOf(family), &files);
    log(std::string(NameOf(family)) + ": " + std::to_string(files.file_count) + " files, " +
        std::to_string(bytes) + " bytes, about " + std::to_string(keys) + " keys");
  }
}

void Batch::Put(Family family, std::string_view key, std::string_view value) {
  const rocksdb::Status status = batch_.Put(database_->HandleOf(family), Slice(key), Slice(value));
  if (status_.ok()) status_ = status;
}

void Batch::Put(Family family, std::string_view key, std::string_view head, std::string_view tail) {
  const rocksdb::Slice key_part = Slice(key);
  const rocksdb::Slice value_parts[] = {Slice(head), Slice(tail)};
  const rocksdb::Status status =
      batch_.Put(database_->HandleOf(family), rocksdb::SliceParts(&key_part, 1),
                 rocksdb::SliceParts(value_parts, 2));
  if (status_.ok()) status_ = status;
}

void Batch::Merge(Family family, std::string_view key, std::string_view operand) {
  const rocksdb::Status status =
      batch_.Merge(database_->HandleOf(family), Slice(key), Slice(operand));
  if (status_.ok()) status_ = status;
}

}  // namespace storage::rocks
