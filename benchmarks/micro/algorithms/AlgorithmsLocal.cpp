// dash-bench: units=1,2 layouts=node uses=tbb
//
// What algorithms cost on elements that their owners compute: against the same loop by hand on plain
// memory with as many threads, and against the parallel algorithm of the standard library.

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
#include "support/Contest.h"
#include "support/Crew.h"
#include "support/Machine.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = double;
constexpr std::size_t count = std::size_t{1} << 26;
constexpr int rounds = 21;

/// Plain memory of unit 0, of small pages as the library's.
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

/// What unit 0 has besides its share of the machine, for the twins: all processors.
class Twins {
 public:
  explicit Twins(const World& world)
      : _processors(find_placement().processors),
        _threads(world.units() * dash::exec::executor_workers()),
        _limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(_threads)),
        _arena(_threads) {
    if (!world.leads()) return;
    _crew = std::make_unique<Crew>(_processors, _threads);
    in = std::make_unique<PlainMemory>();
    out = std::make_unique<PlainMemory>();
    // Each part touched first by who will use it.
    by_hand([this](std::size_t begin, std::size_t end) {
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
  void by_hand(const Body& body) {
    _crew->run_parts(count, body);
  }
  template <class Body>
  void by_standard_library(const Body& body) {
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
  std::unique_ptr<Crew> _crew;
};

/// Of all units, from a barrier to the next.
Contestant ours(std::function<void()> run) {
  return [run = std::move(run)] {
    dash::barrier();
    return time_each(1, [&](long) {
      run();
      dash::barrier();
    });
  };
}
Contestant theirs(std::function<void()> run) {
  return [run = std::move(run)] {
    return alone(Peers::asleep, [&] { return time_each(1, [&](long) { run(); }); });
  };
}

void compare(const std::string& what, const Contestant& our, const std::string& twin_name,
             const Contestant& twin, double least, Table& table) {
  const std::vector<Samples> samples = interleave(rounds, {our, twin, twin});
  table.add(row_of(what, "2^26 doubles", twin_name, outcome_of(samples[0], samples[1], samples[2]),
                   speed_at_least(least)));
}

class Comparison {
 public:
  Comparison(const World& world, Table& table)
      : _twins(world), _table(table), _in(count), _out(count) {
    dash::generate_with_index(_in.begin(), _in.end(),
                              [](auto i) { return Twins::value_at(static_cast<std::size_t>(i)); });
    dash::fill(_out.begin(), _out.end(), 0);
    dash::barrier();
  }

  void fill() {
    const Value value = Twins::value_at(2);  // no constant: one of zeros would be a memset
    compare(
        "fill", [&] { dash::fill(_out.begin(), _out.end(), value); },
        [&](std::size_t begin, std::size_t end) {
          std::fill(_twins.out->begin() + begin, _twins.out->begin() + end, value);
        },
        [&] { std::fill(std::execution::par, _twins.out->begin(), _twins.out->end(), value); });
  }

  void generate() {
    // It has no state: the policy says that it is called concurrently.
    const auto generator = [value = Twins::value_at(3)] { return value; };
    compare(
        "generate, par", [&] { dash::generate(dash::par, _out.begin(), _out.end(), generator); },
        [&](std::size_t begin, std::size_t end) {
          Value* const out = _twins.out->begin();
          for (std::size_t i = begin; i < end; ++i)
            out[i] = generator();
        },
        [&] {
          std::generate(std::execution::par, _twins.out->begin(), _twins.out->end(), generator);
        });
  }

  void generate_with_index() {
    compare(
        "generate_with_index",
        [&] {
          dash::generate_with_index(_out.begin(), _out.end(),
                                    [](auto i) { return static_cast<Value>(i) + 1; });
        },
        [&](std::size_t begin, std::size_t end) {
          Value* const out = _twins.out->begin();
          for (std::size_t i = begin; i < end; ++i)
            out[i] = static_cast<Value>(i) + 1;
        },
        [&] {
          std::for_each(std::execution::par, _twins.out->begin(), _twins.out->end(),
                        [base = _twins.out->begin()](Value& element) {
                          element = static_cast<Value>(&element - base) + 1;
                        });
        });
  }

  void transform() {
    const auto op = [](Value x) { return 2 * x + 1; };
    compare(
        "transform", [&] { dash::transform(_in.begin(), _in.end(), _out.begin(), op); },
        [&](std::size_t begin, std::size_t end) {
          const Value* const in = _twins.in->begin();
          Value* const out = _twins.out->begin();
          for (std::size_t i = begin; i < end; ++i)
            out[i] = op(in[i]);
        },
        [&] {
          std::transform(std::execution::par, _twins.in->begin(), _twins.in->end(),
                         _twins.out->begin(), op);
        });
  }

  void reduce() {
    compare(
        "reduce", [&] { keep(dash::reduce(_in.begin(), _in.end(), Value{})); },
        [&](std::size_t begin, std::size_t end) {
          Value sum = 0;
          for (std::size_t i = begin; i < end; ++i)
            sum += _twins.in->begin()[i];
          keep(sum);
        },
        [&] {
          keep(std::reduce(std::execution::par, _twins.in->begin(), _twins.in->end(), Value{}));
        });
  }

  void min_element() {
    compare(
        "min_element", [&] { keep(dash::min_element(_in.begin(), _in.end()).pos()); },
        [&](std::size_t begin, std::size_t end) {
          const Value* const in = _twins.in->begin();
          std::size_t smallest = begin;
          for (std::size_t i = begin; i < end; ++i) {
            if (in[i] < in[smallest]) smallest = i;
          }
          keep(smallest);
        },
        [&] { keep(std::min_element(std::execution::par, _twins.in->begin(), _twins.in->end())); });
  }

  int threads() const { return _twins.threads(); }

 private:
  template <class Ours, class ByHand, class Standard>
  void compare(const std::string& what, const Ours& our, const ByHand& by_hand,
               const Standard& standard) {
    ::compare(what, ours(our), "loop by hand", theirs([&] { _twins.by_hand(by_hand); }), 0.95,
              _table);
    ::compare(what, ours(our), "std::execution::par",
              theirs([&] { _twins.by_standard_library(standard); }), 1, _table);
  }

  Twins _twins;
  Table& _table;
  dash::Array<Value> _in;
  dash::Array<Value> _out;
};

void measure(const World& world) {
  Table table;
  Comparison comparison(world, table);
  table.note("twins: " + std::to_string(comparison.threads()) +
             " threads on unit 0; ours: " + std::to_string(world.units()) + " units, " +
             std::to_string(dash::exec::executor_workers()) + " workers each");
  comparison.fill();
  comparison.generate();
  comparison.generate_with_index();
  comparison.transform();
  comparison.reduce();
  comparison.min_element();
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
