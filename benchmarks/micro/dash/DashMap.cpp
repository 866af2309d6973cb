// dash-bench: units=2 layouts=node,nolocal
//
// UnorderedMap: inserts and finds of a million keys that all units own alike, against one
// std::unordered_map of each unit: with requests that are exchanged one by one, and in bulk.

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
#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t all_keys = 1'000'000;
constexpr int rounds = 7;

using Map = dash::UnorderedMap<long, long, dash::HashUniform<long>>;
using Item = std::pair<long, long>;

/// What this unit inserts, and what it looks for: keys that some unit has inserted, in another order.
struct Work {
  std::vector<Item> items;
  std::vector<long> wanted;
};

Work make_work(const World& world) {
  std::mt19937_64 random(4711);
  std::vector<long> keys(all_keys);
  for (long& key : keys)
    key = static_cast<long>(random());
  const auto begin = all_keys * static_cast<std::size_t>(world.unit()) / world.units();
  const auto end = all_keys * static_cast<std::size_t>(world.unit() + 1) / world.units();
  Work work;
  for (std::size_t i = begin; i < end; ++i)
    work.items.emplace_back(keys[i], static_cast<long>(i));
  std::shuffle(keys.begin(), keys.end(), random);
  work.wanted.assign(keys.begin() + static_cast<long>(begin),
                     keys.begin() + static_cast<long>(end));
  return work;
}

/// The library's map, at its best for one key and for many.
class Ours {
 public:
  Ours(const Work& work, bool sized) : _work(work), _sized(sized) {}

  void prepare() {
    _map.reset();
    _map = std::make_unique<Map>(_sized ? all_keys : 0);
  }
  void insert_singly() {
    for (const Item& item : _work.items)
      keep(_map->insert({item.first, item.second}).second);
  }
  void insert_all() { keep(_map->insert(_work.items.begin(), _work.items.end())); }
  void find_singly() {
    for (const long key : _work.wanted)
      keep(_map->value_of(key).value());
  }
  void find_all() {
    _found.resize(_work.wanted.size());
    _map->find_values(_work.wanted.begin(), _work.wanted.end(), _found.begin());
    keep_memory(_found.data());
  }

 private:
  const Work& _work;
  bool _sized;
  std::unique_ptr<Map> _map;
  std::vector<std::optional<long>> _found;
};

/// A table of the standard library on each unit, and messages.
class Twin {
 public:
  Twin(const Work& work, const World& world, bool sized)
      : _work(work), _units(world.units()), _unit(world.unit()), _sized(sized) {}

  void prepare() {
    _table = {};
    if (_sized) _table.reserve(all_keys / static_cast<std::size_t>(_units) * 11 / 10);
  }

  void insert_singly() {
    for (const Item& item : _work.items) {
      const int owner = owner_of(item.first);
      if (owner == _unit) {
        keep(_table.insert(item).second);
      } else {
        keep(ask(owner, insertion, item));
      }
    }
    serve_until_all_are_done();
  }
  void find_singly() {
    for (const long key : _work.wanted) {
      const int owner = owner_of(key);
      keep(owner == _unit ? _table.find(key)->second : ask(owner, search, {key, 0}));
    }
    serve_until_all_are_done();
  }

  void insert_all() {
    sort_by_owner(_work.items, [](const Item& item) { return item.first; });
    exchange(_items, _received_items, _send_counts, _receive_counts, 2);
    for (const Item& item : _received_items)
      _table.insert(item);
  }
  void find_all() {
    std::vector<std::size_t> places;
    std::vector<long> keys;
    sort_keys(keys, places);
    std::vector<long> received;
    exchange(keys, received, _send_counts, _receive_counts, 1);
    for (long& key : received)
      key = _table.find(key)->second;
    std::vector<long> values;
    exchange(received, values, _receive_counts, _send_counts, 1);
    _found.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      _found[places[i]] = values[i];
    keep_memory(_found.data());
  }

 private:
  enum Tag { insertion, search, answer, done };

  int owner_of(long key) const { return static_cast<int>(_hash(key)); }

  /// Sends a request and serves those of others until its answer comes.
  long ask(int owner, Tag tag, const Item& item) {
    MPI_Send(&item, 2, MPI_LONG, owner, tag, MPI_COMM_WORLD);
    while (true) {
      Item received;
      if (serve(received) == answer) return received.first;
    }
  }
  int serve(Item& received) {
    MPI_Status status;
    MPI_Recv(&received, 2, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == done) ++_done;
    if (status.MPI_TAG != insertion && status.MPI_TAG != search) return status.MPI_TAG;
    const long result = status.MPI_TAG == insertion ? long{_table.insert(received).second}
                                                    : _table.find(received.first)->second;
    MPI_Send(&result, 1, MPI_LONG, status.MPI_SOURCE, answer, MPI_COMM_WORLD);
    return status.MPI_TAG;
  }
  void serve_until_all_are_done() {
    for (int unit = 0; unit < _units; ++unit) {
      if (unit != _unit) MPI_Send(nullptr, 0, MPI_LONG, unit, done, MPI_COMM_WORLD);
    }
    Item received;
    while (_done != _units - 1)
      serve(received);
    _done = 0;
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
  void sort_keys(std::vector<long>& keys, std::vector<std::size_t>& places) {
    count_owners(_work.wanted, [](long key) { return key; });
    keys.resize(_work.wanted.size());
    places.resize(keys.size());
    std::vector<int> next = offsets(_send_counts);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto at = static_cast<std::size_t>(next[owner_at(_work.wanted[i])]++);
      keys[at] = _work.wanted[i];
      places[at] = i;
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
  bool _sized;
  int _done = 0;
  dash::HashUniform<long> _hash;
  std::unordered_map<long, long> _table;
  std::vector<Item> _items;
  std::vector<Item> _received_items;
  std::vector<int> _send_counts;
  std::vector<int> _receive_counts;
  std::vector<long> _found;
};

/// Nanoseconds for each of all keys, from a barrier to the next.
template <class F>
double time_of(F&& f) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double ns = time_each(1, [&](long) {
    f();
    dash::Team::All().barrier();
  });
  return ns / static_cast<double>(all_keys);
}

/// Takes turns: each round ours, the twin, the twin; each inserts into an empty table, then finds.
template <class OurInsert, class OurFind, class TwinInsert, class TwinFind>
void compare(const std::string& how, Ours& ours, Twin& twin, OurInsert our_insert, OurFind our_find,
             TwinInsert twin_insert, TwinFind twin_find, const Bar& bar, Table& table) {
  std::array<Samples, 3> inserts;
  std::array<Samples, 3> finds;
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t who = 0; who < 3; ++who) {
      double insert = 0;
      double find = 0;
      if (who == 0) {
        ours.prepare();
        insert = time_of([&] { (ours.*our_insert)(); });
        find = time_of([&] { (ours.*our_find)(); });
      } else {
        twin.prepare();
        insert = time_of([&] { (twin.*twin_insert)(); });
        find = time_of([&] { (twin.*twin_find)(); });
      }
      if (round == 0) continue;
      inserts[who].push_back(insert);
      finds[who].push_back(find);
    }
  }
  table.add(row_of("insert, " + how, "1e6 keys", "unordered_map",
                   outcome_of(inserts[0], inserts[1], inserts[2]), bar));
  table.add(row_of("find, " + how, "1e6 keys", "unordered_map",
                   outcome_of(finds[0], finds[1], finds[2]), bar));
}

void measure(const World& world) {
  const Work work = make_work(world);
  Table table;
  for (const bool sized : {true, false}) {
    Ours ours(work, sized);
    Twin twin(work, world, sized);
    const std::string size = sized ? ", sized" : ", growing";
    compare("in bulk" + size, ours, twin, &Ours::insert_all, &Ours::find_all, &Twin::insert_all,
            &Twin::find_all, ratio_at_most(1.0), table);
    if (!sized) continue;
    const Bar bar = ratio_at_most(1.0 / 3);
    if (world.on_one_node()) {
      compare("one by one", ours, twin, &Ours::insert_singly, &Ours::find_singly,
              &Twin::insert_singly, &Twin::find_singly, bar, table);
    } else {
      // An exchange of messages takes what it takes; there are the bulk forms, also without waiting.
      compare("in bulk against one by one", ours, twin, &Ours::insert_all, &Ours::find_all,
              &Twin::insert_singly, &Twin::find_singly, bar, table);
    }
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
