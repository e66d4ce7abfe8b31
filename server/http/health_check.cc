#include "server/http/health_check.h"

#include <exception>
#include <optional>
#include <string>

#include <boost/asio/co_spawn.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "server/http/shard.h"
#include "server/runtime/async.h"

namespace server {
namespace {

namespace http = boost::beast::http;
using net::ip::tcp;

fhir::Result<void> Unhealthy(std::string why) {
  return fhir::Fail(fhir::Internal(std::move(why)));
}

Awaitable<fhir::Result<void>> AsyncAsk(std::uint16_t port) {
  Socket socket(co_await net::this_coro::executor);
  const tcp::endpoint endpoint(net::ip::address_v4::loopback(), port);
  const auto [refused] = co_await socket.async_connect(endpoint, kAsTuple);
  if (refused) co_return Unhealthy(refused.message());

  http::request<http::empty_body> request(http::verb::get, "/health", 11);
  request.set(http::field::host, "localhost:" + std::to_string(port));
  request.set(http::field::connection, "close");
  const auto [unsent, sent] = co_await http::async_write(socket, request, kAsTuple);
  if (unsent) co_return Unhealthy(unsent.message());

  boost::beast::flat_buffer buffer;
  http::response<http::string_body> response;
  const auto [unread, read] = co_await http::async_read(socket, buffer, response, kAsTuple);
  if (unread) co_return Unhealthy(unread.message());
  if (response.result() == http::status::ok) co_return fhir::Result<void>();
  co_return Unhealthy("status " + std::to_string(response.result_int()) + " " + response.body());
}

}  // namespace

fhir::Result<void> CheckHealth(std::uint16_t port, std::chrono::milliseconds patience) {
  net::io_context context(1);
  std::optional<fhir::Result<void>> answer;
  net::co_spawn(context.get_executor(), AsyncAsk(port),
                [&answer](const std::exception_ptr& failure, fhir::Result<void> result) {
                  answer = failure ? Unhealthy("an exception") : std::move(result);
                });
  context.run_for(patience);
  if (!answer) answer = Unhealthy("no answer in " + std::to_string(patience.count()) + " ms");
  if (*answer) return {};
  return Unhealthy("port " + std::to_string(port) + ": " + answer->error().log_detail);
}

}  // namespace server
