#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dash/async/FunctionRef.h"
#include "dash/core/Spin.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::tasks::internal {

/// What units tell each other about their tasks.
struct Note {
  /// Addresses in the receiver's process, whose lowest bits say what the note is about.
  std::uint64_t subject = 0;
  /// The sender's name for it.
  std::uint64_t reference = 0;

  static constexpr std::uint64_t done = 1;  // else: granted
  static constexpr std::uint64_t cancelled = 2;
  static constexpr std::uint64_t flags = 3;
};

/// Notes from each unit to each, in order: a ring in the receiver's global memory for every sender,
/// written by puts with a signal. How much of a ring has been taken is told to its sender by a
/// signal, too.
///
/// Nobody waits to send: what there is no room for is sent by a job, when there is.
class Channel {
 public:
  /// \collective over all units
  Channel();
  /// \pre no notes are on their way   \collective over all units
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// \threads any   \blocks never
  void send(int unit, const Note& note);

  /// Takes what has arrived and calls take(source, note) for each. \threads one at a time
  void take_all(exec::FunctionRef<void(int, const Note&)> take);
  bool arrived() const noexcept;
  /// Changes, and wakes who sleeps on it, with each arrival from a unit of the node.
  dart::Signal& bell() noexcept { return *_bell; }
  void ring() noexcept;

 private:
  struct Lane;
  struct Outbox;
  class SendJob;

  dart_gptr_t at(int unit, std::size_t offset) const noexcept;
  bool send_some(int unit, Outbox& outbox);
  void drain(int unit, Outbox& outbox, bool may_wait);

  int _me;
  int _units;
  dart_gptr_t _memory;
  dart::Signal* _bell = nullptr;
  Lane* _lanes = nullptr;
  std::vector<std::uint32_t> _heads;  // of each lane: what has been taken
  std::unique_ptr<Outbox[]> _outboxes;
};

}  // namespace dash::tasks::internal
