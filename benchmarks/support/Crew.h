#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "dash/core/CpuSet.h"

namespace dash::bench {

/// Threads for loops by hand: one on each processor, asleep between the loops.
class Crew {
 public:
  /// \param processors  one for each thread; at most `threads` of them
  Crew(const core::CpuSet& processors, int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const noexcept { return static_cast<int>(_threads.size()); }

  /// Calls body(thread) on each thread; returns when all have returned.
  void run(const std::function<void(int)>& body);

  /// Calls body(begin, end) on each thread, for an equal part of 0 ... n - 1.
  template <class Body>
  void run_parts(std::size_t n, const Body& body) {
    const auto threads = static_cast<std::size_t>(this->threads());
    run([&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      body(n * i / threads, n * (i + 1) / threads);
    });
  }

 private:
  void serve(int thread, int processor);

  const std::function<void(int)>* _body = nullptr;
  bool _over = false;
  std::barrier<> _gate;
  std::vector<std::thread> _threads;
};

}  // namespace dash::bench
