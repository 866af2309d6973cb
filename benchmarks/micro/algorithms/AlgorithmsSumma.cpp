// dash-bench: units=2 layouts=node,nolocal
//
// The product of two matrices of doubles by all units, beside as many threads of one unit that multiply
// the same matrices in plain memory: by the same kernels, and by OpenBLAS with threads of its own.

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
#include "support/Contest.h"
#include "support/Machine.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::ptrdiff_t n = 1024;

/// A thread that does one thing again and again, when it is told to.
class Helper {
 public:
  Helper(const dash::core::CpuSet& processors, std::function<void()> work)
      : _work(std::move(work)), _thread([this, processors] { run(processors); }) {}
  ~Helper() {
    _order = -1;
    _order.notify_one();
    _thread.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void start() {
    ++_order;
    _order.notify_one();
  }
  void wait() {
    for (int done = _done; done != _order; done = _done)
      _done.wait(done);
  }

 private:
  void run(const dash::core::CpuSet& processors) {
    dash::core::bind_this_thread(processors);
    for (int round = 0;; ++round) {
      _order.wait(round);
      if (_order < 0) return;
      _work();
      ++_done;
      _done.notify_one();
    }
  }

  std::atomic<int> _order{0};
  std::atomic<int> _done{0};
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
    // The calling thread, of unit 0, has the first part.
    for (int part = 1; part < nthreads; ++part)
      _helpers.push_back(
          std::make_unique<Helper>(processors_of(part), [this, part] { multiply(part); }));
  }

  /// Each thread has a part of the rows.
  void by_threads() {
    // As the library's own product; whoever used the BLAS before may have given it threads of its own.
    const dash::internal::OneThreadedProducts limit;
    for (const auto& helper : _helpers)
      helper->start();
    multiply(0);
    for (const auto& helper : _helpers)
      helper->wait();
    check();
  }

  /// \returns false if OpenBLAS is not there
  bool by_openblas() {
    bool is_there = false;
    // Its threads are made once, on the processors of who makes them.
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
      is_there = true;
      set_threads(_nthreads);
      gemm(101, 111, 111, n, n, n, 1, _a.data(), n, _b.data(), n, 0, _c.data(), n);
    });
    caller.join();
    if (is_there) check();
    return is_there;
  }

 private:
  void multiply(int part) {
    const std::ptrdiff_t rows = (n + _nthreads - 1) / _nthreads;
    const std::ptrdiff_t begin = part * rows;
    const std::ptrdiff_t end = std::min(n, begin + rows);
    dash::internal::multiply({end - begin, n, n}, {&_a[at(begin)], n, 1}, {_b.data(), n, 1},
                             {&_c[at(begin)], n, 1}, false);
  }

  /// One for each thread, if there are as many: as the units have them.
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
void compare(const World& world, Table& table, const std::string& what, const Pattern& pattern,
             PlainProduct& plain, const Bar& bar) {
  using MatrixType = dash::Matrix<double, 2, typename Pattern::index_type, Pattern>;
  MatrixType a(pattern);
  MatrixType b(pattern);
  MatrixType c(pattern);
  dash::fill(a.begin(), a.end(), 1.5);
  dash::fill(b.begin(), b.end(), 0.5);
  const Contestant ours = [&] {
    dash::barrier();
    return time_each(1, [&](long) { dash::summa(a, b, c); });
  };
  const auto twin_of = [](const auto& product) {
    return Contestant([product] {
      return alone(Peers::asleep, [&] { return time_each(1, [&](long) { product(); }); });
    });
  };
  const auto add = [&](const Contestant& twin, const std::string& name) {
    const Outcome outcome = contest(ours, twin);
    if (world.leads()) table.add(row_of(what, fmt::format("{0} x {0}", n), name, outcome, bar));
  };
  add(twin_of([&plain] { plain.by_threads(); }), fmt::format("{} threads of it", world.units()));
  if (from_first_unit(world.leads() && plain.by_openblas() ? 1 : 0) != 0) {
    add(twin_of([&plain] { plain.by_openblas(); }),
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
    const Bar bar = world.on_one_node() ? speed_at_least(0.9) : Bar{};
    compare(world, table, "summa, tiles of make_pattern",
            dash::make_pattern<dash::summa_pattern_partitioning_constraints,
                               dash::summa_pattern_mapping_constraints,
                               dash::summa_pattern_layout_constraints>(sizes),
            plain, bar);
    compare(world, table, "summa, tiles of 256 x 256",
            dash::TilePattern<2>(n, n, dash::TILE(256), dash::TILE(256)), plain, {});
    compare(world, table, "summa, tiles of 60 x 60, joined",
            dash::TilePattern<2>(sizes, dash::DistributionSpec<2>(dash::TILE(60), dash::TILE(60)),
                                 dash::TeamSpec<2>(dash::Team::All()), dash::Team::All()),
            plain, {});
    compare(world, table, "summa, rows in blocks",
            dash::BlockPattern<2>(n, n, dash::BLOCKED, dash::NONE), plain, {});
    if (!world.leads()) return;
    if (!plain.by_openblas())
      table.note("There is no OpenBLAS: no rows against one with threads of its own.");
    table.note("Multiplied by: " + dash::internal::product_library() + ".");
    table.print();
  });
}
