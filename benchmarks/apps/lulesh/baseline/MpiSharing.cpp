#include "baseline/MpiSharing.h"

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

/// Computes one batch of a process.
/// \returns false if no batch remains, or if the process is in another round
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

/// Computes remaining batches of all processes.
/// \returns whether all processes have entered the round, so that no batch remains
bool MpiSharing::compute_remaining() {
  bool all_arrived = true;
  for (int i = 0; i < _units; ++i) {
    Part& theirs = part((_unit + i) % _units);
    // Read the round before computing: if the process enters the round after this load, the caller
    // checks it again.
    const std::uint64_t seen = std::atomic_ref(theirs.next).load(std::memory_order_acquire);
    all_arrived &= seen >> bits_of_batch >= _round;
    while (compute_one(theirs)) {
    }
  }
  return all_arrived;
}

void MpiSharing::compute_all() {
  Part& mine = part(_unit);
  std::atomic_ref(mine.next).store(++_round << bits_of_batch, std::memory_order_release);
  const std::atomic_ref done(mine.done);
  kernels::wait_for_stores([&] {
    // A process that has not entered the round yet may need progress of its messages by this one.
    kernels::make_progress();
    return compute_remaining() && done.load(std::memory_order_acquire) == _round * _batches;
  });
}

}  // namespace lulesh
