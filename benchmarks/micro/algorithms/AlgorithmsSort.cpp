// dash-bench: units=2 layouts=node,nolocal uses=tbb
//
// Sorting 2^24 keys that two units share, compared with std::sort of all keys on one processor, with
// tbb::parallel_sort with the same number of threads, and with a sample sort in plain MPI, which leaves the
// units with parts of different sizes.
//
// An argument, integers or doubles, selects the type of the keys.

#include <mpi.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/algorithm/IsSorted.h"
#include "dash/algorithm/Sort.h"
#include "dash/async/Executor.h"
#include "dash/core/Topology.h"
#include "support/Comparison.h"
#include "support/Machine.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t total = std::size_t{1} << 24;
/// Takes half a minute for each type of keys, and is enough for a confidence interval of the median.
constexpr int rounds = 7;

std::string filter;  // the argument of the program

template <class Key>
Key key_of(std::uint64_t random) {
  return static_cast<Key>(random);
}
template <>
double key_of<double>(std::uint64_t random) {
  return static_cast<double>(random) * 0x1p-64 - 0.5;
}

/// Reproducible keys: the same for all candidates, with another seed for each unit.
template <class Key>
std::vector<Key> random_keys(int first_unit, int units) {
  std::vector<Key> keys;
  for (int unit = first_unit; unit < first_unit + units; ++unit) {
    std::mt19937_64 random(static_cast<std::uint64_t>(unit) + 1);
    for (std::size_t i = 0; i < total / 2; ++i)
      keys.push_back(key_of<Key>(random()));
  }
  return keys;
}

template <class Key>
MPI_Datatype mpi_type() {
  return std::is_same_v<Key, double> ? MPI_DOUBLE : MPI_UINT64_T;
}

/// Sample sort in plain MPI: local sort, splitters by regular samples, one exchange, merges.
template <class Key>
std::vector<Key> mpi_sort(std::vector<Key>& own, int units) {
  std::sort(own.begin(), own.end());
  constexpr std::size_t nsamples = 256;
  const auto count = static_cast<std::size_t>(units);
  std::vector<Key> samples(nsamples * count);
  std::vector<Key> own_samples(nsamples);
  for (std::size_t i = 0; i < nsamples; ++i)
    own_samples[i] = own[own.size() * i / nsamples];
  MPI_Allgather(own_samples.data(), nsamples, mpi_type<Key>(), samples.data(), nsamples,
                mpi_type<Key>(), MPI_COMM_WORLD);
  std::sort(samples.begin(), samples.end());
  std::vector<int> send_counts;
  std::vector<int> send_begins;
  auto begin = own.begin();
  for (std::size_t unit = 0; unit < count; ++unit) {
    const auto end = unit + 1 == count
                         ? own.end()
                         : std::lower_bound(begin, own.end(), samples[(unit + 1) * nsamples]);
    send_begins.push_back(static_cast<int>(begin - own.begin()));
    send_counts.push_back(static_cast<int>(end - begin));
    begin = end;
  }
  std::vector<int> counts(count);
  MPI_Alltoall(send_counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> begins(count + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), begins.begin() + 1);
  std::vector<Key> sorted(static_cast<std::size_t>(begins.back()));
  MPI_Alltoallv(own.data(), send_counts.data(), send_begins.data(), mpi_type<Key>(), sorted.data(),
                counts.data(), begins.data(), mpi_type<Key>(), MPI_COMM_WORLD);
  for (std::size_t unit = 1; unit < count; ++unit)
    std::inplace_merge(sorted.begin(), sorted.begin() + begins[unit],
                       sorted.begin() + begins[unit + 1]);
  return sorted;
}

/// Sorts all keys on unit 0 while the other units sleep.
template <class Key>
class SingleUnitSort {
 public:
  explicit SingleUnitSort(const World& world)
      : _processors(find_placement().processors),
        _threads(world.units() * dash::exec::executor_workers()),
        _limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(_threads)),
        _arena(_threads) {
    if (world.is_first_unit()) _keys = random_keys<Key>(0, 2);
    _sorted = _keys;
  }

  int threads() const { return _threads; }
  Candidate sort_sequentially() {
    return timed([this] { std::sort(_sorted.begin(), _sorted.end()); });
  }
  Candidate sort_with_tbb() {
    return timed(
        [this] { _arena.execute([this] { tbb::parallel_sort(_sorted.begin(), _sorted.end()); }); });
  }

 private:
  /// Runs the sort on a thread that may use all processors; threads that it creates inherit that affinity.
  Candidate timed(const std::function<void()>& sort) {
    return [this, sort] {
      return measure_on_first_unit(PeerWait::dart_barrier, [&] {
        std::copy(_keys.begin(), _keys.end(), _sorted.begin());
        double ns = 0;
        std::thread([&] {
          dash::core::bind_this_thread(_processors);
          ns = measure_ns_per_call(1, [&](long) { sort(); });
        }).join();
        return ns;
      });
    };
  }

  dash::core::CpuSet _processors;
  int _threads;
  tbb::global_control _limit;
  tbb::task_arena _arena;
  std::vector<Key> _keys;
  std::vector<Key> _sorted;
};

template <class Key>
void compare_sorts(const std::string& keys, const World& world, Table& table) {
  const std::vector<Key> own = random_keys<Key>(world.unit(), 1);
  dash::Array<Key> array(total);
  const Candidate ours = [&] {
    std::copy(own.begin(), own.end(), array.lbegin());
    array.barrier();
    return measure_ns_per_call(1, [&](long) { dash::sort(array.begin(), array.end()); });
  };
  const Candidate mpi = [&] {
    std::vector<Key> copy = own;
    MPI_Barrier(MPI_COMM_WORLD);
    return measure_ns_per_call(1, [&](long) {
      clobber_memory(mpi_sort(copy, world.units()).data());
      MPI_Barrier(MPI_COMM_WORLD);
    });
  };
  const auto add = [&](const std::string& baseline, const Samples& our, const Samples& theirs,
                       const Samples& theirs_repeated, const Goal& goal) {
    table.add(make_row("sort", "2^24 " + keys, baseline,
                       compare_samples(our, theirs, theirs_repeated), goal));
  };
  const std::string sample_sort = "sample sort in plain MPI";
  if (!world.on_one_node()) {
    const auto samples = interleave(rounds, {ours, mpi, mpi});
    add(sample_sort, samples[0], samples[1], samples[2], {});
  } else {
    SingleUnitSort<Key> baselines(world);
    const auto one = baselines.sort_sequentially();
    const auto tbb = baselines.sort_with_tbb();
    const auto samples = interleave(rounds, {ours, one, tbb, tbb, mpi});
    add("std::sort, one thread", samples[0], samples[1], {}, speed_at_least(1.7));
    add("tbb::parallel_sort, " + std::to_string(baselines.threads()) + " threads", samples[0],
        samples[2], samples[3], speed_at_least(1));
    add(sample_sort, samples[0], samples[4], {}, {});
  }
  ours();
  if (!dash::is_sorted(array)) throw std::runtime_error("the array is not sorted");
}

void measure(const World& world) {
  if (world.units() != 2) throw std::runtime_error("this benchmark needs two units");
  Table table;
  const auto is_selected = [](const std::string& keys) {
    return keys.find(filter) != std::string::npos;
  };
  if (is_selected("integers")) compare_sorts<std::uint64_t>("integers", world, table);
  if (is_selected("doubles")) compare_sorts<double>("doubles", world, table);
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  return run_program(argc, argv, measure);
}
