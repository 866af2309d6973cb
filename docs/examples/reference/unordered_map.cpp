// dash::UnorderedMap: which unit owns a key with each hasher, access to elements, and many keys at a time.
// dash-example: units=1,3,4 layouts=node,nolocal
#include <libdash.h>

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace {

constexpr int num_keys = 12;

/// Prints the number of elements of each unit.
template <class Map>
void print_sizes(const char* hasher, const Map& map) {
  const std::vector<std::size_t> sizes = dash::allgather_async(map.lsize()).get();
  if (dash::myid() != 0) return;
  std::printf("%s:", hasher);
  for (const std::size_t size : sizes)
    std::printf(" %zu", size);
  std::puts("");
}

int owners() {
  // --8<-- [start:owners]
  dash::UnorderedMap<int, double> local_keys;  // the default hasher is HashLocal
  dash::UnorderedMap<int, double, dash::HashUniform<int>> uniform_keys;
  if (dash::myid() == 0) {
    for (int key = 0; key < num_keys; ++key) {
      local_keys.insert({key, 0.5 * key});
      uniform_keys.insert({key, 0.5 * key});
    }
  }
  local_keys.barrier();
  uniform_keys.barrier();
  print_sizes("HashLocal", local_keys);
  print_sizes("HashUniform", uniform_keys);
  // --8<-- [end:owners]
  int wrong = local_keys.lsize() == (dash::myid() == 0 ? num_keys : 0) ? 0 : 1;
  wrong += uniform_keys.size() == num_keys && uniform_keys.at(7) == 3.5 ? 0 : 1;
  wrong += local_keys.at(7) == 3.5 ? 0 : 1;  // found at unit 0
  local_keys.barrier();
  return wrong;
}

int duplicates() {
  const int me = dash::myid().id;
  // --8<-- [start:duplicates]
  dash::UnorderedMap<int, int> map;
  map.local.insert({5, me});  // every unit inserts the key 5 into its own part
  map.barrier();
  const std::size_t elements = map.size();  // one for each unit
  const int value = map.at(5);              // the caller's own element
  // --8<-- [end:duplicates]
  map.barrier();
  return elements == dash::size() && value == me ? 0 : 1;
}

// --8<-- [start:type]
using Map = dash::UnorderedMap<long, long, dash::HashUniform<long>>;
// --8<-- [end:type]

int elements() {
  const long me = dash::myid().id;
  // --8<-- [start:elements]
  Map map(1000);  // memory for 1000 elements of all units together
  const auto [position, inserted] = map.insert({me, 10 * me});
  map[me + 100] = 7;  // inserts the key, then assigns
  const long read = map[me + 100];
  const auto missing = map.find(-1);  // map.end()
  const std::optional<long> copy = map.value_of(me);
  const std::size_t erased = map.erase(me + 100);
  // --8<-- [end:elements]
  int wrong = inserted && position->second == 10 * me && read == 7 && missing == map.end() ? 0 : 1;
  wrong += copy == 10 * me && erased == 1 ? 0 : 1;
  map.barrier();
  // --8<-- [start:iterate]
  long sum = 0;
  for (const auto& [key, value] : map.local)  // native memory of the caller
    sum += value;
  sum = dash::allreduce_async(sum, dash::plus<long>()).get();

  long same = 0;
  for (auto it = map.begin(); it != map.end(); ++it)  // the elements of all units
    same += it->second;
  // --8<-- [end:iterate]
  map.barrier();
  const auto units = static_cast<long>(dash::size());
  return wrong + (sum == 5 * units * (units - 1) && same == sum ? 0 : 1);
}

int many_keys() {
  const long me = dash::myid().id;
  Map map;
  // --8<-- [start:bulk]
  std::vector<std::pair<long, long>> items;
  for (long i = 0; i < 500; ++i)
    items.emplace_back(500 * me + i, i);
  const std::size_t num_inserted = map.insert(items.begin(), items.end());
  map.barrier();

  std::vector<long> keys;
  for (long i = 0; i < 700; ++i)
    keys.push_back(3 * i);
  std::vector<std::optional<long>> values(keys.size());
  map.find_values(keys.begin(), keys.end(), values.begin());
  // --8<-- [end:bulk]
  int wrong = num_inserted == items.size() ? 0 : 1;
  const long end = 500 * static_cast<long>(dash::size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool exists = keys[i] < end;
    wrong += values[i].has_value() == exists && (!exists || *values[i] == keys[i] % 500) ? 0 : 1;
  }
  map.barrier();
  // --8<-- [start:async]
  std::vector<std::pair<long, long>> more{{-1 - me, 1}, {-1 - me, 2}};
  dash::Future<std::size_t> pending = map.insert_async(more.begin(), more.end());
  more.clear();                               // the source may be reused
  const std::size_t num_new = pending.get();  // 1: the key of the second item exists
  // --8<-- [end:async]
  wrong += num_new == 1 ? 0 : 1;
  map.barrier();
  return wrong;
}

int atomic_values() {
  // --8<-- [start:atomic]
  dash::UnorderedMap<int, dash::Atomic<long>, dash::HashUniform<int>> counts;
  for (int i = 0; i < 100; ++i)
    counts[i % 10].add(1);  // all units, the same keys
  counts.barrier();
  const long count = counts.at(3).load();  // 10 for each unit
  // --8<-- [end:atomic]
  counts.barrier();
  return count == 10 * static_cast<long>(dash::size()) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = owners();
  wrong += duplicates();
  wrong += elements();
  wrong += many_keys();
  wrong += atomic_values();
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
