// dash-bench: units=2 layouts=node,nolocal
//
// Non-blocking collective operations compared with those of MPI: started and waited for, with many pending,
// and overlapped with a computation. Started and waited for, they are also compared with blocking ones
// (docs/decisions/018-two-schedules-of-collectives.md).

#include <dash/Collectives.h>
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

/// The intended duration of a sample.
constexpr double sample_ns = 2e6;
constexpr std::size_t elements = std::size_t{1} << 17;
constexpr std::size_t num_pending = 64;

/// Makes a candidate of an action of all units. The number of repetitions makes a sample take `sample_ns`.
template <class Action>
Candidate make_candidate(Action action) {
  action();
  const double each_ns = measure_ns_per_call(5, [&](long) { action(); });
  const long repetitions = broadcast_from_first_unit(repetitions_within(sample_ns, each_ns));
  return [=] { return measure_ns_per_call(repetitions, [&](long) { action(); }); };
}

void compare_latency(const std::string& size, Table& table) {
  const auto barrier = make_candidate([] { dash::barrier_async().wait(); });
  const auto mpi_barrier = make_candidate([] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  table.add(make_row("barrier_async, wait", size, "MPI_Ibarrier, MPI_Wait",
                     compare(barrier, mpi_barrier), ratio_at_most(1.2)));
  const auto sum = make_candidate(
      [] { do_not_optimize(dash::allreduce_async(1.0, dash::plus<double>()).get()); });
  const auto mpi_sum = make_candidate([] {
    double value = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    do_not_optimize(value);
  });
  table.add(make_row("allreduce_async 8 B, get", size, "MPI_Iallreduce, MPI_Wait",
                     compare(sum, mpi_sum), ratio_at_most(1.2)));
  const auto many = make_candidate([] {
    std::array<dash::Future<double>, num_pending> futures;
    for (auto& future : futures)
      future = dash::allreduce_async(1.0, dash::plus<double>());
    for (auto& future : futures)
      do_not_optimize(future.get());
  });
  const auto mpi_many = make_candidate([] {
    std::array<double, num_pending> values{};
    std::array<MPI_Request, num_pending> requests{};
    for (std::size_t i = 0; i < num_pending; ++i) {
      MPI_Iallreduce(MPI_IN_PLACE, &values[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                     &requests[i]);
    }
    MPI_Waitall(num_pending, requests.data(), MPI_STATUSES_IGNORE);
  });
  table.add(make_row(fmt::format("{} pending allreduce_async 8 B", num_pending), size,
                     "MPI_Iallreduce, MPI_Waitall", compare(many, mpi_many)));
}

/// The two schedules of collective operations.
void compare_schedules(const std::string& size, Table& table) {
  const auto started_barrier = make_candidate([] { dash::barrier_async().wait(); });
  const auto barrier = make_candidate([] { dart_barrier(DART_TEAM_ALL); });
  table.add(
      make_row("barrier_async, wait", size, "dart_barrier", compare(started_barrier, barrier)));
  for (const std::size_t nbytes :
       {std::size_t{8}, std::size_t{1} << 10, std::size_t{64} << 10, std::size_t{1} << 20}) {
    const std::size_t n = nbytes / sizeof(double);
    std::vector<double> values(n, 1.0);
    std::vector<double> result(n);
    const auto started = make_candidate([&] {
      dash::allreduce_async(values.data(), result.data(), n, dash::plus<double>()).wait();
    });
    const auto blocking = make_candidate([&] {
      check(dart_allreduce(values.data(), result.data(), n, DART_TYPE_DOUBLE, DART_OP_SUM,
                           DART_TEAM_ALL));
    });
    table.add(make_row(fmt::format("allreduce_async {}, wait", format_size(nbytes)), size,
                       "dart_allreduce", compare(started, blocking)));
  }
}

void compare_overlap(const std::string& size, Table& table) {
  static std::vector<double> values(elements, 1.0);
  static std::vector<double> result(elements);
  const auto overlap_allreduce = [](const auto& computation) {
    auto future =
        dash::allreduce_async(values.data(), result.data(), elements, dash::max<double>());
    computation();
    future.get();
  };
  const auto overlap_mpi_allreduce = [](const auto& computation) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(values.data(), result.data(), static_cast<int>(elements), MPI_DOUBLE, MPI_MAX,
                   MPI_COMM_WORLD, &request);
    computation();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  const auto nothing = [] {};
  const auto large = make_candidate([=] { overlap_allreduce(nothing); });
  const auto mpi_large = make_candidate([=] { overlap_mpi_allreduce(nothing); });
  table.add(make_row("allreduce_async 1 MiB, get", size, "MPI_Iallreduce, MPI_Wait",
                     compare(large, mpi_large)));

  // The computation takes four times as long as the operation of MPI.
  const double alone_ns = median({mpi_large(), mpi_large(), mpi_large()});
  const auto iterations = static_cast<std::uint64_t>(
      broadcast_from_first_unit(std::lround(4 * alone_ns / measure_ns_per_iteration())));
  const auto computation = [=] { do_not_optimize(compute(iterations)); };
  const auto computing = make_candidate(computation);
  const auto both = make_candidate([=] { overlap_allreduce(computation); });
  const auto mpi_both = make_candidate([=] { overlap_mpi_allreduce(computation); });
  table.add(make_row("allreduce_async 1 MiB and computation", size, "computation alone",
                     compare(both, computing)));
  table.add(make_row("  MPI_Iallreduce and computation", size, "computation alone",
                     compare(mpi_both, computing)));
}

void measure(const World& world) {
  const std::string size = fmt::format("{} units", world.units());
  Table table;
  compare_latency(size, table);
  compare_schedules(size, table);
  compare_overlap(size, table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
