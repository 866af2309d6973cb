// dash-bench: units=2 layouts=node,nolocal,tcp quick=node,nolocal study=auto,thread,poll,ranks,mpich-thread
//
// Overlap of copies with computation, while the peer sleeps. A sample starts a copy, computes in registers
// and waits for the copy; its time is compared with that of the computation alone. The computation takes
// 1.2 times as long as the raw transfer (units on one node) or 4 times (on two nodes, where two progress
// threads share the remaining processor).
//
// Then the same for one copy after one second in which no unit has called the library, so that all its
// threads sleep and caches are cold. The raw transfer that determines the length of the computation follows
// such a second, too.

#include <dash/Array.h>
#include <dash/algorithm/Copy.h>
#include <dash/dart/Access.h>
#include <dash/dart/Placement.h>
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/Measure.h"
#include "support/Sampling.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t largest = 16 * mib;
/// Bounds on the total time divided by that of the computation, on a node and between nodes.
constexpr double allowed_on_node = 1.03;
constexpr double allowed_between_nodes = 1.08;
constexpr int rounds = 31;
constexpr int rounds_after_idling = 7;
constexpr std::chrono::seconds idling{1};
/// A measurement is repeated, up to this number of attempts, while its raw transfer has drifted from the
/// calibration.
constexpr int max_attempts = 6;
constexpr long allowed_drift_percent = 15;
/// The intended duration of a sample.
constexpr double sample_ns = 8e6;

using Array = dash::Array<char>;
enum class Direction { get, put };

/// A transfer between the local part of unit 0 and memory of unit 1, in all its variants.
class Transfers {
 public:
  /// \param first  the start of the memory of unit 1
  /// \param own    `nbytes` bytes of unit 0
  Transfers(Array::iterator first, char* own, MPI_Win window, Direction direction,
            std::size_t nbytes)
      : _gets(direction == Direction::get),
        _nbytes(nbytes),
        _first(first),
        _mapped(static_cast<char*>(dash::dart::on_node_address(first.dart_gptr(), nbytes))),
        _window(window),
        _own(own) {}

  template <class Computation>
  void overlap_copy(const Computation& computation) {
    if (_gets) {
      auto copy = dash::copy_async(_first, _first + _nbytes, _own);
      computation();
      copy.wait();
    } else {
      auto copy = dash::copy_async(_own, _own + _nbytes, _first);
      computation();
      copy.wait();
    }
  }

  template <class Computation>
  void overlap_mpi(const Computation& computation) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (_gets) {
      MPI_Rget(_own, count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window, &request);
    } else {
      MPI_Rput(_own, count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window, &request);
    }
    computation();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!_gets) MPI_Win_flush(target, _window);
  }

  /// The lower bound of the transfer time: memcpy, or blocking MPI calls if the memory is not mapped.
  void transfer_raw() {
    if (_mapped != nullptr) {
      std::memcpy(_gets ? _own : _mapped, _gets ? _mapped : _own, _nbytes);
      clobber_memory(_own);
    } else if (_gets) {
      MPI_Get(_own, count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window);
      MPI_Win_flush(target, _window);
    } else {
      MPI_Put(_own, count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window);
      MPI_Win_flush(target, _window);
    }
  }

 private:
  int count() const { return static_cast<int>(_nbytes); }

  bool _gets;
  std::size_t _nbytes;
  Array::iterator _first;
  char* _mapped;
  MPI_Win _window;
  char* _own;
};

/// Takes samples on unit 0 of repetitions of `each`, after a warm-up call.
template <class Each>
Candidate back_to_back(PeerWait peer_wait, Each each) {
  const auto sample = [=](long repetitions) {
    return measure_on_first_unit(peer_wait, [=] {
      each();
      return measure_ns_per_call(repetitions, [=](long) { each(); });
    });
  };
  const long repetitions = repetitions_within(sample_ns, sample(3));
  return [=] { return sample(repetitions); };
}

/// How the peer waits during a raw transfer: for MPI, it must make progress.
PeerWait peer_wait_of_raw_transfer(const World& world) {
  return world.on_one_node() ? PeerWait::dart_barrier : PeerWait::mpi_barrier;
}

double computation_over_raw(const World& world) {
  return world.on_one_node() ? 1.2 : 4;
}

/// \returns the number of iterations of compute() whose time should hide the copy
/// \param raw  the transfer alone
std::uint64_t iterations_for(const World& world, int samples, const Candidate& raw) {
  const double raw_ns = median(interleave(samples, {raw})[0]);
  return static_cast<std::uint64_t>(broadcast_from_first_unit(
      std::lround(computation_over_raw(world) * raw_ns / measure_ns_per_iteration())));
}

void measure_overlap(const World& world, Transfers transfers, const char* name, std::size_t nbytes,
                     Table& table) {
  const double factor = computation_over_raw(world);
  const double allowed = world.on_one_node() ? allowed_on_node : allowed_between_nodes;

  // The hypervisor moves the virtual processors: a round trip between them takes 0.06 us at one time, 0.5
  // us at another. A computation that was calibrated before a move has the wrong length after it.
  std::vector<Samples> samples;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    const auto raw =
        back_to_back(peer_wait_of_raw_transfer(world), [&] { transfers.transfer_raw(); });
    const std::uint64_t iterations = iterations_for(world, rounds, raw);
    const auto computation = [=] { compute(iterations); };
    samples = interleave(
        rounds,
        {back_to_back(PeerWait::dart_barrier, computation),
         back_to_back(PeerWait::dart_barrier, [&] { transfers.overlap_copy(computation); }),
         back_to_back(PeerWait::mpi_barrier, [&] { transfers.overlap_mpi(computation); }), raw});
    const double drift = factor * median(samples[3]) / median(samples[0]);
    if (std::abs(broadcast_from_first_unit(std::lround(100 * drift)) - 100L) <=
        allowed_drift_percent)
      break;
  }
  if (!world.is_first_unit()) return;

  const std::string alone_time = format_duration(median(samples[0]));
  const auto row = [&](const std::string& row_name, const Samples& times) {
    return with_figures(
        {row_name, format_size(nbytes), format_duration(median(times)), "computation alone",
         alone_time, format_ratio(spread(ratios(times, samples[0])))},
        {times, samples[0]});
  };
  Row ours = row(fmt::format("{} and computation", name), samples[1]);
  ours.goal = fmt::format("<= {}", allowed);
  ours.met = median(ratios(samples[1], samples[0])) <= allowed;
  table.add(ours);
  table.add(row(fmt::format("  MPI_R{} and computation", name), samples[2]));
  table.add(row("  raw transfer alone", samples[3]));
}

/// Takes one sample of `action` on unit 0, after an idle second.
template <class Action>
Candidate after_idling(PeerWait peer_wait, Action action) {
  return [=] {
    return measure_on_first_unit(peer_wait, [=] {
      std::this_thread::sleep_for(idling);
      return measure_ns_per_call(1, [=](long) { action(); });
    });
  };
}

/// \param allowed  the bound on the ratio; 0: no goal
void measure_after_idling(const World& world, Transfers transfers, const char* name,
                          std::size_t nbytes, double allowed, Table& table) {
  const auto raw =
      after_idling(peer_wait_of_raw_transfer(world), [&] { transfers.transfer_raw(); });
  const std::uint64_t iterations = iterations_for(world, rounds_after_idling, raw);
  const auto computation = [=] { compute(iterations); };
  const std::vector<Samples> samples = interleave(
      rounds_after_idling,
      {after_idling(PeerWait::dart_barrier, computation),
       after_idling(PeerWait::dart_barrier, [&] { transfers.overlap_copy(computation); })});
  if (!world.is_first_unit()) return;
  const Spread ours = spread(ratios(samples[1], samples[0]));
  Row row{fmt::format("{} after an idle second", name), format_size(nbytes),
          format_duration(median(samples[1])),          "computation alone",
          format_duration(median(samples[0])),          format_ratio(ours)};
  row.figures = {samples[1], samples[0]};
  if (allowed != 0) {
    row.goal = fmt::format("<= {}", allowed);
    row.met = ours.median <= allowed;
  }
  table.add(row);
}

void measure_all_after_idling(const World& world, Array::iterator first, char* own, MPI_Win window,
                              Table& table) {
  for (const auto& [nbytes, allowed] :
       {std::pair(mib, 0.0), std::pair(4 * mib, 1.15), std::pair(largest, 1.05)}) {
    const Transfers get(first, own, window, Direction::get, nbytes);
    const Transfers put(first, own, window, Direction::put, nbytes);
    measure_after_idling(world, get, "get", nbytes, allowed, table);
    measure_after_idling(world, put, "put", nbytes, allowed, table);
  }
}

void measure(const World& world) {
  if (world.units() != 2) throw std::runtime_error("this benchmark needs two units");
  Array array(2 * largest);
  const MpiWindow window(largest);
  const auto first = array.begin() + target * largest;
  char* const own = array.lbegin();
  std::memset(own, 1, largest);
  Table table;
  for (const std::size_t nbytes : {mib, 4 * mib, largest}) {
    measure_overlap(world, {first, own, window.get(), Direction::get, nbytes}, "get", nbytes,
                    table);
    measure_overlap(world, {first, own, window.get(), Direction::put, nbytes}, "put", nbytes,
                    table);
  }
  if (sampling() == Sampling::full)
    measure_all_after_idling(world, first, own, window.get(), table);
  if (!world.is_first_unit()) return;
  table.add_note(
      fmt::format("Measurements are repeated, up to {} times, while the raw transfer drifts from "
                  "its calibration "
                  "by more than {} %.",
                  max_attempts, allowed_drift_percent));
  if (world.on_one_node()) {
    table.add_note("The raw transfer is memcpy.");
  } else {
    table.add_note(
        "The raw transfer is MPI_Get or MPI_Put and a flush, with the target in MPI_Barrier.");
    if (dash::dart::placement().progress == std::string_view("thread")) {
      table.add_note(
          "The library's progress thread polls MPI periodically, which also progresses "
          "MPI_Rget and MPI_Rput.");
    }
  }
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
