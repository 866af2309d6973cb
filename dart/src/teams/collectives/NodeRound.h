#pragma once

#include <cstdint>

#include "dash/async/Engine.h"
#include "dash/async/FunctionRef.h"
#include "launch/TeamBlock.h"

namespace dash::dart {

/// How the units of a node wait for each other; tests replace it.
struct EngineWaiting {
  static void wait(exec::SharedWord& word, exec::FunctionRef<bool(std::uint32_t)> done) {
    exec::Engine::instance().wait_shared(word, done);
  }
  static void publish(exec::SharedWord& word, std::uint32_t value) noexcept { word.publish(value); }
};

/// One round of a team on one node: the last unit to arrive calls lead(), then all return.
///
/// What each unit has written before is visible in lead(), and what lead() has written is visible to
/// each unit afterwards.
/// \param next  number of the round, from 1
template <class Waiting>
void synchronize_node(TeamControl& control, std::uint32_t next, std::uint32_t units,
                      exec::FunctionRef<void()> lead, Waiting waiting) {
  // Release: publishes the contribution. Acquire: the last unit to arrive reads all contributions; the
  // increments of the others form one release sequence.
  const std::uint32_t arrived = control.arrived.value.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (arrived == next * units) {
    lead();
    // Published with release and awaited with acquire. A unit that has not seen this round cannot miss
    // it: the next round ends only after that unit has arrived there.
    waiting.publish(control.released, next);
  } else {
    waiting.wait(control.released, [next](std::uint32_t value) { return value == next; });
  }
}

}  // namespace dash::dart
