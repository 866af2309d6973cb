#pragma once

#include <dash/core/Clock.h>

#include <cstdint>
#include <utility>

namespace kernels {

/// Sums the time that calls take.
class Stopwatch {
 public:
  /// \returns what f() returns
  template <class F>
  decltype(auto) time(F&& f) {
    const Lap lap(*this);
    return std::forward<F>(f)();
  }

  double seconds() const { return static_cast<double>(_ns) * 1e-9; }
  /// Whether any call was timed.
  bool was_used() const { return _laps > 0; }

 private:
  class Lap {
   public:
    explicit Lap(Stopwatch& watch) : _watch(watch), _begin(dash::core::now_ns()) {}
    Lap(const Lap&) = delete;
    Lap& operator=(const Lap&) = delete;
    ~Lap() {
      _watch._ns += dash::core::now_ns() - _begin;
      ++_watch._laps;
    }

   private:
    Stopwatch& _watch;
    std::uint64_t _begin;
  };

  std::uint64_t _ns = 0;
  std::uint64_t _laps = 0;
};

}  // namespace kernels
