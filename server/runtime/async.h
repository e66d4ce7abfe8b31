// server/runtime/async.h
//
// The coroutine vocabulary: every coroutine of the server runs on one I/O
// thread's io_context and uses its concrete executor (any_io_executor costs a
// fifth of an exchange).
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace server {

namespace net = boost::asio;

using IoExecutor = net::io_context::executor_type;

template <class T = void>
using Awaitable = net::awaitable<T, IoExecutor>;

inline constexpr net::use_awaitable_t<IoExecutor> kUseAwaitable;
// For network operations: (error_code, …) as values instead of exceptions.
inline constexpr net::as_tuple_t<net::use_awaitable_t<IoExecutor>> kAsTuple{kUseAwaitable};

}  // namespace server
