#include "MpiExchange.h"

#include <algorithm>
#include <atomic>
#include <functional>

#include "support/UserError.h"

namespace histogram {

namespace {

/// Single accumulates that are on their way: more of them only fill queues.
constexpr std::size_t most_in_flight = 4096;

using kernels::MpiMemory;

}  // namespace

MpiExchange::MpiExchange(const Options& options, const kernels::World& world)
    : _problem(options.problem),
      _combining(options.combining),
      _unit(world.unit()),
      _units(world.units()) {}

std::size_t MpiExchange::first_bin(int unit) const {
  return kernels::block_begin(_problem.bins(), static_cast<std::uint64_t>(_units),
                              static_cast<std::uint64_t>(unit));
}

int MpiExchange::owner(Key key) const {
  return static_cast<int>(
      kernels::block_of(_problem.bins(), static_cast<std::uint64_t>(_units), key));
}

void MpiExchange::reset() {
  std::fill_n(own(), num_bins(_unit), 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

void MpiExchange::add_to_own(const Count* counts) {
  std::transform(counts, counts + num_bins(_unit), own(), own(), std::plus<>());
}

void MpiExchange::collect(Count* histogram) {
  std::vector<int> sizes;
  std::vector<int> places;
  for (int unit = 0; unit < _units; ++unit) {
    sizes.push_back(static_cast<int>(num_bins(unit)));
    places.push_back(static_cast<int>(first_bin(unit)));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Gatherv(own(), static_cast<int>(num_bins(_unit)), MPI_UINT32_T, histogram, sizes.data(),
              places.data(), MPI_UINT32_T, 0, MPI_COMM_WORLD);
}

TwoSidedExchange::TwoSidedExchange(const Options& options, const kernels::World& world)
    : MpiExchange(options, world),
      _histogram(num_bins(_unit)),
      _counts(_problem.bins()),
      _received(num_bins(_unit) * static_cast<std::size_t>(_units)) {
  if (_combining != Combining::gather) {
    throw kernels::UserError(
        "--by accumulate or keys with --via two-sided: nobody adds to another process's memory by "
        "messages; expected --by gather");
  }
}

void TwoSidedExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  count(keys, _counts);
  communication.time([&] { send(); });
}

void TwoSidedExchange::send() {
  const std::size_t size = num_bins(_unit);
  std::vector<MPI_Request> receives(static_cast<std::size_t>(_units), MPI_REQUEST_NULL);
  std::vector<MPI_Request> sends(static_cast<std::size_t>(_units), MPI_REQUEST_NULL);
  for (int unit = 0; unit < _units; ++unit) {
    if (unit == _unit) continue;
    const auto i = static_cast<std::size_t>(unit);
    MPI_Irecv(&_received[i * size], static_cast<int>(size), MPI_UINT32_T, unit, 0, MPI_COMM_WORLD,
              &receives[i]);
    MPI_Isend(_counts.data() + first_bin(unit), static_cast<int>(num_bins(unit)), MPI_UINT32_T,
              unit, 0, MPI_COMM_WORLD, &sends[i]);
  }
  add_to_own(_counts.data() + first_bin(_unit));
  for (int left = _units - 1; left > 0; --left) {
    int unit = 0;
    MPI_Waitany(_units, receives.data(), &unit, MPI_STATUS_IGNORE);
    add_to_own(&_received[static_cast<std::size_t>(unit) * size]);
  }
  MPI_Waitall(_units, sends.data(), MPI_STATUSES_IGNORE);
}

RmaExchange::RmaExchange(const Options& options, const kernels::World& world)
    : MpiExchange(options, world),
      _memory((num_bins(_unit) + _problem.bins()) * sizeof(Count), MpiMemory::Kind::window),
      _fetched(num_bins(_unit) * static_cast<std::size_t>(_units)) {}

void RmaExchange::reset() {
  MpiExchange::reset();
  MPI_Win_sync(_memory.window());
}

void RmaExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  if (_combining == Combining::keys) return add_each(keys);
  count(keys, {counts(), _problem.bins()});
  communication.time([&] { _combining == Combining::gather ? gather() : accumulate(); });
}

void RmaExchange::gather() {
  MPI_Win_sync(_memory.window());
  MPI_Barrier(MPI_COMM_WORLD);
  const std::size_t size = num_bins(_unit);
  std::vector<MPI_Request> gets(static_cast<std::size_t>(_units), MPI_REQUEST_NULL);
  for (int unit = 0; unit < _units; ++unit) {
    if (unit == _unit || size == 0) continue;
    const auto i = static_cast<std::size_t>(unit);
    const auto place = counts_place(unit) + static_cast<MPI_Aint>(first_bin(_unit) * sizeof(Count));
    MPI_Rget(&_fetched[i * size], static_cast<int>(size), MPI_UINT32_T, unit, place,
             static_cast<int>(size), MPI_UINT32_T, _memory.window(), &gets[i]);
  }
  add_to_own(counts() + first_bin(_unit));
  for (int left = size == 0 ? 0 : _units - 1; left > 0; --left) {
    int unit = 0;
    MPI_Waitany(_units, gets.data(), &unit, MPI_STATUS_IGNORE);
    add_to_own(&_fetched[static_cast<std::size_t>(unit) * size]);
  }
}

void RmaExchange::accumulate() {
  for (int unit = 0; unit < _units; ++unit) {
    const int size = static_cast<int>(num_bins(unit));
    MPI_Accumulate(counts() + first_bin(unit), size, MPI_UINT32_T, unit, 0, size, MPI_UINT32_T,
                   MPI_SUM, _memory.window());
  }
  MPI_Win_flush_all(_memory.window());
}

void RmaExchange::add_each(const std::vector<Key>& keys) {
  static constexpr Count one = 1;
  std::size_t in_flight = 0;
  for (const Key key : keys) {
    const int unit = owner(key);
    MPI_Accumulate(&one, 1, MPI_UINT32_T, unit,
                   static_cast<MPI_Aint>((key - first_bin(unit)) * sizeof(Count)), 1, MPI_UINT32_T,
                   MPI_SUM, _memory.window());
    if (++in_flight % most_in_flight == 0) MPI_Win_flush_all(_memory.window());
  }
  MPI_Win_flush_all(_memory.window());
}

SharedExchange::SharedExchange(const Options& options, const kernels::World& world)
    : MpiExchange(options, world),
      _memory((num_bins(_unit) + _problem.bins()) * sizeof(Count), MpiMemory::Kind::shared) {}

void SharedExchange::add(const std::vector<Key>& keys, kernels::Stopwatch& communication) {
  if (_combining == Combining::keys) return add_each(keys);
  count(keys, {counts(_unit), _problem.bins()});
  communication.time([&] { _combining == Combining::gather ? gather() : accumulate(); });
}

void SharedExchange::gather() {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int unit = 0; unit < _units; ++unit)
    add_to_own(counts(unit) + first_bin(_unit));
}

void SharedExchange::accumulate() {
  for (int unit = 0; unit < _units; ++unit) {
    for (std::size_t bin = 0; bin < num_bins(unit); ++bin) {
      std::atomic_ref<Count>(part(unit)[bin])
          .fetch_add(counts(_unit)[first_bin(unit) + bin], std::memory_order_relaxed);
    }
  }
}

void SharedExchange::add_each(const std::vector<Key>& keys) {
  for (const Key key : keys) {
    const int unit = owner(key);
    std::atomic_ref<Count>(part(unit)[key - first_bin(unit)])
        .fetch_add(1, std::memory_order_relaxed);
  }
}

std::unique_ptr<Exchange> make_mpi_exchange(const Options& options, const kernels::World& world,
                                            const std::string& via) {
  if (via == "rma") return std::make_unique<RmaExchange>(options, world);
  if (via == "shared") return std::make_unique<SharedExchange>(options, world);
  return std::make_unique<TwoSidedExchange>(options, world);
}

}  // namespace histogram
