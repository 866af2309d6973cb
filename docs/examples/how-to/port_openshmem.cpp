// What OpenSHMEM programs do with symmetric memory, written with DASH: a bucket exchange of keys, a
// put with a signal, a strided put, a lock, and a team. docs/how-to/port-from-openshmem.md names
// the OpenSHMEM counterpart of each section.
// dash-example: units=1,2,3,4,7
#include <libdash.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace {

constexpr long keys_per_unit = 200;
constexpr long max_key = 1000;

/// The keys of the calling unit, pseudorandom.
std::vector<long> make_keys() {
  std::vector<long> keys;
  for (long i = 0; i < keys_per_unit; ++i)
    keys.push_back((i * 7919 + dash::myid() * 104729) % max_key);
  return keys;
}

/// Sends each key to the unit that owns its range. Returns whether no key is lost or misplaced.
bool exchanges_keys() {
  const std::vector<long> keys = make_keys();
  // --8<-- [start:allocate]
  const auto num_units = static_cast<long>(dash::size());
  const long capacity = keys_per_unit * num_units;
  dash::Array<long> inbox(capacity * num_units);            // `capacity` elements at each unit
  dash::Array<dash::Atomic<long>> num_received(num_units);  // one counter at each unit
  // --8<-- [end:allocate]

  // --8<-- [start:exchange]
  std::map<long, std::vector<long>> buckets;  // by owner
  for (const long key : keys)
    buckets[key * num_units / max_key].push_back(key);

  std::vector<dash::Future<decltype(inbox.begin())>> puts;
  for (const auto& [owner, bucket] : buckets) {
    const auto count = static_cast<long>(bucket.size());
    const long offset = num_received[owner].fetch_add(count);  // reserves elements
    puts.push_back(dash::copy_async(bucket.data(), bucket.data() + count,
                                    inbox.begin() + owner * capacity + offset));
  }
  for (auto& put : puts)
    put.get();
  dash::barrier();
  const long received = num_received[dash::myid()].load();
  std::sort(inbox.lbegin(), inbox.lbegin() + received);
  // --8<-- [end:exchange]

  bool in_place = true;
  for (long i = 0; i < received; ++i)
    in_place &= inbox.local[i] * num_units / max_key == dash::myid();
  // --8<-- [start:reduce]
  const long total = dash::allreduce_async(received, dash::plus<long>()).get();
  // --8<-- [end:reduce]
  dash::barrier();
  return in_place && total == capacity;
}

/// Unit 0 sends a block around the ring of all units.
bool circulates_block() {
  constexpr long n = 50;
  // --8<-- [start:signal]
  dash::Array<double> block(n * dash::size());
  dash::SignalArray arrived;
  const auto me = dash::myid();
  if (me == 0)
    std::fill(block.lbegin(), block.lend(), 3.5);
  else
    arrived[0].wait_until(1);
  if (me < static_cast<int>(dash::size()) - 1) {
    const dash::team_unit_t next(me + 1);
    dash::put_signal(block.lbegin(), block.lend(), block.begin() + n * next.id, arrived(next), 1);
  }
  // --8<-- [end:signal]
  const bool right_values = std::count(block.lbegin(), block.lend(), 3.5) == n;
  dash::barrier();
  return right_values;
}

/// Writes a row of values to a column of the next unit.
bool puts_column() {
  constexpr long rows = 8;
  constexpr long cols = 5;
  const std::vector<int> values(rows, dash::myid() + 1);
  // --8<-- [start:strided]
  // rows x cols elements at each unit: the blocks of the units are below each other.
  dash::NArray<int, 2> matrix(rows * dash::size(), cols);
  const long next = (dash::myid() + 1) % static_cast<long>(dash::size());
  const auto column = matrix.sub<0>(next * rows, rows).col(2);
  dash::copy(values.data(), values.data() + rows, column.begin());
  dash::barrier();
  // --8<-- [end:strided]
  const auto size = static_cast<int>(dash::size());
  const int expected = (dash::myid() + size - 1) % size + 1;
  bool right_column = true;
  for (long i = 0; i < rows; ++i)
    right_column &= matrix.lbegin()[i * cols + 2] == expected;
  dash::barrier();
  return right_column;
}

/// A lock around two elements that change together.
bool locks() {
  // --8<-- [start:lock]
  dash::Shared<long> sum;  // at unit 0
  dash::Shared<long> count;
  dash::Mutex mutex;
  {
    const std::lock_guard lock(mutex);
    sum.set(sum.get() + 10);  // complete when set() returns
    count.set(count.get() + 1);
  }
  dash::barrier();
  // --8<-- [end:lock]
  const auto size = static_cast<long>(dash::size());
  const bool right_values = sum.get() == 10 * size && count.get() == size;
  dash::barrier();
  return right_values;
}

/// A reduction within halves of the units.
bool splits() {
  bool right_sum = true;
  // --8<-- [start:team]
  dash::Team& half = dash::Team::All().split(2);  // contiguous units
  if (half.size() > 0) {                          // a single unit cannot be split
    const long one = 1;
    const long sum = dash::allreduce_async(one, dash::plus<long>(), half).get();
    right_sum = sum == static_cast<long>(half.size());
  }
  // --8<-- [end:team]
  return right_sum;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  wrong += exchanges_keys() ? 0 : 1;
  wrong += circulates_block() ? 0 : 1;
  wrong += puts_column() ? 0 : 1;
  wrong += locks() ? 0 : 1;
  wrong += splits() ? 0 : 1;
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
