#include "tests/integration/storage/store_fixture.h"

#include <cstdlib>
#include <utility>

#include "fhir/base/bytes.h"

namespace storage {

using fhir::search::Expression;
using fhir::search::IndexId;
using fhir::search::ValueRange;

std::vector<std::string> IndexKeys() {
  return {"references",
          "Patient.code:token",
          "Patient.name:string",
          "Patient.birthDate:date",
          "Observation.subject:reference",
          "Observation.code:token",
          "Observation.value:quantity"};
}

TempDir::TempDir() {
  std::string path = (std::filesystem::temp_directory_path() / "kiln-storage-XXXXXX").string();
  path_ = mkdtemp(path.data());
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Number(std::uint64_t value) {
  std::string bytes;
  fhir::AppendU64(&bytes, value);
  return bytes;
}

std::string Text(std::string_view value) {
  return std::string(value) + '\0';
}

Write Put(std::string_view type, std::string_view id, std::string_view content,
          const std::vector<Entry>& entries, const std::vector<std::string>& references) {
  Write write;
  write.kind = Write::Kind::kPut;
  write.type = type;
  write.id = id;
  std::string& json = write.form.json;
  json = "{\"resourceType\":\"" + write.type + "\",\"id\":\"" + write.id + "\",\"meta\":{}";
  write.form.meta_offset = static_cast<std::uint32_t>(json.size() - 1);
  json.append(",\"content\":\"").append(content).append("\"");
  for (const Entry& entry : entries) write.entries.Add(entry.index, entry.value);
  for (const std::string& reference : references) {
    json.append(",\"r\":\"");
    write.form.references.push_back(
        {static_cast<std::uint32_t>(json.size()), static_cast<std::uint32_t>(reference.size())});
    json.append(reference).append("\"");
    write.entries.Add(fhir::search::kReferencesIndex, Text(reference));
  }
  json.push_back('}');
  write.entries.Finish();
  return write;
}

Write Create(std::string_view type, std::string_view id, std::string_view content,
             const std::vector<Entry>& entries, const std::vector<std::string>& references) {
  Write write = Put(type, id, content, entries, references);
  write.kind = Write::Kind::kCreate;
  return write;
}

Write Delete(std::string_view type, std::string_view id) {
  Write write;
  write.kind = Write::Kind::kDelete;
  write.type = type;
  write.id = id;
  return write;
}

Write Observe(std::string_view id, std::string_view patient, std::vector<Entry> entries) {
  const std::string target = "Patient/" + std::string(patient);
  entries.push_back({kSubject, '\x01' + Text(target)});
  return Put("Observation", id, "", entries, {target});
}

std::unique_ptr<Transaction> Of(std::vector<Write> writes, std::int64_t instant_ms) {
  auto transaction = std::make_unique<Transaction>();
  transaction->writes = std::move(writes);
  transaction->instant_ms = instant_ms;
  return transaction;
}

ValueRange Exactly(IndexId index, std::string value) {
  ValueRange range;
  range.index = index;
  range.exact = true;
  range.from = std::move(value);
  return range;
}

ValueRange Between(IndexId index, std::string from, std::string to) {
  ValueRange range;
  range.index = index;
  range.from = std::move(from);
  range.to = std::move(to);
  return range;
}

Expression HasValue(IndexId index, std::string value) {
  return Expression::Values({Exactly(index, std::move(value))});
}

void StoreTest::Open(const StoreOptions& options) {
  store_.reset();
  auto opened = Engine::Open(options, IndexKeys(), [](const std::string&) {});
  ASSERT_TRUE(opened) << opened.error().log_detail;
  store_ = *std::move(opened);
}

CommitResult StoreTest::Commit(std::unique_ptr<Transaction> transaction) {
  // Shared: the waiter may be gone before set_value has returned.
  const auto answer = std::make_shared<std::promise<CommitResult>>();
  const auto submitted = store_->Submit(std::move(transaction), [answer](CommitResult result) {
    answer->set_value(std::move(result));
  });
  if (!submitted) {
    ADD_FAILURE() << "not accepted";
    return {};
  }
  return answer->get_future().get();
}

CommitResult StoreTest::Must(std::vector<Write> writes, std::int64_t instant_ms) {
  CommitResult result = Commit(std::move(writes), instant_ms);
  EXPECT_EQ(result.status, CommitResult::Status::kCommitted)
      << (result.error.issues.empty() ? "" : result.error.issues.front().diagnostics)
      << result.error.log_detail;
  return result;
}

std::vector<CommitResult> StoreTest::CommitTogether(
    std::vector<std::unique_ptr<Transaction>> transactions) {
  // While the commit thread answers this one, the others queue up.
  const auto all_wait = std::make_shared<std::promise<void>>();
  const auto is_held = std::make_shared<std::promise<void>>();
  EXPECT_TRUE(store_->Submit(std::make_unique<Transaction>(), [=](const CommitResult&) {
    is_held->set_value();
    all_wait->get_future().wait();
  }));
  is_held->get_future().wait();
  std::vector<std::shared_ptr<std::promise<CommitResult>>> answers;
  for (auto& transaction : transactions) {
    const auto answer = std::make_shared<std::promise<CommitResult>>();
    answers.push_back(answer);
    EXPECT_TRUE(store_->Submit(std::move(transaction), [answer](CommitResult result) {
      answer->set_value(std::move(result));
    }));
  }
  all_wait->set_value();
  std::vector<CommitResult> results;
  for (const auto& answer : answers) results.push_back(answer->get_future().get());
  return results;
}

std::vector<std::string> StoreTest::IdsOf(const Snapshot& snapshot, std::string_view type,
                                          const std::vector<std::uint64_t>& documents) {
  std::vector<std::string> ids(documents.size());
  const auto read = store_->ReadDocuments(snapshot, type, documents, false,
                                          [&](std::size_t i, const ResourceView& view) {
                                            ids[i] = view.id;
                                            return true;
                                          });
  EXPECT_TRUE(read) << read.error().log_detail;
  return ids;
}

std::vector<std::string> StoreTest::Search(const Snapshot& snapshot, std::string_view type,
                                           const Expression& where,
                                           std::vector<fhir::search::SortKey> sort,
                                           PageRequest request) {
  const auto page = store_->Search(snapshot, type, where, sort, request, {});
  EXPECT_TRUE(page) << page.error().log_detail;
  if (!page) return {};
  return IdsOf(snapshot, type, page->documents);
}

int StoreTest::StatusOfRead(std::string_view type, std::string_view id) {
  const auto read = store_->Read(type, id);
  return read ? 200 : read.error().http_status;
}

}  // namespace storage
