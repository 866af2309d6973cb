#include "MpiSearch.h"

#include <algorithm>
#include <cstddef>
#include <thread>

namespace min_element {

namespace {

using kernels::MpiMemory;

Minimum earlier(const Minimum& a, const Minimum& b) {
  return is_before(b, a) ? b : a;
}

/// Returns when the slot is of the call.
template <class Help>
Minimum wait_for(Slot& slot, unsigned call, const Help& help) {
  const std::atomic_ref<unsigned> arrived(slot.call);
  for (int spins = 0; arrived.load(std::memory_order_acquire) != call; ++spins)
    help(spins);
  return slot.minimum;
}

}  // namespace

MpiSearch::MpiSearch(const Problem& problem, const kernels::World& world)
    : _unit(world.unit()), _units(world.units()) {
  const auto begin = [&](int unit) {
    return kernels::block_begin(problem.elements(), static_cast<std::uint64_t>(_units),
                                static_cast<std::uint64_t>(unit));
  };
  _first = begin(_unit);
  _elements.resize(begin(_unit + 1) - _first);
}

Minimum MpiSearch::find(kernels::Stopwatch& communication) {
  const Minimum of_own = minimum_of(own(), _first);
  return communication.time([&] { return agree(of_own); });
}

TwoSidedSearch::TwoSidedSearch(const Problem& problem, const kernels::World& world)
    : MpiSearch(problem, world), _all(static_cast<std::size_t>(_units)) {}

Minimum TwoSidedSearch::agree(const Minimum& of_own) {
  MPI_Allgather(&of_own, sizeof of_own, MPI_BYTE, _all.data(), sizeof of_own, MPI_BYTE,
                MPI_COMM_WORLD);
  return *std::min_element(_all.begin(), _all.end(), is_before);
}

RmaSearch::RmaSearch(const Problem& problem, const kernels::World& world)
    : MpiSearch(problem, world),
      _memory(2 * sizeof(Slot) * static_cast<std::size_t>(_units), MpiMemory::Kind::window) {}

Minimum RmaSearch::agree(const Minimum& of_own) {
  const std::size_t turn = ++_call & 1;
  Slot& sent = _sent[turn];
  sent = {of_own, _call};
  const auto place = static_cast<MPI_Aint>(
      (turn * static_cast<std::size_t>(_units) + static_cast<std::size_t>(_unit)) * sizeof(Slot));
  for (int unit = 0; unit < _units; ++unit) {
    if (unit == _unit) continue;
    MPI_Put(&sent.minimum, sizeof sent.minimum, MPI_BYTE, unit, place, sizeof sent.minimum,
            MPI_BYTE, _memory.window());
  }
  // The number of the call comes behind the minimum.
  MPI_Win_flush_all(_memory.window());
  for (int unit = 0; unit < _units; ++unit) {
    if (unit == _unit) continue;
    MPI_Put(&sent.call, 1, MPI_UNSIGNED, unit, place + static_cast<MPI_Aint>(offsetof(Slot, call)),
            1, MPI_UNSIGNED, _memory.window());
  }
  const auto help = [](int spins) {
    int is_there = 0;
    if (spins % 16 == 15)
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  };
  Minimum least = of_own;
  Slot* const slots = _memory.local<Slot>() + turn * static_cast<std::size_t>(_units);
  for (int unit = 0; unit < _units; ++unit) {
    if (unit != _unit) least = earlier(least, wait_for(slots[unit], _call, help));
  }
  return least;
}

SharedSearch::SharedSearch(const Problem& problem, const kernels::World& world)
    : MpiSearch(problem, world), _memory(2 * sizeof(Slot), MpiMemory::Kind::shared) {}

Minimum SharedSearch::agree(const Minimum& of_own) {
  const std::size_t turn = ++_call & 1;
  Slot& own = _memory.local<Slot>()[turn];
  own.minimum = of_own;
  std::atomic_ref<unsigned>(own.call).store(_call, std::memory_order_release);
  const auto help = [](int spins) {
    if (spins > 1000) std::this_thread::yield();
  };
  Minimum least = of_own;
  for (int unit = 0; unit < _units; ++unit) {
    if (unit != _unit) least = earlier(least, wait_for(_memory.of<Slot>(unit)[turn], _call, help));
  }
  return least;
}

std::unique_ptr<Search> make_mpi_search(const Problem& problem, const kernels::World& world,
                                        const std::string& via) {
  if (via == "rma") return std::make_unique<RmaSearch>(problem, world);
  if (via == "shared") return std::make_unique<SharedSearch>(problem, world);
  return std::make_unique<TwoSidedSearch>(problem, world);
}

}  // namespace min_element
