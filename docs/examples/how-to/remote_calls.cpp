// Remote procedure calls: functions that run at other units, their arguments, results and errors, distributed objects,
// and functions as values.
// dash-example: units=1,3,4 layouts=node,nolocal
#include <dash/Aggregator.h>
#include <dash/Collectives.h>
#include <dash/DistObject.h>
#include <dash/GlobalFunction.h>
#include <dash/Rpc.h>
#include <libdash.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if __has_include(<cereal/cereal.hpp>)
// --8<-- [start:cereal-headers]
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>

#include "dash/serialization/Cereal.h"
// --8<-- [end:cereal-headers]
#endif

namespace {

int num_units() {
  return static_cast<int>(dash::size());
}

// --8<-- [start:function]
double energy(double mass, double speed) {
  return 0.5 * mass * speed * speed;
}
// --8<-- [end:function]

bool calls() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:call]
  dash::Future<double> future = dash::rpc(unit, energy, 2.0, 3.0);
  // Other work may follow here, while the call is in flight.
  const double result = future.get();  // 9
  // --8<-- [end:call]

  // --8<-- [start:lambda]
  const auto describe = [](std::string name, std::vector<int> sizes) {
    const int sum = std::accumulate(sizes.begin(), sizes.end(), 0);
    return name + " has " + std::to_string(sum) + " at unit " + std::to_string(dash::myid().id);
  };
  const std::string text =
      dash::rpc(unit, describe, std::string("box"), std::vector<int>{1, 2, 3}).get();
  // --8<-- [end:lambda]
  return result == 9 && text == "box has 6 at unit " + std::to_string(unit);
}

// --8<-- [start:own-type]
struct Molecule {
  std::string name;
  std::map<std::string, int> atoms;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, atoms);
  }
};
// --8<-- [end:own-type]

// --8<-- [start:save-load]
// Keeps the sum of a list, and of the list only the number of its elements.
class Summary {
 public:
  Summary() = default;  // the target constructs the object, then calls load()
  explicit Summary(const std::list<int>& numbers)
      : _size(numbers.size()), _sum(std::accumulate(numbers.begin(), numbers.end(), 0)) {}
  std::size_t size() const { return _size; }
  int sum() const { return _sum; }

  template <class Archive>
  void save(Archive& archive) const {
    archive(_size, _sum);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(_size, _sum);
  }

 private:
  std::size_t _size = 0;
  int _sum = 0;
};
// --8<-- [end:save-load]

bool own_types() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:send-own-type]
  const Molecule water{"water", {{"H", 2}, {"O", 1}}};
  const auto to_heavy_water = [](Molecule molecule) {
    molecule.atoms["D"] = std::exchange(molecule.atoms["H"], 0);
    return molecule;
  };
  const Molecule heavy = dash::rpc(unit, to_heavy_water, water).get();
  // --8<-- [end:send-own-type]
  const auto total = [](Summary s) { return s.sum() + static_cast<int>(s.size()); };
  const int sum = dash::rpc(unit, total, Summary({1, 2, 3})).get();
  return heavy.atoms.at("D") == 2 && sum == 9;
}

#if __has_include(<cereal/cereal.hpp>)
bool types_of_cereal() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:cereal]
  const auto name = std::make_shared<std::string>("shared");
  const auto size_of = [](std::shared_ptr<std::string> text) { return text->size(); };
  const std::size_t size = dash::rpc(unit, size_of, name).get();
  // --8<-- [end:cereal]
  return size == 6;
}
#else
bool types_of_cereal() {
  return true;
}
#endif

bool views() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:views]
  const auto sum = [](std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const std::vector<double> values(1000, 0.5);
  const double all = dash::rpc(unit, sum, std::span(values)).get();
  const double first = dash::rpc(unit, sum, std::span(values).first(10)).get();

  const std::list<double> list{1, 2, 3.5};
  const double of_list = dash::rpc(unit, sum, dash::make_view(list.begin(), list.end())).get();
  // --8<-- [end:views]
  return all == 500 && first == 5 && of_list == 6.5;
}

bool results() {
  // --8<-- [start:results]
  const auto multiply = [](int n) { return n * dash::myid().id; };
  std::vector<dash::Future<int>> futures;
  for (int unit = 0; unit < num_units(); ++unit)
    futures.push_back(dash::rpc(unit, multiply, 10));
  int sum = 0;
  for (dash::Future<int>& future : futures)
    sum += future.get();

  dash::Future<double> doubled =
      dash::rpc(0, energy, 2.0, 3.0).then([](double value) { return 2 * value; });
  // --8<-- [end:results]
  return sum == 5 * num_units() * (num_units() - 1) && doubled.get() == 18;
}

// --8<-- [start:coroutine]
dash::Task<double> energy_of_pair(int first, int second) {
  const double a = co_await dash::rpc(first, energy, 2.0, 1.0);
  const double b = co_await dash::rpc(second, energy, 4.0, 1.0);
  co_return a + b;
}
// --8<-- [end:coroutine]

bool coroutines() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:start-coroutine]
  const double here = energy_of_pair(0, unit).start().get();
  const double there = dash::rpc(unit, energy_of_pair, 0, unit).get();  // runs at the other unit
  // --8<-- [end:start-coroutine]
  return here == 3 && there == 3;
}

// --8<-- [start:own-error]
class NoSuchEntry : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// --8<-- [end:own-error]

bool exceptions() {
  const int unit = (dash::myid() + 1) % num_units();
  bool is_caught = false;
  // --8<-- [start:catch]
  const auto value_of = [](int number) -> double {
    throw NoSuchEntry("no entry " + std::to_string(number));
  };
  try {
    dash::rpc(unit, value_of, 17).get();
  } catch (const NoSuchEntry& error) {
    is_caught = std::string(error.what()) == "no entry 17";
  }
  // --8<-- [end:catch]
  return is_caught;
}

// --8<-- [start:counter]
std::atomic<long> num_events{0};  // each unit has its own
// --8<-- [end:counter]

bool fire_and_forget() {
  // --8<-- [start:forget]
  const auto record = [](long n) {
    num_events += n;
    dash::rpc_ff(0, [] { ++num_events; });  // calls may start further calls
  };
  for (int unit = 0; unit < num_units(); ++unit)
    dash::rpc_ff(unit, record, 10L);
  dash::quiesce();  // collective: all these calls have ended
  // --8<-- [end:forget]
  const long units = num_units();
  return num_events == 10 * units + (dash::myid() == 0 ? units * units : 0);
}

// --8<-- [start:cell]
struct Cell {
  double smallest;
  double largest;
};
// --8<-- [end:cell]

bool at_owner() {
  // --8<-- [start:at]
  dash::Array<Cell> cells(100);
  std::fill(cells.lbegin(), cells.lend(), Cell{0, 0});
  cells.barrier();

  const auto extend = [](Cell& cell, double value) {
    static std::mutex mutex;  // several calls may run at the same time
    const std::lock_guard lock(mutex);
    cell.smallest = std::min(cell.smallest, value);
    cell.largest = std::max(cell.largest, value);
  };
  for (int i = 0; i < 100; ++i)
    dash::async_at(cells.begin() + i, extend, i % 2 == 0 ? -1.0 * dash::myid() : 2.0);
  dash::quiesce();
  // --8<-- [end:at]
  bool is_right = true;
  for (std::size_t i = 0; i < cells.lsize(); ++i) {
    const bool is_even = cells.pattern().global(static_cast<long>(i)) % 2 == 0;
    const Cell& cell = cells.local[static_cast<long>(i)];
    is_right &= cell.smallest == (is_even ? 1.0 - num_units() : 0.0);
    is_right &= cell.largest == (is_even ? 0.0 : 2.0);
  }
  dash::barrier();
  return is_right;
}

bool short_functions() {
  num_events = 0;
  dash::barrier();
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:am]
  const long before = dash::am(unit, [] { return num_events.fetch_add(1); }).get();
  const auto add = [](long n) { num_events += n; };
  dash::am_ff(unit, add, 5L);
  // --8<-- [end:am]
  dash::quiesce();
  return before == 0 && num_events == 6;
}

// --8<-- [start:dist-type]
struct Directory {
  std::map<std::string, int> numbers;
  std::mutex mutex;
};

void add_entry(dash::DistObject<Directory>& own, std::string name, int number) {
  const std::lock_guard lock(own->mutex);
  own->numbers[name] = number;
}

std::optional<int> find_entry(dash::DistObject<Directory>& own, std::string name) {
  const std::lock_guard lock(own->mutex);
  const auto found = own->numbers.find(name);
  return found == own->numbers.end() ? std::nullopt : std::optional(found->second);
}
// --8<-- [end:dist-type]

bool distributed_objects() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:dist-object]
  dash::DistObject<Directory> directory;  // collective
  dash::rpc(unit, add_entry, directory, std::string("answer"), 42).get();
  const std::optional<int> found =
      dash::rpc(unit, find_entry, directory, std::string("answer")).get();
  dash::quiesce();  // no call may use an object that its unit has destroyed
  // --8<-- [end:dist-object]

  // --8<-- [start:fetch]
  const dash::DistObject<std::string> name("unit " + std::to_string(dash::myid().id));
  const std::string other = name.fetch(unit).get();
  dash::barrier();
  // --8<-- [end:fetch]
  return found == 42 && other == "unit " + std::to_string(unit);
}

bool objects_in_place() {
  // --8<-- [start:in-place]
  using Flags = std::vector<std::atomic<bool>>;  // cannot be moved or copied
  dash::DistObject<Flags> flags(std::in_place, dash::Team::All(), 10);
  // --8<-- [end:in-place]
  const int unit = (dash::myid() + 1) % num_units();
  dash::am_ff(
      unit, [](dash::DistObject<Flags>& own, int i) { (*own)[i] = true; }, flags, 3);
  dash::quiesce();
  return (*flags)[3] && !(*flags)[4];
}

bool aggregation() {
  constexpr std::size_t num_bins = 100;
  // --8<-- [start:aggregator]
  using Bins = dash::DistObject<std::vector<int>>;
  Bins bins{std::vector<int>(num_bins)};  // of each unit
  dash::Aggregator<void(std::size_t)> count([](Bins& own, std::size_t bin) { ++(*own)[bin]; },
                                            bins);
  for (int i = 0; i < 10'000; ++i)
    count(i % num_units(), static_cast<std::size_t>(i) % num_bins);
  dash::quiesce();
  // --8<-- [end:aggregator]
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:flush]
  count(unit, 5);
  count.flush();
  // --8<-- [end:flush]
  dash::quiesce();
  const int all =
      dash::allreduce(std::accumulate(bins->begin(), bins->end(), 0), dash::plus<int>());
  return all == 10'001 * num_units();
}

bool functions_as_values() {
  const int unit = (dash::myid() + 1) % num_units();
  // --8<-- [start:global-function]
  using Function = dash::GlobalFunction<double(double)>;
  const auto integrate = [](Function f, int n) {
    const auto address = f.address();  // found once, for many calls
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += address((i + 0.5) / n) / n;
    return sum;
  };
  const Function square = [](double x) { return x * x; };
  const double area = dash::rpc(unit, integrate, square, 100).get();
  // --8<-- [end:global-function]
  return area > 0.333 && area < 0.334;
}

bool teams() {
  bool is_right = true;
  // --8<-- [start:team]
  dash::Team& half = dash::Team::All().split(2);
  if (!half.is_null()) {
    const auto id = [] { return dash::myid().id; };
    const int first = dash::rpc(0, dash::on(half), id).get();  // unit 0 of the team
    dash::quiesce(half);                                       // waits for calls of this team only
    is_right = first == half.global_id(dash::team_unit_t(0)).id;
  }
  // --8<-- [end:team]
  dash::barrier();
  // --8<-- [start:priority]
  dash::rpc_ff(0, dash::tasks::priority::high, [] { ++num_events; });
  // --8<-- [end:priority]
  dash::quiesce();
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  // --8<-- [start:register]
  dash::register_exception<NoSuchEntry>("NoSuchEntry");
  dash::init(&argc, &argv);
  // --8<-- [end:register]
  int wrong = 0;
  for (const auto section :
       {calls, own_types, types_of_cereal, views, results, coroutines, exceptions, fire_and_forget,
        at_owner, short_functions, distributed_objects, objects_in_place, aggregation,
        functions_as_values, teams})
    wrong += section() ? 0 : 1;
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
