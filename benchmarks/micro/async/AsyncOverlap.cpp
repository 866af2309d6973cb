// dash-bench: units=2 layouts=node,nolocal,tcp quick=node,nolocal
//
// Whether a copy proceeds while the unit that started it computes and its peer sleeps: copies back
// to back, each started, then a computation in registers, then waited for, against the computation
// alone. The computation takes 1.2 times (units on one node) or 4 times (on two nodes, where two
// progress threads share the processor that is left) as long as the raw transfer. Then the same for
// one copy after a second in which nobody did anything, so that all threads of the library sleep and
// nothing is cached; the raw transfer that gives the length of the computation was idle, too.

#include <dash/Array.h>
#include <dash/algorithm/Copy.h>
#include <dash/dart/Access.h>
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "support/Effort.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t largest = 16 * mib;
/// Total over computation, on a node and between nodes.
constexpr double allowed_on_node = 1.03;
constexpr double allowed_between_nodes = 1.08;
constexpr int rounds = 31;
constexpr int rounds_after_idling = 7;
constexpr std::chrono::seconds idling{1};
/// A measurement whose raw transfer has drifted from its calibration is repeated, so many times.
constexpr int attempts = 6;
constexpr long allowed_drift_percent = 15;
/// What a sample should take.
constexpr double sample_ns = 8e6;

using Array = dash::Array<char>;
enum class Direction { get, put };

/// One transfer between the buffer of unit 0 and memory of unit 1, in each of its forms.
class Transfers {
 public:
  /// \param first  the begin of the memory of unit 1
  Transfers(Array::iterator first, MPI_Win window, Direction direction, std::size_t nbytes)
      : _gets(direction == Direction::get),
        _nbytes(nbytes),
        _first(first),
        _mapped(static_cast<char*>(dash::dart::on_node_address(first.dart_gptr(), nbytes))),
        _window(window),
        _own(nbytes, 1) {}

  template <class Meanwhile>
  void copy_while(const Meanwhile& meanwhile) {
    if (_gets) {
      auto copy = dash::copy_async(_first, _first + _nbytes, _own.data());
      meanwhile();
      copy.wait();
    } else {
      auto copy = dash::copy_async(_own.data(), _own.data() + _nbytes, _first);
      meanwhile();
      copy.wait();
    }
  }

  template <class Meanwhile>
  void copy_by_mpi_while(const Meanwhile& meanwhile) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (_gets) {
      MPI_Rget(_own.data(), count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window, &request);
    } else {
      MPI_Rput(_own.data(), count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window, &request);
    }
    meanwhile();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!_gets) MPI_Win_flush(target, _window);
  }

  /// The least that it can take, nobody computing: memcpy, or MPI if the memory is not mapped.
  void raw() {
    if (_mapped != nullptr) {
      std::memcpy(_gets ? _own.data() : _mapped, _gets ? _mapped : _own.data(), _nbytes);
      keep_memory(_own.data());
    } else if (_gets) {
      MPI_Get(_own.data(), count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window);
      MPI_Win_flush(target, _window);
    } else {
      MPI_Put(_own.data(), count(), MPI_BYTE, target, 0, count(), MPI_BYTE, _window);
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
  std::vector<char> _own;
};

/// Takes samples on unit 0 of doing `each` again and again, after one time that is not counted.
template <class Each>
Contestant back_to_back(Peers peers, Each each) {
  const auto sample = [=](long repetitions) {
    return alone(peers, [=] {
      each();
      return time_each(repetitions, [=](long) { each(); });
    });
  };
  const long repetitions = repetitions_within(sample_ns, sample(3));
  return [=] { return sample(repetitions); };
}

Peers attentive(const World& world) {
  return world.on_one_node() ? Peers::asleep : Peers::in_mpi;
}

double computation_over_raw(const World& world) {
  return world.on_one_node() ? 1.2 : 4;
}

/// Iterations of compute() that take as long as the copy is to be hidden in.
/// \param raw  the transfer alone
std::uint64_t iterations_for(const World& world, int samples, const Contestant& raw) {
  const double raw_ns = median(interleave(samples, {raw})[0]);
  return static_cast<std::uint64_t>(from_first_unit(
      std::lround(computation_over_raw(world) * raw_ns / measure_ns_per_iteration())));
}

void measure_overlap(const World& world, Transfers transfers, const char* name, std::size_t nbytes,
                     Table& table) {
  const double factor = computation_over_raw(world);
  const double allowed = world.on_one_node() ? allowed_on_node : allowed_between_nodes;

  // The processors move (one round trip between them takes 0.06 us at one time, 0.5 us at another):
  // a computation calibrated before a move is of the wrong length after it.
  std::vector<Samples> samples;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto raw = back_to_back(attentive(world), [&] { transfers.raw(); });
    const std::uint64_t iterations = iterations_for(world, rounds, raw);
    const auto computation = [=] { compute(iterations); };
    samples = interleave(
        rounds,
        {back_to_back(Peers::asleep, computation),
         back_to_back(Peers::asleep, [&] { transfers.copy_while(computation); }),
         back_to_back(Peers::in_mpi, [&] { transfers.copy_by_mpi_while(computation); }), raw});
    const double drift = factor * median(samples[3]) / median(samples[0]);
    if (std::abs(from_first_unit(std::lround(100 * drift)) - 100L) <= allowed_drift_percent) break;
  }
  if (!world.leads()) return;

  const std::string alone_time = duration(median(samples[0]));
  const auto row = [&](const std::string& what, const Samples& times) {
    return with_figures({what, size_of(nbytes), duration(median(times)), "computation alone",
                         alone_time, ratio(spread(ratios(times, samples[0])))},
                        {times, samples[0]});
  };
  Row ours = row(fmt::format("{} and computation", name), samples[1]);
  ours.bar = fmt::format("<= {}", allowed);
  ours.met = median(ratios(samples[1], samples[0])) <= allowed;
  table.add(ours);
  table.add(row(fmt::format("  MPI_R{} and computation", name), samples[2]));
  table.add(row("  the raw transfer alone", samples[3]));
}

/// One sample of `what` on unit 0, after it has idled.
template <class What>
Contestant after_idling(Peers peers, What what) {
  return [=] {
    return alone(peers, [=] {
      std::this_thread::sleep_for(idling);
      return time_each(1, [=](long) { what(); });
    });
  };
}

/// \param allowed  0 if nothing is asked
void measure_after_idling(const World& world, Transfers transfers, const char* name,
                          std::size_t nbytes, double allowed, Table& table) {
  const auto raw = after_idling(attentive(world), [&] { transfers.raw(); });
  const std::uint64_t iterations = iterations_for(world, rounds_after_idling, raw);
  const auto computation = [=] { compute(iterations); };
  const std::vector<Samples> samples =
      interleave(rounds_after_idling,
                 {after_idling(Peers::asleep, computation),
                  after_idling(Peers::asleep, [&] { transfers.copy_while(computation); })});
  if (!world.leads()) return;
  const Spread ours = spread(ratios(samples[1], samples[0]));
  Row row{fmt::format("{} after a second of idling", name),
          size_of(nbytes),
          duration(median(samples[1])),
          "computation alone",
          duration(median(samples[0])),
          ratio(ours)};
  row.figures = {samples[1], samples[0]};
  if (allowed != 0) {
    row.bar = fmt::format("<= {}", allowed);
    row.met = ours.median <= allowed;
  }
  table.add(row);
}

void measure_all_after_idling(const World& world, Array::iterator first, MPI_Win window,
                              Table& table) {
  for (const auto& [nbytes, allowed] :
       {std::pair(mib, 0.0), std::pair(4 * mib, 1.15), std::pair(largest, 1.05)}) {
    const Transfers get(first, window, Direction::get, nbytes);
    const Transfers put(first, window, Direction::put, nbytes);
    measure_after_idling(world, get, "get", nbytes, allowed, table);
    measure_after_idling(world, put, "put", nbytes, allowed, table);
  }
}

void measure(const World& world) {
  if (world.units() != 2) throw std::runtime_error("needs two units");
  Array array(2 * largest);
  const MpiWindow window(largest);
  const auto first = array.begin() + target * largest;
  Table table;
  for (const std::size_t nbytes : {mib, 4 * mib, largest}) {
    measure_overlap(world, {first, window.get(), Direction::get, nbytes}, "get", nbytes, table);
    measure_overlap(world, {first, window.get(), Direction::put, nbytes}, "put", nbytes, table);
  }
  if (effort() == Effort::full) measure_all_after_idling(world, first, window.get(), table);
  if (!world.leads()) return;
  table.note(
      fmt::format("Measured again, at most {} times, while the raw transfer drifts from its "
                  "calibration by more "
                  "than {} %.",
                  attempts, allowed_drift_percent));
  if (world.on_one_node()) {
    table.note("The raw transfer is memcpy.");
  } else {
    table.note("The raw transfer is MPI_Get or MPI_Put and a flush, the target in MPI_Barrier.");
    table.note("The library's thread polls MPI now and then, which helps MPI_Rget and MPI_Rput.");
  }
  table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
