#include "MpiSharing.h"

#include <atomic>

#include "support/MpiWait.h"

namespace lulesh {

namespace {

constexpr int bits_of_batch = 32;
constexpr std::uint64_t mask_of_batch = (std::uint64_t{1} << bits_of_batch) - 1;

}  // namespace

MpiSharing::MpiSharing(std::size_t batches, int unit, int units)
    : _batches(batches),
      _unit(unit),
      _units(units),
      _memory(sizeof(Part) + batches * sizeof(MaterialBatch), kernels::MpiMemory::Kind::shared) {}

std::span<MaterialBatch> MpiSharing::own() {
  return {part(_unit).batches(), _batches};
}

/// \returns false if the part has none left, or is in another round
bool MpiSharing::compute_one(Part& part) {
  const std::atomic_ref next(part.next);
  std::uint64_t seen = next.load(std::memory_order_acquire);
  do {
    if (seen >> bits_of_batch != _round || (seen & mask_of_batch) >= _batches) return false;
  } while (!next.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire));
  compute(part.batches()[seen & mask_of_batch]);
  std::atomic_ref(part.done).fetch_add(1, std::memory_order_release);
  return true;
}

/// \returns false if there may be more: somebody has yet to come to the round
bool MpiSharing::compute_what_is_left() {
  bool are_all_there = true;
  for (int i = 0; i < _units; ++i) {
    Part& theirs = part((_unit + i) % _units);
    // Before its batches: who comes after that is looked at again.
    const std::uint64_t seen = std::atomic_ref(theirs.next).load(std::memory_order_acquire);
    are_all_there &= seen >> bits_of_batch >= _round;
    while (compute_one(theirs)) {
    }
  }
  return are_all_there;
}

void MpiSharing::compute_all() {
  Part& mine = part(_unit);
  std::atomic_ref(mine.next).store(++_round << bits_of_batch, std::memory_order_release);
  const std::atomic_ref done(mine.done);
  kernels::wait_for_stores([&] {
    // Who is late may wait for the rest of a message.
    kernels::make_progress();
    return compute_what_is_left() && done.load(std::memory_order_acquire) == _round * _batches;
  });
}

}  // namespace lulesh
