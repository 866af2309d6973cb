// dash-bench: units=2 layouts=node,nolocal
//
// The product of two matrices of doubles by all units, compared with the same number of threads of one unit
// that multiply the same matrices in plain memory: with the same kernels, and with OpenBLAS and its own
// threads.

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/SUMMA.h"
#include "dash/core/Settings.h"
#include "dash/core/Topology.h"
#include "dash/pattern/MakePattern.h"
#include "support/Comparison.h"
#include "support/Machine.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::ptrdiff_t n = 1024;

/// A thread that runs the same function each time that start() is called.
class Helper {
 public:
  Helper(const dash::core::CpuSet& processors, std::function<void()> work)
      : _work(std::move(work)), _thread([this, processors] { run(processors); }) {}
  ~Helper() {
    _num_starts = -1;
    _num_starts.notify_one();
    _thread.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void start() {
    ++_num_starts;
    _num_starts.notify_one();
  }
  void wait() {
    for (int done = _num_done; done != _num_starts; done = _num_done)
      _num_done.wait(done);
  }

 private:
  void run(const dash::core::CpuSet& processors) {
    dash::core::bind_this_thread(processors);
    for (int round = 0;; ++round) {
      _num_starts.wait(round);
      if (_num_starts < 0) return;
      _work();
      ++_num_done;
      _num_done.notify_one();
    }
  }

  std::atomic<int> _num_starts{0};  // negative: the thread returns
  std::atomic<int> _num_done{0};
  std::function<void()> _work;
  std::thread _thread;
};

/// The same product in plain memory.
class PlainProduct {
 public:
  explicit PlainProduct(int nthreads)
      : _processors(find_placement().processors),
        _nthreads(nthreads),
        _a(n * n, 1.5),
        _b(n * n, 0.5),
        _c(n * n) {
    // The calling thread computes the first part.
    for (int part = 1; part < nthreads; ++part)
      _helpers.push_back(
          std::make_unique<Helper>(processors_of(part), [this, part] { multiply(part); }));
  }

  /// Each thread computes a block of rows.
  void run_threads() {
    // As the library's own product does: an earlier user of the BLAS may have enabled its internal threads.
    const dash::internal::OneThreadedProducts limit;
    for (const auto& helper : _helpers)
      helper->start();
    multiply(0);
    for (const auto& helper : _helpers)
      helper->wait();
    check();
  }

  /// \returns false if OpenBLAS is not available
  bool run_openblas() {
    bool is_available = false;
    // OpenBLAS creates its threads once, with the affinity of the calling thread.
    std::thread caller([&] {
      dash::core::bind_this_thread(_processors);
      const std::string& setting = dash::core::settings().blas;
      const bool is_named = setting != "auto" && setting != "none";
      void* const library = dlopen(is_named ? setting.c_str() : "libopenblas.so.0", RTLD_NOW);
      if (library == nullptr) return;
      using SetThreads = void(int);
      using Gemm = void(int, int, int, int, int, int, double, const double*, int, const double*,
                        int, double, double*, int);
      auto* const set_threads =
          reinterpret_cast<SetThreads*>(dlsym(library, "openblas_set_num_threads"));
      auto* const gemm = reinterpret_cast<Gemm*>(dlsym(library, "cblas_dgemm"));
      if (set_threads == nullptr || gemm == nullptr) return;
      is_available = true;
      set_threads(_nthreads);
      gemm(101, 111, 111, n, n, n, 1, _a.data(), n, _b.data(), n, 0, _c.data(), n);
    });
    caller.join();
    if (is_available) check();
    return is_available;
  }

 private:
  void multiply(int part) {
    const std::ptrdiff_t rows = (n + _nthreads - 1) / _nthreads;
    const std::ptrdiff_t begin = part * rows;
    const std::ptrdiff_t end = std::min(n, begin + rows);
    dash::internal::multiply({end - begin, n, n}, 1, {&_a[at(begin)], n, 1}, {_b.data(), n, 1},
                             {&_c[at(begin)], n, 1}, false);
  }

  /// One processor for each thread if the numbers are equal, as for the units; otherwise all of them.
  dash::core::CpuSet processors_of(int thread) const {
    if (_processors.count() != _nthreads) return _processors;
    dash::core::CpuSet one;
    one.set(*std::next(_processors.begin(), thread));
    return one;
  }

  static std::size_t at(std::ptrdiff_t row) { return static_cast<std::size_t>(row * n); }
  void check() const {
    if (_c.front() != 0.75 * n || _c.back() != 0.75 * n)
      throw std::runtime_error("the plain product is wrong");
  }

  dash::core::CpuSet _processors;
  int _nthreads;
  std::vector<double> _a;
  std::vector<double> _b;
  std::vector<double> _c;
  std::vector<std::unique_ptr<Helper>> _helpers;
};

template <class Pattern>
void compare_products(const World& world, Table& table, const std::string& name,
                      const Pattern& pattern, PlainProduct& plain, const Goal& goal) {
  using MatrixType = dash::Matrix<double, 2, typename Pattern::index_type, Pattern>;
  MatrixType a(pattern);
  MatrixType b(pattern);
  MatrixType c(pattern);
  dash::fill(a.begin(), a.end(), 1.5);
  dash::fill(b.begin(), b.end(), 0.5);
  const Candidate ours = [&] {
    dash::barrier();
    return measure_ns_per_call(1, [&](long) { dash::summa(a, b, c); });
  };
  const auto candidate_of = [](const auto& product) {
    return Candidate([product] {
      return measure_on_first_unit(
          PeerWait::dart_barrier, [&] { return measure_ns_per_call(1, [&](long) { product(); }); });
    });
  };
  const auto add = [&](const Candidate& baseline, const std::string& baseline_name) {
    const Outcome outcome = compare(ours, baseline);
    if (world.is_first_unit())
      table.add(make_row(name, fmt::format("{0} x {0}", n), baseline_name, outcome, goal));
  };
  add(candidate_of([&plain] { plain.run_threads(); }),
      fmt::format("same kernels, {} threads", world.units()));
  if (broadcast_from_first_unit(world.is_first_unit() && plain.run_openblas() ? 1 : 0) != 0) {
    add(candidate_of([&plain] { plain.run_openblas(); }),
        fmt::format("OpenBLAS, {} threads", world.units()));
  }
  if (c.lbegin() != nullptr && *c.lbegin() != 0.75 * n)
    throw std::runtime_error("the product is wrong");
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const World& world) {
    Table table;
    PlainProduct plain(world.units());
    const dash::SizeSpec<2> sizes(n, n);
    const Goal goal = world.on_one_node() ? speed_at_least(0.9) : Goal{};
    compare_products(world, table, "summa, tiles of make_pattern",
                     dash::make_pattern<dash::summa_pattern_partitioning_constraints,
                                        dash::summa_pattern_mapping_constraints,
                                        dash::summa_pattern_layout_constraints>(sizes),
                     plain, goal);
    compare_products(world, table, "summa, tiles of 256 x 256",
                     dash::TilePattern<2>(n, n, dash::TILE(256), dash::TILE(256)), plain, {});
    compare_products(
        world, table, "summa, tiles of 60 x 60, joined",
        dash::TilePattern<2>(sizes, dash::DistributionSpec<2>(dash::TILE(60), dash::TILE(60)),
                             dash::TeamSpec<2>(dash::Team::All()), dash::Team::All()),
        plain, {});
    compare_products(world, table, "summa, blocked rows",
                     dash::BlockPattern<2>(n, n, dash::BLOCKED, dash::NONE), plain, {});
    if (!world.is_first_unit()) return;
    if (!plain.run_openblas())
      table.add_note("OpenBLAS is not available: there are no rows that compare with it.");
    table.add_note("Kernels: " + dash::internal::product_library() + ".");
    table.print();
  });
}
