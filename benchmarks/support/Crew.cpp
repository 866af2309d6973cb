#include "support/Crew.h"

#include "dash/core/Topology.h"

namespace dash::bench {

Crew::Crew(const core::CpuSet& processors, int threads) : _gate(threads + 1) {
  auto processor = processors.begin();
  for (int i = 0; i < threads; ++i) {
    _threads.emplace_back([this, i, on = *processor] { serve(i, on); });
    if (++processor == processors.end()) processor = processors.begin();
  }
}

Crew::~Crew() {
  _over = true;
  _gate.arrive_and_wait();
  for (std::thread& thread : _threads)
    thread.join();
}

void Crew::serve(int thread, int processor) {
  core::bind_this_thread(core::CpuSet::range(processor, processor + 1));
  while (true) {
    _gate.arrive_and_wait();
    if (_over) return;
    (*_body)(thread);
    _gate.arrive_and_wait();
  }
}

void Crew::run(const std::function<void(int)>& body) {
  _body = &body;
  _gate.arrive_and_wait();
  _gate.arrive_and_wait();
}

}  // namespace dash::bench
