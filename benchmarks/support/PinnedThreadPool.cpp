#include "support/PinnedThreadPool.h"

#include "dash/core/Topology.h"

namespace dash::bench {

PinnedThreadPool::PinnedThreadPool(const core::CpuSet& processors, int threads)
    : _barrier(threads + 1) {
  auto processor = processors.begin();
  for (int i = 0; i < threads; ++i) {
    _threads.emplace_back([this, i, on = *processor] { run_thread(i, on); });
    if (++processor == processors.end()) processor = processors.begin();
  }
}

PinnedThreadPool::~PinnedThreadPool() {
  _is_stopping = true;
  _barrier.arrive_and_wait();
  for (std::thread& thread : _threads)
    thread.join();
}

void PinnedThreadPool::run_thread(int thread, int processor) {
  core::bind_this_thread(core::CpuSet::range(processor, processor + 1));
  while (true) {
    _barrier.arrive_and_wait();
    if (_is_stopping) return;
    (*_body)(thread);
    _barrier.arrive_and_wait();
  }
}

void PinnedThreadPool::run(const std::function<void(int)>& body) {
  _body = &body;
  _barrier.arrive_and_wait();
  _barrier.arrive_and_wait();
}

}  // namespace dash::bench
