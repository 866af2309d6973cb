// Asynchronous copies, signals and collectives: what docs/explanation/collectives.md shows.
// dash-example: units=1,2,4
#include <dash/DataCollectives.h>
#include <libdash.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <vector>

namespace {

/// The types of the futures of copy_async.
bool copies() {
  constexpr long n = 1000;
  std::vector<int> source(n, dash::myid());
  std::vector<int> local(n);
  // --8<-- [start:copy-types]
  dash::Array<int> a(n * dash::size());
  const auto own = a.begin() + n * dash::myid();
  const int* const first = source.data();

  // native to global
  dash::Future<decltype(a.begin())> put = dash::copy_async(first, first + n, own);
  const auto end_of_put = put.get();  // own + n

  // global to native
  dash::Future<int*> get = dash::copy_async(own, own + n, local.data());
  int* const end_of_get = get.get();  // local.data() + n
  // --8<-- [end:copy-types]
  a.barrier();
  return end_of_put == own + n && end_of_get == local.data() + n && local == source;
}

/// Each unit sends a row to its right neighbour in each step, without a barrier.
bool ring_of_signals() {
  constexpr long n = 64;
  constexpr dash::signal_t steps = 20;
  bool right_values = true;
  std::vector<double> row(n);
  const auto compute = [&row](dash::signal_t step) {
    std::fill(row.begin(), row.end(), step + 100.0 * dash::myid());
  };
  const auto size = static_cast<int>(dash::size());
  const int left_id = (dash::myid() + size - 1) % size;
  const auto use = [&](const double* halo, dash::signal_t step) {
    right_values &=
        std::all_of(halo, halo + n, [&](double value) { return value == step + 100.0 * left_id; });
  };
  // --8<-- [start:ring]
  // Two rows of each unit, and two signals: "arrived" and "read".
  dash::Array<double> halo(2 * n * dash::size());
  dash::SignalArray signals(2);
  const dash::team_unit_t left((dash::myid() + size - 1) % size);
  const dash::team_unit_t right((dash::myid() + 1) % size);

  for (dash::signal_t step = 1; step <= steps; ++step) {
    compute(step);  // changes `row`
    // The right neighbour has read the row that is overwritten now.
    if (step > 2) signals[1].wait_until(step - 2);
    const auto out = halo.begin() + (2 * right.id + step % 2) * n;
    dash::put_signal(row.data(), row.data() + n, out, signals(right, 0), step);
    // The row of the left neighbour is visible.
    signals[0].wait_until(step);
    use(halo.lbegin() + step % 2 * n, step);
    signals(left, 1).set(step);  // the neighbour may overwrite it
  }
  // --8<-- [end:ring]
  halo.barrier();
  return right_values;
}

/// A reduction that proceeds while the unit computes.
bool overlapped_reduction() {
  bool updated = false;
  const double local_residual = 1.0 / (1 + dash::myid());
  const double tolerance = 0.5;
  const auto update_interior = [&updated] { updated = true; };
  bool is_converged = false;
  // --8<-- [start:allreduce]
  auto residual = dash::allreduce_async(local_residual, dash::max<double>());
  update_interior();  // the reduction proceeds in the meantime
  if (residual.get() < tolerance) is_converged = true;
  // --8<-- [end:allreduce]
  return updated && !is_converged;  // the maximum is that of unit 0: 1
}

/// Waits for a future of type Future<Expected>.
template <class Expected, class T>
bool returns(dash::Future<T> future) {
  static_assert(std::is_same_v<Expected, T>);
  future.wait();
  return true;
}

/// The calls and types that the table of docs/explanation/collectives.md lists.
bool collectives_of_table() {
  const dash::Team& team = dash::Team::All();
  const dash::team_unit_t root(0);
  int own = dash::myid();
  std::vector<int> all(dash::size());
  dash::Shared<int> shared(own, root);
  dash::Coarray<int> coarray;

  bool right = returns<void>(dash::barrier_async(team));
  right &= returns<void>(team.barrier_async());
  right &= returns<void>(dash::bcast_async(&own, 1, root, team)) && own == 0;
  own = dash::myid();
  right &= dash::bcast_async(own, root, team).get() == 0;
  right &= returns<int>(dash::bcast_async(own, root, team));
  right &= returns<void>(dash::broadcast_async(all.begin(), all.end(), root, team));
  right &= returns<int>(dash::broadcast_async(shared));
  right &= returns<void>(dash::broadcast_async(coarray, root));
  right &= returns<void>(dash::allgather_async(&own, all.data(), 1, team)) &&
           all.back() + 1u == all.size();
  right &= returns<std::vector<int>>(dash::allgather_async(own, team));
  int sum = 0;
  right &= returns<void>(dash::allreduce_async(&own, &sum, 1, dash::plus<int>(), team));
  right &= returns<int>(dash::allreduce_async(own, dash::plus<int>(), team));
  right &= returns<void>(dash::reduce_async(&own, &sum, 1, dash::plus<int>(), root, team));
  right &= returns<int>(dash::reduce_async(own, dash::plus<int>(), root, team));

  dash::broadcast(all.begin(), all.end(), root, team);
  right &= dash::broadcast(shared) == 0;
  dash::broadcast(coarray, root);
  team.barrier();
  dash::barrier();
  const auto units = static_cast<int>(dash::size());
  return right && sum == units * (units - 1) / 2;
}

/// Elements that each unit sends to the others, and their positions.
bool data_collectives() {
  const int me = dash::myid();
  const auto num_units = dash::size();
  // --8<-- [start:data]
  std::vector<std::vector<int>> outgoing(num_units);  // for each unit
  for (std::size_t unit = 0; unit < num_units; ++unit)
    outgoing[unit].assign(unit + 1, me);  // unit 0 gets one element, unit 1 two, ...
  const std::vector<std::vector<int>> incoming = dash::alltoallv(outgoing);

  std::size_t count = 0;
  for (const std::vector<int>& from_unit : incoming)
    count += from_unit.size();
  const std::size_t first = dash::exscan(count, std::size_t{0}, std::plus<>());
  // --8<-- [end:data]
  bool is_right = first == num_units * static_cast<std::size_t>(me * (me + 1) / 2);
  for (std::size_t unit = 0; unit < num_units; ++unit) {
    is_right &= incoming[unit] ==
                std::vector<int>(static_cast<std::size_t>(me) + 1, static_cast<int>(unit));
  }
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool right = copies();
  right &= ring_of_signals();
  right &= overlapped_reduction();
  right &= collectives_of_table();
  right &= data_collectives();
  dash::finalize();
  return right ? 0 : 1;
}
