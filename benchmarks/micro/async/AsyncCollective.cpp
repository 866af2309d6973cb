// dash-bench: units=2 layouts=node,nolocal
//
// Non-blocking collectives: started and waited for, many pending, and beside a computation,
// against MPI's.

#include <dash/Collectives.h>
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/Contest.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

/// What a sample should take.
constexpr double sample_ns = 2e6;
constexpr std::size_t elements = std::size_t{1} << 17;
constexpr std::size_t num_pending = 64;

/// All units do it; so many times that a sample takes as long as it should.
template <class Action>
Contestant contestant(Action action) {
  action();
  const double once = time_each(5, [&](long) { action(); });
  const long repetitions = from_first_unit(repetitions_within(sample_ns, once));
  return [=] { return time_each(repetitions, [&](long) { action(); }); };
}

void compare_latency(const std::string& size, Table& table) {
  const auto barrier = contestant([] { dash::barrier_async().wait(); });
  const auto mpi_barrier = contestant([] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  table.add(
      row_of("barrier_async, wait", size, "MPI_Ibarrier, MPI_Wait", contest(barrier, mpi_barrier)));
  const auto sum = contestant([] { keep(dash::allreduce_async(1.0, dash::plus<double>()).get()); });
  const auto mpi_sum = contestant([] {
    double value = 1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    keep(value);
  });
  table.add(
      row_of("allreduce_async 8 B, get", size, "MPI_Iallreduce, MPI_Wait", contest(sum, mpi_sum)));
  const auto many = contestant([] {
    std::array<dash::Future<double>, num_pending> futures;
    for (auto& future : futures)
      future = dash::allreduce_async(1.0, dash::plus<double>());
    for (auto& future : futures)
      keep(future.get());
  });
  const auto mpi_many = contestant([] {
    std::array<double, num_pending> values{};
    std::array<MPI_Request, num_pending> requests{};
    for (std::size_t i = 0; i < num_pending; ++i) {
      MPI_Iallreduce(MPI_IN_PLACE, &values[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                     &requests[i]);
    }
    MPI_Waitall(num_pending, requests.data(), MPI_STATUSES_IGNORE);
  });
  table.add(row_of(fmt::format("{} pending allreduce_async 8 B", num_pending), size,
                   "MPI_Iallreduce, MPI_Waitall", contest(many, mpi_many)));
}

void compare_overlap(const std::string& size, Table& table) {
  static std::vector<double> values(elements, 1.0);
  static std::vector<double> result(elements);
  const auto reduce_while = [](const auto& meanwhile) {
    auto future =
        dash::allreduce_async(values.data(), result.data(), elements, dash::max<double>());
    meanwhile();
    future.get();
  };
  const auto mpi_reduce_while = [](const auto& meanwhile) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(values.data(), result.data(), static_cast<int>(elements), MPI_DOUBLE, MPI_MAX,
                   MPI_COMM_WORLD, &request);
    meanwhile();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  const auto nothing = [] {};
  const auto large = contestant([=] { reduce_while(nothing); });
  const auto mpi_large = contestant([=] { mpi_reduce_while(nothing); });
  table.add(row_of("allreduce_async 1 MiB, get", size, "MPI_Iallreduce, MPI_Wait",
                   contest(large, mpi_large)));

  // Four times as long as MPI's takes.
  const double alone_ns = median({mpi_large(), mpi_large(), mpi_large()});
  const auto iterations = static_cast<std::uint64_t>(
      from_first_unit(std::lround(4 * alone_ns / measure_ns_per_iteration())));
  const auto computation = [=] { keep(compute(iterations)); };
  const auto computing = contestant(computation);
  const auto both = contestant([=] { reduce_while(computation); });
  const auto mpi_both = contestant([=] { mpi_reduce_while(computation); });
  table.add(row_of("allreduce_async 1 MiB and computation", size, "computation alone",
                   contest(both, computing)));
  table.add(row_of("  the same with MPI_Iallreduce", size, "computation alone",
                   contest(mpi_both, computing)));
}

void measure(const World& world) {
  const std::string size = fmt::format("{} units", world.units());
  Table table;
  compare_latency(size, table);
  compare_overlap(size, table);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
