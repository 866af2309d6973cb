#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/DelegationQueue.h"
#include "base/Processes.h"
#include "base/WakeWord.h"

namespace dash::dart {

/// Parameters of the network subsystem: properties of the job and of this process.
struct NetworkConfig {
  /// Values of application_poll_ns.
  static constexpr std::uint64_t never_ns = 0;
  static constexpr std::uint64_t often_ns = 500'000;
  static constexpr std::uint64_t rarely_ns = 20'000'000;

  const Processes& processes;
  int nunits = 1;
  int nnodes = 1;
  bool thread_may_poll = false;  ///< the progress thread may call MPI, and has to
  bool oversubscribed = false;   ///< the host has more units, or processes, than processors

  std::uint64_t application_poll_ns = rarely_ns;  ///< see RmaPoller::idle_poll_interval_ns()
  /// By global id of a unit: the start of its heap in this process, and the word that counts the
  /// messages about it; null except for this unit, or the units that this progress process serves.
  std::vector<char*> heaps = {};
  std::vector<std::atomic<std::uint64_t>*> received = {};
  int unit = 0;  ///< global id of this unit, or of one that this progress process serves
  std::vector<WakeWord*> wake_words = {};  ///< of all units, see PeerWakeUp
  Delegation delegation = {};
  /// Announces its transfers. A progress process does not: the units announce those that they delegate, since they count
  /// their messages until the end of the session.
  bool sends_attention = true;
};

}  // namespace dash::dart
