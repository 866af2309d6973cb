// What UPC++ programs do with global pointers, remote procedure calls, futures and atomic domains,
// written with DASH. docs/how-to/port-from-upcxx.md names the UPC++ counterpart of each section.
// dash-example: units=1,2,3,4,7
#include <libdash.h>

#include <cstddef>
#include <map>
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

/// Requests that run code at the unit that owns the data: a bank with accounts at all units. Tasks
/// of the owner change its accounts. One thread of each unit sends requests.
class Bank {
 public:
  // --8<-- [start:service]
  struct Request {
    int account;
    double amount;
    bool is_last = false;  // the client sends no more requests
  };

  // Each unit has one slot, and two signals, for each client.
  Bank()
      : _requests(dash::size() * dash::size()),
        _replies(dash::size() * dash::size()),
        _called(dash::size()),
        _answered(dash::size()),
        _balances(10, 100.0) {
    for (int client = 0; client < static_cast<int>(dash::size()); ++client)
      _servers.push_back(dash::async([this, client] { serve(client); }));
  }

  // Changes the balance of an account at `owner`, and returns the new balance.
  double call(dash::team_unit_t owner, const Request& request) {
    const dash::signal_t number = send(owner, request);
    _answered[static_cast<std::size_t>(owner.id)].wait_until(number);
    return _replies.local[owner.id];
  }

  // Ends the service when all units have called it.
  void close() {
    for (const int owner : dash::Team::All())
      send(dash::team_unit_t(owner), {0, 0, true});
    for (auto& server : _servers)
      server.get();
  }
  // --8<-- [end:service]

 private:
  // --8<-- [start:server]
  dash::signal_t send(dash::team_unit_t owner, const Request& request) {
    const dash::signal_t number = ++_num_calls[owner.id];
    const auto slot = _requests.begin() + owner.id * size() + dash::myid();
    dash::put_signal(&request, &request + 1, slot, _called(owner, my_index()), number);
    return number;
  }

  void serve(int client) {  // a task; suspended while it waits
    const auto from = static_cast<std::size_t>(client);
    for (dash::signal_t number = 1;; ++number) {
      _called[from].wait_until(number);
      const Request request = _requests.local[client];
      if (request.is_last) return;
      const double balance = change(request);  // runs at the owner of the account
      const auto slot = _replies.begin() + client * size() + dash::myid();
      dash::put_signal(&balance, &balance + 1, slot,
                       _answered(dash::team_unit_t(client), my_index()), number);
    }
  }
  // --8<-- [end:server]

  double change(const Request& request) {
    const std::lock_guard lock(_mutex);  // tasks may run on several threads
    double& balance = _balances[static_cast<std::size_t>(request.account)];
    if (balance + request.amount >= 0) balance += request.amount;
    return balance;
  }
  static int size() { return static_cast<int>(dash::size()); }
  static std::size_t my_index() { return static_cast<std::size_t>(dash::myid().id); }

  dash::Array<Request> _requests;
  dash::Array<double> _replies;
  dash::SignalArray _called;
  dash::SignalArray _answered;
  std::vector<double> _balances;
  std::mutex _mutex;
  std::map<int, dash::signal_t> _num_calls;
  std::vector<dash::Future<void>> _servers;
};

bool runs_code_at_owner() {
  bool right_balances = true;
  // --8<-- [start:rpc]
  Bank bank;  // collective
  const dash::team_unit_t owner = right_of(dash::myid());
  const double after_deposit = bank.call(owner, {3, 50});
  const double after_failure = bank.call(owner, {3, -1000});  // refused
  bank.close();
  // --8<-- [end:rpc]
  right_balances = after_deposit == 150 && after_failure == 150;
  dash::barrier();
  return right_balances;
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
