// dash-bench: units=2 layouts=node,nolocal uses=tbb,lapack
//
// What a dependency task costs that does nothing, against tasks of oneTBB without dependencies and
// threads of the standard library; what a task of dash::async costs, and one that waits; and how
// much faster two units factorise a matrix by tasks than one does by the same kernels in a loop.

#include <dash/Async.h>
#include <dash/Tasks.h>
#include <dash/async/Executor.h>
#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <future>
#include <vector>

#include "support/Cholesky.h"
#include "support/Contest.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr long tasks_at_once = 10'000;

/// Samples, on unit 0, of the time per task that run(n) takes.
template <class Run>
Contestant per_task(long n, Run run) {
  return [n, run] {
    return alone(Peers::asleep,
                 [&] { return time_each(1, [&](long) { run(n); }) / static_cast<double>(n); });
  };
}

void wait_for_own_tasks() {
  dash::exec::finish_jobs();
}

void compare_empty_tasks(const World& world, Table& table) {
  std::vector<long> objects(1000);
  const auto independent = per_task(tasks_at_once, [&](long n) {
    for (long i = 0; i < n; ++i)
      dash::tasks::async([] {});
    wait_for_own_tasks();
  });
  const auto dependent = per_task(tasks_at_once, [&](long n) {
    for (long i = 0; i < n; ++i)
      dash::tasks::async([] {}, dash::tasks::inout(objects[static_cast<std::size_t>(i) % 1000]));
    wait_for_own_tasks();
  });
  const auto two_dependencies = per_task(tasks_at_once, [&](long n) {
    for (long i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i) % 999;
      dash::tasks::async([] {}, dash::tasks::in(objects[k]), dash::tasks::out(objects[k + 1]));
    }
    wait_for_own_tasks();
  });
  const auto futures = per_task(tasks_at_once, [](long n) {
    std::vector<dash::Future<void>> all;
    all.reserve(static_cast<std::size_t>(n));
    for (long i = 0; i < n; ++i)
      all.push_back(dash::async([] {}));
    for (const auto& future : all)
      future.wait();
  });
  const auto suspended = per_task(1000, [](long n) {
    dash::Promise<void> promise;
    const dash::Future<void> gate = promise.get_future();
    for (long i = 0; i < n; ++i)
      dash::async([&gate] { gate.wait(); });
    while (dash::exec::job_counts().waiting < static_cast<std::size_t>(n))
      dash::exec::Engine::instance().progress();
    promise.set_value();
    wait_for_own_tasks();
  });
  tbb::task_arena arena(dash::exec::executor_workers());
  const auto by_tbb = per_task(tasks_at_once, [&arena](long n) {
    arena.execute([n] {
      tbb::task_group group;
      for (long i = 0; i < n; ++i)
        group.run([] {});
      group.wait();
    });
  });
  const auto by_threads = per_task(100, [](long n) {
    std::vector<std::future<void>> all;
    for (long i = 0; i < n; ++i)
      all.push_back(std::async(std::launch::async, [] {}));
    for (auto& future : all)
      future.wait();
  });
  const auto compare = [&](const char* what, const Contestant& ours, const char* twin_name,
                           const Contestant& twin, const Bar& bar = {}) {
    const Outcome outcome = contest(ours, twin);
    if (world.leads()) table.add(row_of(what, "", twin_name, outcome, bar));
  };
  compare("empty task, no dependency", independent, "tbb::task_group", by_tbb, us_at_most(1.5));
  compare("empty task, inout of one object", dependent, "tbb::task_group", by_tbb, us_at_most(1.5));
  compare("empty task, in and out, in chains", two_dependencies, "tbb::task_group", by_tbb,
          us_at_most(1.5));
  compare("empty task, inout of one object", dependent, "std::async, a thread", by_threads);
  compare("dash::async, with its future", futures, "tbb::task_group", by_tbb);
  compare("dash::async that waits, 1000 at once", suspended, "std::async, a thread", by_threads);
}

/// The same kernels, one after the other on one unit.
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

void compare_factorisations(const World& world, Table& table) {
  constexpr std::size_t ntiles = 20;
  constexpr std::size_t nb = 96;
  constexpr int rounds = 21;
  dash::test::TiledMatrix tiles(ntiles, nb);
  dash::test::TaskCholesky by_tasks(tiles);
  PlainCholesky plain(ntiles, nb);
  const Contestant ours = [&] {
    tiles.fill(
        [&](std::size_t i, std::size_t j) { return dash::test::matrix_element(i, j, tiles.n()); });
    dash::barrier();
    return time_each(1, [&](long) { by_tasks.run(); });
  };
  const Contestant twin = [&] {
    return alone(Peers::asleep, [&] {
      plain.prepare();
      return time_each(1, [&](long) { plain.run(); });
    });
  };
  const std::vector<Samples> samples = interleave(rounds, {ours, twin, twin});
  if (!world.leads()) return;
  const Outcome outcome = outcome_of(samples[0], samples[1], samples[2]);
  table.add(row_of(fmt::format("Cholesky by tasks on {} units, tiles of {}", world.units(), nb),
                   fmt::format("n = {}", tiles.n()), "the same kernels in a loop, one unit",
                   outcome, speed_at_least(1.7)));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    compare_empty_tasks(world, table);
    compare_factorisations(world, table);
    if (!world.leads()) return;
    table.note(fmt::format("{} tasks at once; a unit has {} processors.", tasks_at_once,
                           dash::exec::executor_workers()));
    table.print();
  });
}
