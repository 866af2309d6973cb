// dash-bench: units=1,2 layouts=node uses=tbb
//
// Algorithms on elements that each unit computes locally, compared with a hand-written loop on plain memory
// with the same number of threads, and with the parallel algorithm of the standard library.

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/ExecutionPolicy.h>
#include <dash/Init.h>
#include <dash/async/Executor.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/mman.h>

#include <algorithm>
#include <execution>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "dash/core/Topology.h"
#include "support/Comparison.h"
#include "support/Machine.h"
#include "support/PinnedThreadPool.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = double;
constexpr std::size_t count = std::size_t{1} << 26;
constexpr int rounds = 21;

/// Plain memory of unit 0, in small pages as the library's.
class PlainMemory {
 public:
  PlainMemory() {
    void* const memory = ::mmap(nullptr, count * sizeof(Value), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    _begin = static_cast<Value*>(memory);
  }
  ~PlainMemory() { ::munmap(_begin, count * sizeof(Value)); }
  PlainMemory(const PlainMemory&) = delete;
  PlainMemory& operator=(const PlainMemory&) = delete;

  Value* begin() const { return _begin; }
  Value* end() const { return _begin + count; }

 private:
  Value* _begin;
};

/// Memory and threads of the baselines, which run on unit 0 and use all processors.
class Baselines {
 public:
  explicit Baselines(const World& world)
      : _processors(find_placement().processors),
        _threads(world.units() * dash::exec::executor_workers()),
        _limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(_threads)),
        _arena(_threads) {
    if (!world.is_first_unit()) return;
    _pool = std::make_unique<PinnedThreadPool>(_processors, _threads);
    in = std::make_unique<PlainMemory>();
    out = std::make_unique<PlainMemory>();
    // First touch: each thread initializes the block that it will use.
    run_loop([this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        in->begin()[i] = value_at(i);
        out->begin()[i] = 0;
      }
    });
  }

  static Value value_at(std::size_t i) {
    return static_cast<Value>((i * 2654435761U) & 0xFFFFF) + 1;
  }

  int threads() const { return _threads; }

  template <class Body>
  void run_loop(const Body& body) {
    _pool->run_blocks(count, body);
  }
  template <class Body>
  void run_in_arena(const Body& body) {
    std::thread([&] {
      dash::core::bind_this_thread(_processors);
      _arena.execute(body);
    }).join();
  }

  std::unique_ptr<PlainMemory> in;
  std::unique_ptr<PlainMemory> out;

 private:
  dash::core::CpuSet _processors;
  int _threads;
  tbb::global_control _limit;
  tbb::task_arena _arena;
  std::unique_ptr<PinnedThreadPool> _pool;
};

/// An action of all units, timed between two barriers.
Candidate ours(std::function<void()> run) {
  return [run = std::move(run)] {
    dash::barrier();
    return measure_ns_per_call(1, [&](long) {
      run();
      dash::barrier();
    });
  };
}
/// An action of unit 0.
Candidate theirs(std::function<void()> run) {
  return [run = std::move(run)] {
    return measure_on_first_unit(PeerWait::dart_barrier,
                                 [&] { return measure_ns_per_call(1, [&](long) { run(); }); });
  };
}

void add_row(const std::string& name, const Candidate& our, const std::string& baseline_name,
             const Candidate& baseline, double least, Table& table) {
  const std::vector<Samples> samples = interleave(rounds, {our, baseline, baseline});
  table.add(make_row(name, "2^26 doubles", baseline_name,
                     compare_samples(samples[0], samples[1], samples[2]), speed_at_least(least)));
}

class Comparison {
 public:
  Comparison(const World& world, Table& table)
      : _baselines(world), _table(table), _in(count), _out(count) {
    dash::generate_with_index(_in.begin(), _in.end(), [](auto i) {
      return Baselines::value_at(static_cast<std::size_t>(i));
    });
    dash::fill(_out.begin(), _out.end(), 0);
    dash::barrier();
  }

  void fill() {
    const Value value =
        Baselines::value_at(2);  // not a constant: the compiler would turn zeros into memset
    add_comparison(
        "fill", [&] { dash::fill(_out.begin(), _out.end(), value); },
        [&](std::size_t begin, std::size_t end) {
          std::fill(_baselines.out->begin() + begin, _baselines.out->begin() + end, value);
        },
        [&] {
          std::fill(std::execution::par, _baselines.out->begin(), _baselines.out->end(), value);
        });
  }

  void generate() {
    // Stateless, since the policy allows concurrent calls.
    const auto generator = [value = Baselines::value_at(3)] { return value; };
    add_comparison(
        "generate, par", [&] { dash::generate(dash::par, _out.begin(), _out.end(), generator); },
        [&](std::size_t begin, std::size_t end) {
          Value* const out = _baselines.out->begin();
          for (std::size_t i = begin; i < end; ++i)
            out[i] = generator();
        },
        [&] {
          std::generate(std::execution::par, _baselines.out->begin(), _baselines.out->end(),
                        generator);
        });
  }

  void generate_with_index() {
    add_comparison(
        "generate_with_index",
        [&] {
          dash::generate_with_index(_out.begin(), _out.end(),
                                    [](auto i) { return static_cast<Value>(i) + 1; });
        },
        [&](std::size_t begin, std::size_t end) {
          Value* const out = _baselines.out->begin();
          for (std::size_t i = begin; i < end; ++i)
            out[i] = static_cast<Value>(i) + 1;
        },
        [&] {
          std::for_each(std::execution::par, _baselines.out->begin(), _baselines.out->end(),
                        [base = _baselines.out->begin()](Value& element) {
                          element = static_cast<Value>(&element - base) + 1;
                        });
        });
  }

  void transform() {
    const auto op = [](Value x) { return 2 * x + 1; };
    add_comparison(
        "transform", [&] { dash::transform(_in.begin(), _in.end(), _out.begin(), op); },
        [&](std::size_t begin, std::size_t end) {
          const Value* const in = _baselines.in->begin();
          Value* const out = _baselines.out->begin();
          for (std::size_t i = begin; i < end; ++i)
            out[i] = op(in[i]);
        },
        [&] {
          std::transform(std::execution::par, _baselines.in->begin(), _baselines.in->end(),
                         _baselines.out->begin(), op);
        });
  }

  void reduce() {
    add_comparison(
        "reduce", [&] { do_not_optimize(dash::reduce(_in.begin(), _in.end(), Value{})); },
        [&](std::size_t begin, std::size_t end) {
          Value sum = 0;
          for (std::size_t i = begin; i < end; ++i)
            sum += _baselines.in->begin()[i];
          do_not_optimize(sum);
        },
        [&] {
          do_not_optimize(std::reduce(std::execution::par, _baselines.in->begin(),
                                      _baselines.in->end(), Value{}));
        });
  }

  void min_element() {
    add_comparison(
        "min_element", [&] { do_not_optimize(dash::min_element(_in.begin(), _in.end()).pos()); },
        [&](std::size_t begin, std::size_t end) {
          const Value* const in = _baselines.in->begin();
          std::size_t smallest = begin;
          for (std::size_t i = begin; i < end; ++i) {
            if (in[i] < in[smallest]) smallest = i;
          }
          do_not_optimize(smallest);
        },
        [&] {
          do_not_optimize(
              std::min_element(std::execution::par, _baselines.in->begin(), _baselines.in->end()));
        });
  }

  int threads() const { return _baselines.threads(); }

 private:
  template <class Ours, class Loop, class Standard>
  void add_comparison(const std::string& name, const Ours& our, const Loop& loop,
                      const Standard& standard) {
    ::add_row(name, ours(our), "hand-written loop", theirs([&] { _baselines.run_loop(loop); }),
              0.95, _table);
    ::add_row(name, ours(our), "std::execution::par",
              theirs([&] { _baselines.run_in_arena(standard); }), 1, _table);
  }

  Baselines _baselines;
  Table& _table;
  dash::Array<Value> _in;
  dash::Array<Value> _out;
};

void measure(const World& world) {
  Table table;
  Comparison comparison(world, table);
  table.add_note("Baselines: " + std::to_string(comparison.threads()) +
                 " threads on unit 0; ours: " + std::to_string(world.units()) + " units, " +
                 std::to_string(dash::exec::executor_workers()) + " workers each.");
  comparison.fill();
  comparison.generate();
  comparison.generate_with_index();
  comparison.transform();
  comparison.reduce();
  comparison.min_element();
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
