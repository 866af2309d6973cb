// dash-bench: units=2,1 layouts=node,nolocal uses=tbb,openmp,lapack
//
// The overhead of empty dependency tasks, compared with tasks of oneTBB without dependencies, with its flow graph, with
// tasks of OpenMP and with threads of the standard library; of a task of dash::async, and of one that waits; of a
// parallel loop; and the speed of a matrix factorization by tasks on two units, compared with the same kernels in a loop
// on one unit.

#include <dash/Async.h>
#include <dash/Tasks.h>
#include <dash/async/Engine.h>
#include <dash/async/Executor.h>
#include <fmt/core.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <deque>
#include <future>
#include <vector>

#include "support/Cholesky.h"
#include "support/Comparison.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr long num_tasks = 10'000;

/// Takes samples on unit 0 of the time of run(n), divided by n.
template <class Run>
Candidate per_task(long n, Run run) {
  return [n, run] {
    return measure_on_first_unit(PeerWait::dart_barrier, [&] {
      return measure_ns_per_call(1, [&](long) { run(n); }) / static_cast<double>(n);
    });
  };
}

void wait_for_local_tasks() {
  dash::exec::finish_jobs();
}

constexpr std::size_t num_objects = 1000;

/// Chains of tasks: each follows the previous one of its object.
void run_flow_graph(tbb::task_arena& arena, long n) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  arena.execute([n] {
    tbb::flow::graph graph;
    std::deque<Node> nodes;
    std::vector<Node*> last(num_objects);
    for (long i = 0; i < n; ++i) {
      Node& node = nodes.emplace_back(graph, [](const tbb::flow::continue_msg&) {});
      Node*& previous = last[static_cast<std::size_t>(i) % num_objects];
      if (previous != nullptr) tbb::flow::make_edge(*previous, node);
      previous = &node;
    }
    for (std::size_t i = 0; i < num_objects; ++i)
      nodes[i].try_put({});
    graph.wait_for_all();
  });
}
void run_openmp_tasks(int workers, long n) {
  static std::vector<long> objects(num_objects);
  long* const all = objects.data();
#pragma omp parallel num_threads(workers)
#pragma omp single
  for (long i = 0; i < n; ++i) {
    [[maybe_unused]] long* const object = all + static_cast<std::size_t>(i) % num_objects;
#pragma omp task depend(inout : object[0]) firstprivate(object)
    do_not_optimize(object);
  }
}

/// A loop of a few microseconds for each thread, so that the overhead decides.
void compare_parallel_loop(const World& world, tbb::task_arena& arena, Table& table) {
  constexpr std::size_t elements = std::size_t{1} << 15;
  static std::vector<double> values(elements, 1.0);
  const auto update = [](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      values[i] = 1.0 / values[i];
  };
  const auto ours = per_task(100, [&](long n) {
    for (long i = 0; i < n; ++i)
      dash::exec::run_ranges(elements, update);
  });
  const auto of_tbb = per_task(100, [&](long n) {
    arena.execute([&] {
      for (long i = 0; i < n; ++i) {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, elements),
                          [&](const auto& range) { update(range.begin(), range.end()); });
      }
    });
  });
  const Outcome outcome = compare(ours, of_tbb);
  if (world.is_first_unit()) {
    table.add(make_row("parallel loop over the workers", format_size(elements * sizeof(double)),
                       "tbb::parallel_for", outcome, ratio_at_most(1.5)));
  }
}

void compare_empty_tasks(const World& world, Table& table) {
  std::vector<long> objects(num_objects);
  const auto independent = per_task(num_tasks, [&](long n) {
    for (long i = 0; i < n; ++i)
      dash::tasks::async([] {});
    wait_for_local_tasks();
  });
  const auto dependent = per_task(num_tasks, [&](long n) {
    for (long i = 0; i < n; ++i)
      dash::tasks::async([] {},
                         dash::tasks::inout(objects[static_cast<std::size_t>(i) % num_objects]));
    wait_for_local_tasks();
  });
  const auto two_dependencies = per_task(num_tasks, [&](long n) {
    for (long i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i) % (num_objects - 1);
      dash::tasks::async([] {}, dash::tasks::in(objects[k]), dash::tasks::out(objects[k + 1]));
    }
    wait_for_local_tasks();
  });
  const auto futures = per_task(num_tasks, [](long n) {
    std::vector<dash::Future<void>> all;
    all.reserve(static_cast<std::size_t>(n));
    for (long i = 0; i < n; ++i)
      all.push_back(dash::async([] {}));
    for (const auto& future : all)
      future.wait();
  });
  const auto suspended = per_task(1000, [](long n) {
    dash::Promise<void> promise;
    const dash::Future<void> released = promise.get_future();
    for (long i = 0; i < n; ++i)
      dash::async([&released] { released.wait(); });
    while (dash::exec::job_counts().waiting < static_cast<std::size_t>(n))
      dash::exec::Engine::instance().progress();
    promise.set_value();
    wait_for_local_tasks();
  });
  tbb::task_arena arena(dash::exec::executor_workers());
  const auto tbb_tasks = per_task(num_tasks, [&arena](long n) {
    arena.execute([n] {
      tbb::task_group group;
      for (long i = 0; i < n; ++i)
        group.run([] {});
      group.wait();
    });
  });
  const auto std_threads = per_task(100, [](long n) {
    std::vector<std::future<void>> all;
    for (long i = 0; i < n; ++i)
      all.push_back(std::async(std::launch::async, [] {}));
    for (auto& future : all)
      future.wait();
  });
  const auto add_comparison = [&](const char* name, const Candidate& ours,
                                  const char* baseline_name, const Candidate& baseline,
                                  const Goal& goal = {}) {
    const Outcome outcome = compare(ours, baseline);
    if (world.is_first_unit()) table.add(make_row(name, "", baseline_name, outcome, goal));
  };
  add_comparison("empty task, no dependency", independent, "tbb::task_group", tbb_tasks,
                 time_at_most_us(1.5));
  add_comparison("empty task, inout of one object", dependent, "tbb::task_group", tbb_tasks,
                 time_at_most_us(1.5));
  add_comparison("empty task, chains of in and out", two_dependencies, "tbb::task_group", tbb_tasks,
                 time_at_most_us(1.5));
  add_comparison("empty task, inout of one object", dependent, "std::async, one thread each",
                 std_threads);
  const int workers = dash::exec::executor_workers();
  add_comparison("empty task, inout of one object", dependent, "tbb::flow::graph",
                 per_task(num_tasks, [&](long n) { run_flow_graph(arena, n); }), ratio_at_most(2));
  add_comparison("empty task, inout of one object", dependent, "OpenMP task depend",
                 per_task(num_tasks, [=](long n) { run_openmp_tasks(workers, n); }),
                 ratio_at_most(2));
  add_comparison("dash::async, with its future", futures, "tbb::task_group", tbb_tasks,
                 ratio_at_most(2));
  add_comparison("dash::async that waits, 1000 pending", suspended, "std::async, one thread each",
                 std_threads);
  compare_parallel_loop(world, arena, table);
}

/// The same kernels in a loop on one unit.
class PlainCholesky {
 public:
  PlainCholesky(std::size_t ntiles, std::size_t nb)
      : _ntiles(ntiles),
        _nb(nb),
        _kernels(static_cast<int>(nb)),
        _original(ntiles * ntiles * nb * nb) {
    for (std::size_t i = 0; i < ntiles; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t k = 0; k < nb * nb; ++k) {
          tile(_original, i, j)[k] =
              dash::test::matrix_element(i * nb + k % nb, j * nb + k / nb, ntiles * nb);
        }
      }
    }
  }

  void prepare() { _tiles = _original; }
  void run() {
    for (std::size_t k = 0; k < _ntiles; ++k) {
      _kernels.potrf(tile(_tiles, k, k));
      for (std::size_t i = k + 1; i < _ntiles; ++i)
        _kernels.trsm(tile(_tiles, k, k), tile(_tiles, i, k));
      for (std::size_t i = k + 1; i < _ntiles; ++i) {
        for (std::size_t j = k + 1; j <= i; ++j)
          _kernels.update(tile(_tiles, i, k), tile(_tiles, j, k), tile(_tiles, i, j));
      }
    }
  }

 private:
  double* tile(std::vector<double>& tiles, std::size_t i, std::size_t j) const {
    return tiles.data() + (i * _ntiles + j) * _nb * _nb;
  }

  std::size_t _ntiles;
  std::size_t _nb;
  dash::test::TileKernels _kernels;
  std::vector<double> _original;
  std::vector<double> _tiles;
};

void compare_factorizations(const World& world, Table& table) {
  constexpr std::size_t ntiles = 20;
  constexpr std::size_t nb = 96;
  constexpr int rounds = 21;
  dash::test::TiledMatrix tiles(ntiles, nb);
  dash::test::TaskCholesky by_tasks(tiles);
  PlainCholesky plain(ntiles, nb);
  const Candidate ours = [&] {
    tiles.fill(
        [&](std::size_t i, std::size_t j) { return dash::test::matrix_element(i, j, tiles.n()); });
    dash::barrier();
    return measure_ns_per_call(1, [&](long) { by_tasks.run(); });
  };
  const Candidate baseline = [&] {
    return measure_on_first_unit(PeerWait::dart_barrier, [&] {
      plain.prepare();
      return measure_ns_per_call(1, [&](long) { plain.run(); });
    });
  };
  const std::vector<Samples> samples = interleave(rounds, {ours, baseline, baseline});
  if (!world.is_first_unit()) return;
  const Outcome outcome = compare_samples(samples[0], samples[1], samples[2]);
  table.add(make_row(fmt::format("Cholesky by tasks on {} units, tiles of {}", world.units(), nb),
                     fmt::format("n = {}", tiles.n()), "the same kernels in a loop, one unit",
                     outcome, speed_at_least(1.7)));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    compare_empty_tasks(world, table);
    compare_factorizations(world, table);
    if (!world.is_first_unit()) return;
    table.add_note(fmt::format("{} tasks in a sample; each unit has {} worker threads.", num_tasks,
                               dash::exec::executor_workers()));
    table.print();
  });
}
