#include "server/runtime/log.h"

#include <string>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace server {
namespace {

// One line a call, whatever a client put into it.
std::string OnOneLine(std::string_view line) {
  std::string out(line);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

void Write(spdlog::level::level_enum level, std::string_view line) {
  spdlog::default_logger_raw()->log(level, "{}", OnOneLine(line));
}

}  // namespace

void InitLog(std::string_view level) {
  auto logger = spdlog::stderr_logger_mt("kiln");
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  logger->set_level(spdlog::level::from_str(std::string(level)));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

void LogDebug(std::string_view line) {
  if (IsDebugLogged()) Write(spdlog::level::debug, line);
}
void LogInfo(std::string_view line) {
  Write(spdlog::level::info, line);
}
void LogWarning(std::string_view line) {
  Write(spdlog::level::warn, line);
}
void LogError(std::string_view line) {
  Write(spdlog::level::err, line);
}

bool IsDebugLogged() {
  return spdlog::default_logger_raw()->should_log(spdlog::level::debug);
}

}  // namespace server
