// dash-bench: units=2 layouts=node,nolocal
//
// UnorderedMap: inserting and finding a million keys, which are distributed evenly over all units. Compared
// with a std::unordered_map on each unit and MPI messages: requests one by one, and in bulk.

#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/UnorderedMap.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t num_keys = 1'000'000;
constexpr int rounds = 7;

using Map = dash::UnorderedMap<long, long, dash::HashUniform<long>>;
using Item = std::pair<long, long>;

/// The items that this unit inserts, and the keys that it searches: inserted by any unit, in another order.
struct Work {
  std::vector<Item> items;
  std::vector<long> searched;
};

Work make_work(const World& world) {
  std::mt19937_64 random(4711);
  std::vector<long> keys(num_keys);
  for (long& key : keys)
    key = static_cast<long>(random());
  const auto begin = num_keys * static_cast<std::size_t>(world.unit()) / world.units();
  const auto end = num_keys * static_cast<std::size_t>(world.unit() + 1) / world.units();
  Work work;
  for (std::size_t i = begin; i < end; ++i)
    work.items.emplace_back(keys[i], static_cast<long>(i));
  std::shuffle(keys.begin(), keys.end(), random);
  work.searched.assign(keys.begin() + static_cast<long>(begin),
                       keys.begin() + static_cast<long>(end));
  return work;
}

/// The library's map, with its fastest operations for one key and for many.
class Ours {
 public:
  Ours(const Work& work, bool reserved) : _work(work), _reserved(reserved) {}

  void prepare() {
    _map.reset();
    _map = std::make_unique<Map>(_reserved ? num_keys : 0);
  }
  void insert_one_by_one() {
    for (const Item& item : _work.items)
      do_not_optimize(_map->insert({item.first, item.second}).second);
  }
  void insert_all() { do_not_optimize(_map->insert(_work.items.begin(), _work.items.end())); }
  void find_one_by_one() {
    for (const long key : _work.searched)
      do_not_optimize(_map->value_of(key).value());
  }
  void find_all() {
    _found.resize(_work.searched.size());
    _map->find_values(_work.searched.begin(), _work.searched.end(), _found.begin());
    clobber_memory(_found.data());
  }

 private:
  const Work& _work;
  bool _reserved;
  std::unique_ptr<Map> _map;
  std::vector<std::optional<long>> _found;
};

/// A std::unordered_map on each unit, accessed by messages.
class Baseline {
 public:
  Baseline(const Work& work, const World& world, bool reserved)
      : _work(work), _units(world.units()), _unit(world.unit()), _reserved(reserved) {}

  void prepare() {
    _table = {};
    if (_reserved) _table.reserve(num_keys / static_cast<std::size_t>(_units) * 11 / 10);
  }

  void insert_one_by_one() {
    for (const Item& item : _work.items) {
      const int owner = owner_of(item.first);
      if (owner == _unit) {
        do_not_optimize(_table.insert(item).second);
      } else {
        do_not_optimize(request(owner, insertion, item));
      }
    }
    serve_until_all_units_are_done();
  }
  void find_one_by_one() {
    for (const long key : _work.searched) {
      const int owner = owner_of(key);
      do_not_optimize(owner == _unit ? _table.find(key)->second : request(owner, search, {key, 0}));
    }
    serve_until_all_units_are_done();
  }

  void insert_all() {
    sort_by_owner(_work.items, [](const Item& item) { return item.first; });
    exchange(_items, _received_items, _send_counts, _receive_counts, 2);
    for (const Item& item : _received_items)
      _table.insert(item);
  }
  void find_all() {
    std::vector<std::size_t> positions;
    std::vector<long> keys;
    sort_keys(keys, positions);
    std::vector<long> received;
    exchange(keys, received, _send_counts, _receive_counts, 1);
    for (long& key : received)
      key = _table.find(key)->second;
    std::vector<long> values;
    exchange(received, values, _receive_counts, _send_counts, 1);
    _found.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      _found[positions[i]] = values[i];
    clobber_memory(_found.data());
  }

 private:
  enum Tag { insertion, search, reply, done };

  int owner_of(long key) const { return static_cast<int>(_hash(key)); }

  /// Sends a request, and serves requests of other units until its reply arrives.
  long request(int owner, Tag tag, const Item& item) {
    MPI_Send(&item, 2, MPI_LONG, owner, tag, MPI_COMM_WORLD);
    while (true) {
      Item received;
      if (serve(received) == reply) return received.first;
    }
  }
  int serve(Item& received) {
    MPI_Status status;
    MPI_Recv(&received, 2, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == done) ++_num_done;
    if (status.MPI_TAG != insertion && status.MPI_TAG != search) return status.MPI_TAG;
    const long result = status.MPI_TAG == insertion ? long{_table.insert(received).second}
                                                    : _table.find(received.first)->second;
    MPI_Send(&result, 1, MPI_LONG, status.MPI_SOURCE, reply, MPI_COMM_WORLD);
    return status.MPI_TAG;
  }
  void serve_until_all_units_are_done() {
    for (int unit = 0; unit < _units; ++unit) {
      if (unit != _unit) MPI_Send(nullptr, 0, MPI_LONG, unit, done, MPI_COMM_WORLD);
    }
    Item received;
    while (_num_done != _units - 1)
      serve(received);
    _num_done = 0;
    MPI_Barrier(MPI_COMM_WORLD);
  }

  template <class T, class KeyOf>
  void sort_by_owner(const std::vector<T>& from, KeyOf key_of) {
    count_owners(from, key_of);
    _items.resize(from.size());
    std::vector<int> next = offsets(_send_counts);
    for (const T& item : from)
      _items[static_cast<std::size_t>(next[owner_at(key_of(item))]++)] = item;
  }
  void sort_keys(std::vector<long>& keys, std::vector<std::size_t>& positions) {
    count_owners(_work.searched, [](long key) { return key; });
    keys.resize(_work.searched.size());
    positions.resize(keys.size());
    std::vector<int> next = offsets(_send_counts);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto at = static_cast<std::size_t>(next[owner_at(_work.searched[i])]++);
      keys[at] = _work.searched[i];
      positions[at] = i;
    }
  }
  std::size_t owner_at(long key) const { return static_cast<std::size_t>(owner_of(key)); }
  template <class T, class KeyOf>
  void count_owners(const std::vector<T>& from, KeyOf key_of) {
    _send_counts.assign(static_cast<std::size_t>(_units), 0);
    for (const T& item : from)
      ++_send_counts[owner_at(key_of(item))];
    _receive_counts.resize(_send_counts.size());
    MPI_Alltoall(_send_counts.data(), 1, MPI_INT, _receive_counts.data(), 1, MPI_INT,
                 MPI_COMM_WORLD);
  }
  static std::vector<int> offsets(const std::vector<int>& counts) {
    std::vector<int> result(counts.size(), 0);
    for (std::size_t i = 1; i < counts.size(); ++i)
      result[i] = result[i - 1] + counts[i - 1];
    return result;
  }
  template <class T>
  static void exchange(const std::vector<T>& send, std::vector<T>& receive,
                       const std::vector<int>& send_counts, const std::vector<int>& receive_counts,
                       int longs) {
    const auto scaled = [longs](std::vector<int> counts) {
      for (int& count : counts)
        count *= longs;
      return counts;
    };
    std::size_t total = 0;
    for (const int count : receive_counts)
      total += static_cast<std::size_t>(count);
    receive.resize(total);
    MPI_Alltoallv(send.data(), scaled(send_counts).data(), scaled(offsets(send_counts)).data(),
                  MPI_LONG, receive.data(), scaled(receive_counts).data(),
                  scaled(offsets(receive_counts)).data(), MPI_LONG, MPI_COMM_WORLD);
  }

  const Work& _work;
  int _units;
  int _unit;
  bool _reserved;
  int _num_done = 0;
  dash::HashUniform<long> _hash;
  std::unordered_map<long, long> _table;
  std::vector<Item> _items;
  std::vector<Item> _received_items;
  std::vector<int> _send_counts;
  std::vector<int> _receive_counts;
  std::vector<long> _found;
};

/// \returns nanoseconds per key, between two barriers
template <class F>
double time_of(F&& f) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double ns = measure_ns_per_call(1, [&](long) {
    f();
    dash::Team::All().barrier();
  });
  return ns / static_cast<double>(num_keys);
}

/// Each round measures ours, the baseline, and the baseline again; each inserts into an empty table, then
/// finds.
template <class OurInsert, class OurFind, class BaselineInsert, class BaselineFind>
void add_comparison(const std::string& method, Ours& ours, Baseline& baseline, OurInsert our_insert,
                    OurFind our_find, BaselineInsert baseline_insert, BaselineFind baseline_find,
                    const Goal& goal, Table& table) {
  std::array<Samples, 3> inserts;
  std::array<Samples, 3> finds;
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t which = 0; which < 3; ++which) {
      double insert = 0;
      double find = 0;
      if (which == 0) {
        ours.prepare();
        insert = time_of([&] { (ours.*our_insert)(); });
        find = time_of([&] { (ours.*our_find)(); });
      } else {
        baseline.prepare();
        insert = time_of([&] { (baseline.*baseline_insert)(); });
        find = time_of([&] { (baseline.*baseline_find)(); });
      }
      if (round == 0) continue;
      inserts[which].push_back(insert);
      finds[which].push_back(find);
    }
  }
  table.add(make_row("insert, " + method, "1e6 keys", "unordered_map",
                     compare_samples(inserts[0], inserts[1], inserts[2]), goal));
  table.add(make_row("find, " + method, "1e6 keys", "unordered_map",
                     compare_samples(finds[0], finds[1], finds[2]), goal));
}

void measure(const World& world) {
  const Work work = make_work(world);
  Table table;
  for (const bool reserved : {true, false}) {
    Ours ours(work, reserved);
    Baseline baseline(work, world, reserved);
    const std::string size = reserved ? ", reserved" : ", growing";
    add_comparison("in bulk" + size, ours, baseline, &Ours::insert_all, &Ours::find_all,
                   &Baseline::insert_all, &Baseline::find_all, ratio_at_most(1.0), table);
    if (!reserved) continue;
    const Goal goal = ratio_at_most(1.0 / 3);
    if (world.on_one_node()) {
      add_comparison("one by one", ours, baseline, &Ours::insert_one_by_one, &Ours::find_one_by_one,
                     &Baseline::insert_one_by_one, &Baseline::find_one_by_one, goal, table);
    } else {
      // Between nodes each single operation needs a round trip of messages; the bulk operations avoid that.
      add_comparison("in bulk vs. one by one", ours, baseline, &Ours::insert_all, &Ours::find_all,
                     &Baseline::insert_one_by_one, &Baseline::find_one_by_one, goal, table);
    }
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
