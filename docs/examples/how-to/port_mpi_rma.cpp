// One program with MPI RMA and with DASH: processes take tasks from a counter, store the results in
// a distributed table, count them in a distributed histogram, and send a column of a matrix to a
// neighbour. docs/how-to/port-from-mpi-rma.md compares the two versions.
// dash-example: units=1,2,3,4,7 uses=mpi
#include <libdash.h>
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "dash/dart/Mpi.h"

namespace {

constexpr int num_tasks = 300;
constexpr int num_bins = 10;
constexpr int rows = 20;
constexpr int cols = 3;  // columns of the matrix at each process

/// The result of a task, and its bin in the histogram.
double work(long task) {
  return static_cast<double>(task * task % 97) / 97;
}
int bin_of(double value) {
  return static_cast<int>(value * num_bins);
}

/// An element of the column that a process sends.
double element(int process, int row) {
  return 100.0 * process + row;
}

struct Result {
  std::vector<double> table;
  std::vector<long> histogram;
  std::vector<double> column;  // of the left neighbour
  bool operator==(const Result&) const = default;
};

/// A window with `each` elements of T at each process, all 0. `each` is even: in windows of other
/// sizes, MPI_Accumulate of MPICH 4.0.2 changes the wrong elements within a node.
template <class T>
MPI_Win make_window(int each, T** own, MPI_Comm comm) {
  // --8<-- [start:mpi-allocate]
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(static_cast<MPI_Aint>(sizeof(T)) * each, sizeof(T), MPI_INFO_NULL, comm, own,
                   &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  std::fill_n(*own, each, T());
  MPI_Win_sync(window);
  MPI_Barrier(comm);
  // --8<-- [end:mpi-allocate]
  return window;
}

void free_window(MPI_Win& window) {
  // --8<-- [start:mpi-free]
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  // --8<-- [end:mpi-free]
}

Result with_mpi(MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  Result result{std::vector<double>(num_tasks), std::vector<long>(num_bins),
                std::vector<double>(rows)};

  const auto even = [](int count) { return count + count % 2; };
  const int each = even((num_tasks + size - 1) / size);
  const int each_bin = even((num_bins + size - 1) / size);
  double* own_table = nullptr;
  long* own_bins = nullptr;
  long* own_counter = nullptr;
  MPI_Win table = make_window(each, &own_table, comm);
  MPI_Win histogram = make_window(each_bin, &own_bins, comm);
  MPI_Win counter = make_window(rank == 0 ? 2 : 0, &own_counter, comm);

  // --8<-- [start:mpi-tasks]
  std::vector<long> counts(num_bins);
  const long one = 1;
  for (;;) {
    long task = 0;
    MPI_Fetch_and_op(&one, &task, MPI_LONG, 0, 0, MPI_SUM, counter);
    MPI_Win_flush(0, counter);
    if (task >= num_tasks) break;
    const double value = work(task);
    const int owner = static_cast<int>(task) / each;
    MPI_Put(&value, 1, MPI_DOUBLE, owner, task % each, 1, MPI_DOUBLE, table);
    MPI_Win_flush_local(owner, table);  // `value` may be reused
    ++counts[static_cast<std::size_t>(bin_of(value))];
  }
  // --8<-- [end:mpi-tasks]
  // --8<-- [start:mpi-accumulate]
  for (int owner = 0; owner * each_bin < num_bins; ++owner) {
    const int count = std::min(each_bin, num_bins - owner * each_bin);
    MPI_Accumulate(counts.data() + owner * each_bin, count, MPI_LONG, owner, 0, count, MPI_LONG,
                   MPI_SUM, histogram);
  }
  // --8<-- [end:mpi-accumulate]
  // --8<-- [start:mpi-complete]
  MPI_Win_flush_all(table);
  MPI_Win_flush_all(histogram);
  MPI_Barrier(comm);
  MPI_Win_sync(table);  // for loads and stores through own_table
  MPI_Win_sync(histogram);
  // --8<-- [end:mpi-complete]
  // --8<-- [start:mpi-get]
  std::vector<MPI_Request> requests;
  for (int owner = 0; owner * each < num_tasks; ++owner) {
    const int count = std::min(each, num_tasks - owner * each);
    MPI_Rget(result.table.data() + owner * each, count, MPI_DOUBLE, owner, 0, count, MPI_DOUBLE,
             table, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  // --8<-- [end:mpi-get]
  for (int i = 0; i < num_bins; ++i)
    MPI_Get(&result.histogram[static_cast<std::size_t>(i)], 1, MPI_LONG, i / each_bin, i % each_bin,
            1, MPI_LONG, histogram);
  MPI_Win_flush_all(histogram);
  free_window(table);
  free_window(histogram);
  free_window(counter);

  const int left = (rank + size - 1) % size;
  const int right = (rank + 1) % size;
  std::vector<double> column;
  for (int i = 0; i < rows; ++i)
    column.push_back(element(rank, i));
  double* own = nullptr;
  MPI_Win matrix = MPI_WIN_NULL;
  MPI_Win_allocate(sizeof(double) * rows * cols, sizeof(double), MPI_INFO_NULL, comm, &own,
                   &matrix);
  // --8<-- [start:mpi-column]
  // `own` has rows * cols elements. The process writes the first column of its right neighbour.
  MPI_Datatype strided = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, cols, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group origin = MPI_GROUP_NULL;
  MPI_Group target = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, 1, &left, &origin);
  MPI_Group_incl(all, 1, &right, &target);

  MPI_Win_post(origin, 0, matrix);  // the left neighbour may write
  MPI_Win_start(target, 0, matrix);
  MPI_Put(column.data(), rows, MPI_DOUBLE, right, 0, 1, strided, matrix);
  MPI_Win_complete(matrix);
  MPI_Win_wait(matrix);  // the left neighbour has written
  // --8<-- [end:mpi-column]
  for (int i = 0; i < rows; ++i)
    result.column[static_cast<std::size_t>(i)] = own[i * cols];
  MPI_Group_free(&origin);
  MPI_Group_free(&target);
  MPI_Group_free(&all);
  MPI_Type_free(&strided);
  MPI_Win_free(&matrix);
  return result;
}

Result with_dash() {
  Result result{std::vector<double>(num_tasks), std::vector<long>(num_bins),
                std::vector<double>(rows)};
  // --8<-- [start:dash-allocate]
  dash::Array<double> table(num_tasks);  // elements are 0; ends with a barrier
  dash::Array<long> histogram(num_bins);
  dash::Shared<dash::Atomic<long>> counter;  // at unit 0
  // --8<-- [end:dash-allocate]

  // --8<-- [start:dash-tasks]
  std::vector<long> counts(num_bins);
  for (;;) {
    const long task = counter.get().fetch_add(1);
    if (task >= num_tasks) break;
    const double value = work(task);
    table.async[task] = value;  // does not wait for the owner
    ++counts[static_cast<std::size_t>(bin_of(value))];
  }
  // --8<-- [end:dash-tasks]
  // --8<-- [start:dash-accumulate]
  dash::transform(counts.data(), counts.data() + num_bins, histogram.begin(), histogram.begin(),
                  dash::plus<long>());
  // --8<-- [end:dash-accumulate]
  // --8<-- [start:dash-complete]
  dash::barrier();
  // --8<-- [end:dash-complete]
  // --8<-- [start:dash-get]
  auto copied = dash::copy_async(table.begin(), table.end(), result.table.data());
  copied.get();
  // --8<-- [end:dash-get]
  dash::copy(histogram.begin(), histogram.end(), result.histogram.data());

  const int me = dash::myid();
  const auto size = static_cast<int>(dash::size());
  std::vector<double> column;
  for (int i = 0; i < rows; ++i)
    column.push_back(element(me, i));
  // --8<-- [start:dash-column]
  // Each unit has all rows of `cols` columns. It writes the first column of its right neighbour.
  dash::NArray<double, 2> matrix(dash::SizeSpec<2>(rows, dash::size() * cols),
                                 dash::DistributionSpec<2>(dash::NONE, dash::BLOCKED));
  dash::SignalArray arrived;
  const dash::team_unit_t right((me + 1) % size);
  const auto target = matrix.col(right.id * cols);
  dash::put_signal(column.data(), column.data() + rows, target.begin(), arrived(right), 1);
  arrived[0].wait_until(1);  // the left neighbour has written
  // --8<-- [end:dash-column]
  for (int i = 0; i < rows; ++i)
    result.column[static_cast<std::size_t>(i)] = matrix.lbegin()[i * cols];
  dash::barrier();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  dash::init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_NULL;
  dart_team_communicator(DART_TEAM_ALL, &comm);
  int wrong = 0;
  {
    const Result expected = with_mpi(comm);
    const Result result = with_dash();
    if (result != expected) ++wrong;
    if (result.table[5] != work(5)) ++wrong;
  }
  dash::finalize();
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
