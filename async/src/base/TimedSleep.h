#pragma once

#include <cstdint>

namespace dash::exec {

/// Learns the shortest sleep that yields the processor. A sleep that ends before the kernel has set its
/// timer keeps the processor until the next tick, just as spinning does. On a virtual machine, 5 us
/// can be long enough at one time, and 10 us too short at another.
/// \threads externally synchronized
class TimedSleep {
 public:
  static constexpr std::uint64_t shortest_ns = 5'000;
  static constexpr std::uint64_t longest_ns = 40'000;

  /// The length in nanoseconds.
  std::uint64_t ns() const noexcept { return _ns; }

  /// Observes whether a sleep, from here to the end of the scope, yields the processor.
  class Observer {
   public:
    /// \param timeout_ns  length of the sleep; negative if it has no end
    Observer(TimedSleep& sleep, std::int64_t timeout_ns) noexcept;
    ~Observer();
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;

   private:
    TimedSleep& _sleep;
    std::uint64_t _length_ns;  // 0: not observed, since it is long or unlimited
    std::uint64_t _begin_ns = 0;
    long _switches = 0;
  };

 private:
  void learn(std::uint64_t length_ns, bool yielded) noexcept;

  /// After this number of consecutive sleeps that yielded, shorter ones are tried.
  static constexpr int sleeps_before_decrease = 256;

  std::uint64_t _ns = shortest_ns;
  int _consecutive = 0;
};

}  // namespace dash::exec
