// What UPC++ programs do with global pointers, remote procedure calls, futures and atomic domains,
// written with DASH. docs/how-to/port-from-upcxx.md names the UPC++ counterpart of each section.
// dash-example: units=1,2,3,4,7
#include <dash/DistObject.h>
#include <dash/Rpc.h>
#include <libdash.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace {

constexpr long per_unit = 100;

/// The right neighbour on a ring of all units.
dash::team_unit_t right_of(int unit) {
  return dash::team_unit_t((unit + 1) % static_cast<int>(dash::size()));
}

/// Part of a distributed object, and a continuation on a remote read.
bool gets_part_of_neighbour() {
  bool right_value = false;
  // --8<-- [start:memory]
  dash::Array<int> data(per_unit * dash::size());  // per_unit elements at each unit
  std::iota(data.lbegin(), data.lend(), per_unit * dash::myid());
  dash::barrier();  // all parts are written

  std::vector<int> copy(per_unit);
  const auto part = data.begin() + per_unit * right_of(dash::myid()).id;
  dash::Future<long> sum = dash::copy_async(part, part + per_unit, copy.data()).then([&copy](int*) {
    return std::accumulate(copy.begin(), copy.end(), 0L);
  });
  // Other work may follow here, before the result is needed.
  right_value = sum.get() == per_unit * (copy.front() + copy.back()) / 2;
  // --8<-- [end:memory]
  right_value &= copy.front() == per_unit * right_of(dash::myid()).id;
  dash::barrier();
  return right_value;
}

/// A distributed hash table: all units insert and count the same keys.
bool counts_keys() {
  // --8<-- [start:table]
  dash::UnorderedMap<int, dash::Atomic<int>, dash::HashUniform<int>> table(per_unit);
  for (int key = 0; key < per_unit; ++key)
    table[key].add(1);  // inserts a missing key with the value 0
  dash::barrier();
  const auto found = table.find(7);
  // --8<-- [end:table]
  bool right_counts = table.size() == per_unit && found != table.end();
  right_counts &= table.at(7).load() == static_cast<int>(dash::size());
  dash::barrier();
  return right_counts;
}

/// A put that notifies its target.
bool notifies_neighbour() {
  const std::vector<double> row(per_unit, dash::myid());
  // --8<-- [start:notify]
  dash::Array<double> halo(per_unit * dash::size());
  dash::SignalArray arrived;
  const dash::team_unit_t right = right_of(dash::myid());
  dash::put_signal(row.data(), row.data() + per_unit, halo.begin() + per_unit * right.id,
                   arrived(right), 1);
  arrived[0].wait_until(1);  // the left neighbour's row is in halo.local
  // --8<-- [end:notify]
  const auto size = static_cast<int>(dash::size());
  const bool right_row = halo.local[0] == (dash::myid() + size - 1) % size;
  dash::barrier();
  return right_row;
}

// --8<-- [start:accounts]
/// The accounts of a unit.
struct Accounts {
  std::vector<double> balances = std::vector<double>(10, 100.0);
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();
};

/// Runs at the owner of the account. Returns the new balance, and refuses a negative one.
double change_balance(dash::DistObject<Accounts>& own, std::size_t account, double amount) {
  const std::lock_guard lock(*own->mutex);  // several calls may run at the same time
  double& balance = own->balances.at(account);
  if (balance + amount >= 0) balance += amount;
  return balance;
}
// --8<-- [end:accounts]

bool runs_code_at_owner() {
  // --8<-- [start:rpc]
  dash::DistObject<Accounts> accounts;
  const dash::team_unit_t owner = right_of(dash::myid());
  const std::size_t account = 3;
  const double after_deposit = dash::rpc(owner, change_balance, accounts, account, 50.0).get();
  const double after_failure = dash::rpc(owner, change_balance, accounts, account, -1000.0).get();
  dash::quiesce();  // all calls have ended, before the objects are destroyed
  // --8<-- [end:rpc]
  return after_deposit == 150 && after_failure == 150;
}

/// An atomic counter, and collectives with futures.
bool counts_and_reduces() {
  const auto size = static_cast<long>(dash::size());
  // --8<-- [start:atomic]
  dash::Shared<dash::Atomic<long>> counter;  // at unit 0
  const long ticket = counter.get().fetch_add(1);
  dash::Future<long> sum = dash::allreduce_async(ticket, dash::plus<long>());
  dash::Future<long> root = dash::bcast_async(ticket, dash::team_unit_t(0));
  auto both = dash::when_all(std::move(sum), std::move(root));
  // --8<-- [end:atomic]
  auto [total, first] = both.get();
  const bool right_total = total.get() == size * (size - 1) / 2 && first.get() < size;
  dash::barrier();
  return right_total;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  wrong += gets_part_of_neighbour() ? 0 : 1;
  wrong += counts_keys() ? 0 : 1;
  wrong += notifies_neighbour() ? 0 : 1;
  wrong += runs_code_at_owner() ? 0 : 1;
  wrong += counts_and_reduces() ? 0 : 1;
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
