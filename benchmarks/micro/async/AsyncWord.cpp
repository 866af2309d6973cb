// dash-bench: units=2 layouts=node,nolocal quick=node
//
// copy_async of one word of another unit, including its future: on the same node compared with the plain access, between
// nodes with MPI.

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "async/future/CountAllocations.h"
#include "dash/Array.h"
#include "dash/GlobPtr.h"
#include "dash/algorithm/Copy.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/TimedOperation.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr long words = 4096;  // 32 KiB

/// What an access is compared with.
struct Baselines {
  std::vector<TimedOperation> reads;
  std::vector<TimedOperation> writes;
  Goal goal;
};

Baselines accesses_to(volatile long* memory) {
  return {
      {{"plain load", PeerWait::dart_barrier, [=](long i) { do_not_optimize(memory[i % words]); }}},
      {{"plain store", PeerWait::dart_barrier, [=](long i) { memory[i % words] = i; }}},
      overhead_at_most_ns(15)};
}

Baselines calls_of_mpi(MPI_Win window) {
  const auto displacement = [](long i) {
    return (i % words) * static_cast<MPI_Aint>(sizeof(long));
  };
  return {{{"MPI_Get, flush", PeerWait::mpi_barrier,
            [=](long i) {
              long value = 0;
              MPI_Get(&value, 1, MPI_LONG, target, displacement(i), 1, MPI_LONG, window);
              MPI_Win_flush(target, window);
              do_not_optimize(value);
            }},
           {"MPI_Rget, wait", PeerWait::mpi_barrier,
            [=](long i) {
              long value = 0;
              MPI_Request request = MPI_REQUEST_NULL;
              MPI_Rget(&value, 1, MPI_LONG, target, displacement(i), 1, MPI_LONG, window, &request);
              MPI_Wait(&request, MPI_STATUS_IGNORE);
              do_not_optimize(value);
            }}},
          {{"MPI_Put, flush", PeerWait::mpi_barrier,
            [=](long i) {
              MPI_Put(&i, 1, MPI_LONG, target, displacement(i), 1, MPI_LONG, window);
              MPI_Win_flush(target, window);
            }}},
          ratio_at_most(1.1)};
}

void add_comparison(const std::string& name, const TimedOperation& ours,
                    const std::vector<TimedOperation>& baselines, const Goal& goal, Table& table) {
  const TimedOperation& baseline = find_fastest(baselines);
  table.add(make_row(name, "8 B", baseline.name,
                     compare(make_candidate(ours), make_candidate(baseline)), goal));
}

/// \param through  names the type of `begin`: a global pointer or an iterator of an array
template <class Begin>
void measure_words(const std::string& through, const Begin& begin, const Baselines& baselines,
                   const World& world, Table& table) {
  const auto get = [=](long i) {
    long value;
    const auto from = begin + i % words;
    dash::copy_async(from, from + 1, &value).wait();
    do_not_optimize(value);
  };
  const auto put = [=](long i) { dash::copy_async(&i, &i + 1, begin + i % words).wait(); };
  add_comparison("copy_async from " + through + ", wait", {"", PeerWait::dart_barrier, get},
                 baselines.reads, baselines.goal, table);
  add_comparison("copy_async to " + through + ", wait", {"", PeerWait::dart_barrier, put},
                 baselines.writes, baselines.goal, table);
  if (!world.is_first_unit() || !world.on_one_node()) return;
  const std::size_t before = allocations;
  for (long i = 0; i < words; ++i) {
    get(i);
    put(i);
  }
  const std::size_t counted = allocations - before;
  Row row{"  allocations", "", std::to_string(counted), "", "", ""};
  row.goal = "none";
  row.met = counted == 0;
  row.figures = {{static_cast<double>(counted)}, {}, {}, "allocations"};
  table.add(row);
}

void measure_words(const Baselines& baselines, const World& world, Table& table) {
  const GlobalMemory memory(words * sizeof(long));
  measure_words("a GlobPtr", dash::GlobPtr<long>(memory.at(target)), baselines, world, table);
  dash::Array<long> array(static_cast<std::size_t>(words * world.units()));
  measure_words("an Array", array.begin() + target * words, baselines, world, table);
}

void measure(const World& world) {
  if (world.units() < 2) throw std::runtime_error("this benchmark needs two units");
  Table table;
  if (world.on_one_node()) {
    const GlobalMemory memory(words * sizeof(long));
    auto* const mapped = reinterpret_cast<volatile long*>(memory.address(target));
    measure_words(accesses_to(mapped), world, table);
  } else {
    const MpiWindow window(words * sizeof(long));
    measure_words(calls_of_mpi(window.get()), world, table);
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
