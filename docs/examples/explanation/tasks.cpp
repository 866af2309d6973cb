// Tasks without an order, and tasks that are ordered by the memory they use: docs/explanation/tasks.md.
// dash-example: units=1,2,4
#include <libdash.h>

#include <numeric>
#include <vector>

namespace tasks = dash::tasks;

namespace {

constexpr long n = 1000;

double norm_of(const std::vector<double>& block) {
  return std::inner_product(block.begin(), block.end(), block.begin(), 0.0);
}

/// A task without dependencies, and its result.
bool runs_unordered_task() {
  const std::vector<double> block(n, 2.0);
  const auto other_work = [] { return 1 + dash::myid(); };
  // --8<-- [start:async]
  dash::Future<double> norm = dash::async([&] { return norm_of(block); });
  const int other = other_work();  // the task may run in the meantime
  const double value = norm.get();
  // --8<-- [end:async]
  return value == 4.0 * n && other == 1 + dash::myid();
}

/// A loop that is complete when the call returns.
bool runs_parallel_loop() {
  std::vector<double> squares(n);
  // --8<-- [start:parallel-for]
  dash::parallel_for(squares.size(), [&](std::size_t i) {
    const auto x = static_cast<double>(i);
    squares[i] = x * x;
  });
  // --8<-- [end:parallel-for]
  return squares[10] == 100 && squares[n - 1] == double(n - 1) * double(n - 1);
}

/// Each unit fills its block. In the next phase it adds the block of its left neighbour.
bool orders_tasks_of_all_units() {
  const auto size = static_cast<long>(dash::size());
  const long me = dash::myid();
  dash::Array<double> a(n * size);
  dash::Array<double> b(n * size);
  std::vector<double> copy(n);
  const auto fill = [&](double* block) { std::iota(block, block + n, double(me)); };
  const auto add = [&](const double* own, const double* other, double* sum) {
    for (long i = 0; i < n; ++i)
      sum[i] = own[i] + other[i];
  };
  const long left = (me + size - 1) % size;
  // --8<-- [start:phases]
  const dash::GlobPtr<double> left_block(a.begin() + left * n);

  tasks::async([&] { fill(a.lbegin()); }, tasks::out(a.lbegin(), n));
  tasks::phase();  // all units call it
  // The task starts when the own fill() and that of the left neighbour are done.
  const auto own = tasks::in(a.lbegin(), n);
  const auto neighbour = tasks::copyin(left_block, n, copy.data());
  const auto result = tasks::out(b.lbegin(), n);
  const auto add_blocks = [&] { add(a.lbegin(), copy.data(), b.lbegin()); };
  tasks::async(add_blocks, own, neighbour, result);
  tasks::wait();  // all units call it; all tasks of all units are done
  // --8<-- [end:phases]
  bool right = true;
  for (long i = 0; i < n; ++i)
    right &= b.local[i] == double(me + left + 2 * i);
  b.barrier();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool right = runs_unordered_task();
  right &= runs_parallel_loop();
  right &= orders_tasks_of_all_units();
  dash::finalize();
  return right ? 0 : 1;
}
