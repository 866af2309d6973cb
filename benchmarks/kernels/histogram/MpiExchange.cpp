#include "MpiExchange.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>

#include "support/MpiWait.h"
#include "support/UserError.h"

namespace histogram {

namespace {

/// Maximum number of pending accumulates of single keys; more would only fill queues.
constexpr std::size_t max_in_flight = 4096;

/// Maximum number of counts in an accumulate; MPICH takes several times as long per count for
/// larger ones.
constexpr std::size_t max_accumulated = 512;

using kernels::MpiMemory;

}  // namespace

MpiExchange::MpiExchange(const Options& options, kernels::World& world)
    : _world(world),
      _problem(options.problem),
      _combining(options.combining),
      _unit(world.unit()),
      _units(world.units()) {
  const auto units = static_cast<std::uint64_t>(_units);
  const std::uint64_t bins = _problem.bins() / units;
  if (bins * units == _problem.bins() && std::has_single_bit(bins)) _shift = std::countr_zero(bins);
}

std::size_t MpiExchange::first_bin(int unit) const {
  return kernels::block_begin(_problem.bins(), static_cast<std::uint64_t>(_units),
                              static_cast<std::uint64_t>(unit));
}

int MpiExchange::owner(Key key) const {
  if (_shift >= 0) return static_cast<int>(key >> _shift);
  return static_cast<int>(
      kernels::block_of(_problem.bins(), static_cast<std::uint64_t>(_units), key));
}

void MpiExchange::reset() {
  ++_round;
  // Gathering overwrites the histogram.
  if (_combining == Combining::gather) return;
  std::fill_n(own(), num_bins(_unit), 0);
  _world.barrier();
}

void MpiExchange::collect(Count* histogram) {
  std::vector<int> sizes;
  std::vector<int> displacements;
  for (int unit = 0; unit < _units; ++unit) {
    sizes.push_back(static_cast<int>(num_bins(unit)));
    displacements.push_back(static_cast<int>(first_bin(unit)));
  }
  _world.barrier();
  MPI_Gatherv(own(), static_cast<int>(num_bins(_unit)), MPI_UINT32_T, histogram, sizes.data(),
              displacements.data(), MPI_UINT32_T, 0, MPI_COMM_WORLD);
}

TwoSidedExchange::TwoSidedExchange(const Options& options, kernels::World& world)
    : MpiExchange(options, world),
      _histogram(num_bins(_unit)),
      _counts{std::vector<Count>(_problem.bins()), std::vector<Count>(_problem.bins())},
      _received(num_bins(_unit) * static_cast<std::size_t>(_units)) {
  if (_combining != Combining::gather) {
    throw kernels::UserError(
        "--by accumulate or keys with --via two-sided: messages cannot add to the memory of "
        "another "
        "process; expected --by gather");
  }
}

void TwoSidedExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  communication.time([&] { post_receives(); });
  count(keys, _counts[buffer()]);
  communication.time([&] { exchange_counts(); });
}

void TwoSidedExchange::post_receives() {
  for (int unit = 0; unit < _units; ++unit) {
    if (unit == _unit) continue;
    MPI_Irecv(received_from(unit), static_cast<int>(num_bins(_unit)), MPI_UINT32_T, unit, 0,
              MPI_COMM_WORLD, &_receives.emplace_back());
  }
}

void TwoSidedExchange::exchange_counts() {
  MPI_Waitall(static_cast<int>(_sends.size()), _sends.data(), MPI_STATUSES_IGNORE);
  _sends.clear();
  const Count* const counts = _counts[buffer()].data();
  std::vector<const Count*> parts{counts + first_bin(_unit)};
  for (int distance = 1; distance < _units; ++distance) {
    const int unit = (_unit + distance) % _units;
    MPI_Isend(counts + first_bin(unit), static_cast<int>(num_bins(unit)), MPI_UINT32_T, unit, 0,
              MPI_COMM_WORLD, &_sends.emplace_back());
    parts.push_back(received_from(unit));
  }
  MPI_Waitall(static_cast<int>(_receives.size()), _receives.data(), MPI_STATUSES_IGNORE);
  _receives.clear();
  sum(parts, _histogram);
}

RmaExchange::RmaExchange(const Options& options, kernels::World& world)
    : MpiExchange(options, world),
      _memory((num_bins(_unit) + 2 * _problem.bins()) * sizeof(Count), MpiMemory::Kind::window,
              {{"accumulate_ops", "same_op"},
               {"accumulate_ordering", "none"},
               {"same_disp_unit", "true"}}),
      _arrivals(_unit, _units),
      _fetched(num_bins(_unit) * static_cast<std::size_t>(_units)) {}

void RmaExchange::reset() {
  MpiExchange::reset();
  MPI_Win_sync(_memory.window());
}

void RmaExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  if (_combining != Combining::keys) count(keys, {counts(), _problem.bins()});
  communication.time([&] {
    if (_combining == Combining::gather) return gather();
    _combining == Combining::accumulate ? accumulate() : add_each(keys);
    barrier();
    MPI_Win_sync(_memory.window());
  });
}

void RmaExchange::barrier() {
  _arrivals.publish(0);
  _arrivals.collect([](char all, char /*each*/) { return all; });
}

/// Uses requests, which MPICH completes sooner than a flush.
void RmaExchange::gather() {
  MPI_Win_sync(_memory.window());
  barrier();
  const std::size_t size = num_bins(_unit);
  std::vector<const Count*> parts{counts() + first_bin(_unit)};
  for (int distance = 1; distance < _units; ++distance) {
    const int unit = (_unit + distance) % _units;
    Count* const to = &_fetched[static_cast<std::size_t>(unit) * size];
    const std::size_t offset = (counts_offset(unit) + first_bin(_unit)) * sizeof(Count);
    MPI_Rget(to, static_cast<int>(size), MPI_UINT32_T, unit, static_cast<MPI_Aint>(offset),
             static_cast<int>(size), MPI_UINT32_T, _memory.window(), &_gets.emplace_back());
    parts.push_back(to);
  }
  MPI_Waitall(static_cast<int>(_gets.size()), _gets.data(), MPI_STATUSES_IGNORE);
  _gets.clear();
  sum(parts, {own(), size});
}

void RmaExchange::accumulate() {
  for (int distance = 0; distance < _units; ++distance) {
    const int unit = (_unit + distance) % _units;
    for (std::size_t begin = 0; begin < num_bins(unit); begin += max_accumulated) {
      const auto size = static_cast<int>(std::min(max_accumulated, num_bins(unit) - begin));
      MPI_Accumulate(counts() + first_bin(unit) + begin, size, MPI_UINT32_T, unit,
                     static_cast<MPI_Aint>(begin * sizeof(Count)), size, MPI_UINT32_T, MPI_SUM,
                     _memory.window());
    }
  }
  _memory.flush();
}

void RmaExchange::add_each(const std::vector<Key>& keys) {
  static constexpr Count one = 1;
  std::size_t in_flight = 0;
  for (const Key key : keys) {
    const int unit = owner(key);
    MPI_Accumulate(&one, 1, MPI_UINT32_T, unit,
                   static_cast<MPI_Aint>((key - first_bin(unit)) * sizeof(Count)), 1, MPI_UINT32_T,
                   MPI_SUM, _memory.window());
    if (++in_flight % max_in_flight == 0) _memory.flush();
  }
  _memory.flush();
}

SharedExchange::SharedExchange(const Options& options, kernels::World& world)
    : MpiExchange(options, world),
      _memory(num_locks() * sizeof(Lock) + (num_bins(_unit) + 2 * _problem.bins()) * sizeof(Count),
              MpiMemory::Kind::shared),
      _arrivals(_unit, _units) {}

void SharedExchange::barrier() {
  _arrivals.publish(0);
  _arrivals.collect([](char all, char /*each*/) { return all; });
}

void SharedExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  if (_combining != Combining::keys) count(keys, {counts(_unit), _problem.bins()});
  communication.time([&] {
    if (_combining == Combining::gather) return gather();
    _combining == Combining::accumulate ? accumulate() : add_each(keys);
    barrier();
  });
}

void SharedExchange::gather() {
  barrier();
  std::vector<const Count*> parts;
  for (int distance = 0; distance < _units; ++distance)
    parts.push_back(counts((_unit + distance) % _units) + first_bin(_unit));
  sum(parts, {own(), num_bins(_unit)});
}

void SharedExchange::accumulate() {
  for (int distance = 0; distance < _units; ++distance) {
    const int unit = (_unit + distance) % _units;
    const std::span<Count> sums(block(unit), num_bins(unit));
    const Count* const added = counts(_unit) + first_bin(unit);
    for (std::size_t begin = 0; begin < sums.size(); begin += bins_of_lock) {
      const std::size_t size = std::min(bins_of_lock, sums.size() - begin);
      add(locks(unit)[begin / bins_of_lock], added + begin, sums.subspan(begin, size));
    }
  }
}

void SharedExchange::add(Lock& lock, const Count* added, std::span<Count> sums) {
  kernels::wait_for_stores(
      [&] { return !lock.is_taken.exchange(true, std::memory_order_acquire); });
  std::transform(sums.begin(), sums.end(), added, sums.begin(), std::plus<>());
  lock.is_taken.store(false, std::memory_order_release);
}

void SharedExchange::add_each(const std::vector<Key>& keys) {
  for (const Key key : keys) {
    const int unit = owner(key);
    std::atomic_ref<Count>(block(unit)[key - first_bin(unit)])
        .fetch_add(1, std::memory_order_relaxed);
  }
}

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, kernels::World& world,
                                            const std::string& via) {
  if (via == "rma") return std::make_unique<RmaExchange>(options, world);
  if (via == "shared") return std::make_unique<SharedExchange>(options, world);
  return std::make_unique<TwoSidedExchange>(options, world);
}

}  // namespace histogram
