#include "server/runtime/threads.h"

#include <string>

#include <pthread.h>

#include "server/runtime/log.h"

namespace server {
namespace {

void RunContext(net::io_context* context, std::size_t index) {
  pthread_setname_np(pthread_self(), ("kiln-io-" + std::to_string(index)).c_str());
  for (;;) {
    // Coroutines catch their own; what arrives here came out of a handler of a third party.
    try {
      context->run();
      return;
    } catch (const std::exception& e) {
      LogError(std::string("exception on an I/O thread: ") + e.what());
    }
  }
}

}  // namespace

IoThreads::IoThreads(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    // The hint 1 only spares wake-ups: other threads may still post.
    contexts_.push_back(std::make_unique<net::io_context>(1));
    guards_.emplace_back(contexts_.back()->get_executor());
  }
}

void IoThreads::Start() {
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    threads_.emplace_back(&RunContext, contexts_[i].get(), i);
  }
}

void IoThreads::Stop() {
  for (auto& context : contexts_) context->stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkerPools::Join() {
  resource_store_.stop();
  indexer_.stop();
  resource_store_.join();
  indexer_.join();
}

}  // namespace server
