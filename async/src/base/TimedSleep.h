#pragma once

#include <cstdint>

namespace dash::exec {

/// How long a sleep has to be to give the processor away. One that is over before the system has set
/// its timer keeps the processor until the next tick, as spinning does; on a virtual machine 5 us are
/// enough at one time, and 10 are too few at another.
/// \threads one at a time
class TimedSleep {
 public:
  static constexpr std::uint64_t shortest_ns = 5'000;
  static constexpr std::uint64_t longest_ns = 40'000;

  std::uint64_t ns() const noexcept { return _ns; }

  /// A sleep, from here to the end of the scope: whether it gave the processor away.
  class Watched {
   public:
    Watched(TimedSleep& nap, std::int64_t timeout_ns) noexcept;
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    TimedSleep& _nap;
    std::uint64_t _length_ns;  // 0: too long to learn from
    std::uint64_t _begin_ns = 0;
    long _switches = 0;
  };

 private:
  void learn(std::uint64_t length_ns, bool gave_away) noexcept;

  /// So many in a row gave the processor away: shorter ones may, too.
  static constexpr int enough = 256;

  std::uint64_t _ns = shortest_ns;
  int _good = 0;
};

}  // namespace dash::exec
