// The same program with MPI RMA and with DASH: both versions must have the same results.
// dash-example: units=1,2,4 full-units=3,7 layouts=node,nolocal uses=mpi
#include <libdash.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <vector>

namespace {

// The matrix has `rows` rows of each process, and `cols` columns.
constexpr int rows = 4;
constexpr int cols = 6;
constexpr int num_bins = 5;

double initial(long element) {
  return 0.5 * static_cast<double>(element);
}

/// The elements of the matrix that a process gathers.
std::vector<long> gathered_elements(int rank, int size) {
  std::vector<long> elements(12);
  for (long i = 0; i < 12; ++i)
    elements[static_cast<std::size_t>(i)] = (7 * rank + 5 * i * i + 3) % (rows * cols * size);
  return elements;
}

std::array<long, num_bins> own_counts(int rank) {
  std::array<long, num_bins> counts{};
  for (int bin = 0; bin < num_bins; ++bin)
    counts[static_cast<std::size_t>(bin)] = rank + bin;
  return counts;
}

struct Results {
  std::vector<double> ghost = std::vector<double>(cols);   // the last row of the left neighbour
  std::vector<double> column = std::vector<double>(rows);  // column 2 of the right neighbour
  std::vector<double> values = std::vector<double>(12);    // elements of any process
  std::array<long, num_bins> bins{};                       // the sums of the counts
  long ticket = -1;                                        // a different one for each process
  long sum_of_tickets = 0;                                 // of all processes
  std::array<long, 2> pair{};                              // two values that change together
};

Results with_mpi() {
  Results results;
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size;
  const int right = (rank + 1) % size;

  // --8<-- [start:mpi-memory]
  double* block = nullptr;
  MPI_Win matrix = MPI_WIN_NULL;
  MPI_Win_allocate(rows * cols * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &block, &matrix);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, matrix);
  for (int i = 0; i < rows * cols; ++i)
    block[i] = initial(rank * rows * cols + i);
  MPI_Win_sync(matrix);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(matrix);
  // --8<-- [end:mpi-memory]

  // --8<-- [start:mpi-column]
  // Column 2 of the right neighbour.
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, cols, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Get(results.column.data(), rows, MPI_DOUBLE, right, 2, 1, column, matrix);
  MPI_Win_flush(right, matrix);
  MPI_Type_free(&column);
  // --8<-- [end:mpi-column]

  const std::vector<long> elements = gathered_elements(rank, size);
  // --8<-- [start:mpi-gather]
  // Elements of any process.
  for (std::size_t i = 0; i < elements.size(); ++i)
    MPI_Get(&results.values[i], 1, MPI_DOUBLE, static_cast<int>(elements[i] / (rows * cols)),
            elements[i] % (rows * cols), 1, MPI_DOUBLE, matrix);
  MPI_Win_flush_all(matrix);
  // --8<-- [end:mpi-gather]

  double* ghost = nullptr;
  MPI_Win ghosts = MPI_WIN_NULL;
  MPI_Win_allocate(cols * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &ghost,
                   &ghosts);
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  // --8<-- [start:mpi-notify]
  // The last row goes to the right neighbour; only neighbours take part.
  MPI_Group from = MPI_GROUP_NULL;
  MPI_Group to = MPI_GROUP_NULL;
  MPI_Group_incl(world, 1, &left, &from);
  MPI_Group_incl(world, 1, &right, &to);
  MPI_Win_post(from, 0, ghosts);
  MPI_Win_start(to, 0, ghosts);
  MPI_Put(block + (rows - 1) * cols, cols, MPI_DOUBLE, right, 0, cols, MPI_DOUBLE, ghosts);
  MPI_Win_complete(ghosts);
  MPI_Win_wait(ghosts);
  std::copy(ghost, ghost + cols, results.ghost.begin());
  // --8<-- [end:mpi-notify]
  MPI_Group_free(&from);
  MPI_Group_free(&to);
  MPI_Group_free(&world);

  const std::array<long, num_bins> counts = own_counts(rank);
  // --8<-- [start:mpi-atomics]
  // Process 0 owns the bins, and after them a counter.
  long* numbers = nullptr;
  MPI_Win shared = MPI_WIN_NULL;
  const MPI_Aint length = rank == 0 ? num_bins + 1 : 0;
  MPI_Win_allocate(length * MPI_Aint{sizeof(long)}, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &numbers, &shared);
  std::fill_n(numbers, length, 0L);
  MPI_Win_lock_all(0, shared);
  MPI_Win_sync(shared);
  MPI_Barrier(MPI_COMM_WORLD);
  const long one = 1;
  MPI_Accumulate(counts.data(), num_bins, MPI_LONG, 0, 0, num_bins, MPI_LONG, MPI_SUM, shared);
  MPI_Fetch_and_op(&one, &results.ticket, MPI_LONG, 0, num_bins, MPI_SUM, shared);
  MPI_Win_flush(0, shared);  // the sums are complete, and the ticket is valid
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Get(results.bins.data(), num_bins, MPI_LONG, 0, 0, num_bins, MPI_LONG, shared);
  MPI_Win_flush(0, shared);
  // --8<-- [end:mpi-atomics]

  long* memory = nullptr;
  MPI_Win pair = MPI_WIN_NULL;
  MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &pair);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, pair);
  std::fill_n(memory, 2, 0L);
  MPI_Win_unlock(rank, pair);
  MPI_Barrier(MPI_COMM_WORLD);
  {
    // --8<-- [start:mpi-lock]
    // Two values of process 0 change together. MPI does not order a get and a put in one epoch.
    std::array<long, 2> now{};
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, pair);
    MPI_Get(now.data(), 2, MPI_LONG, 0, 0, 2, MPI_LONG, pair);
    MPI_Win_flush(0, pair);
    now = {now[0] + 1, now[1] + rank};
    MPI_Put(now.data(), 2, MPI_LONG, 0, 0, 2, MPI_LONG, pair);
    MPI_Win_unlock(0, pair);
    // --8<-- [end:mpi-lock]
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, pair);
  MPI_Get(results.pair.data(), 2, MPI_LONG, 0, 0, 2, MPI_LONG, pair);
  MPI_Win_unlock(0, pair);

  // --8<-- [start:mpi-end]
  MPI_Allreduce(&results.ticket, &results.sum_of_tickets, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Win_unlock_all(matrix);
  MPI_Win_unlock_all(shared);
  MPI_Win_free(&matrix);
  MPI_Win_free(&ghosts);
  MPI_Win_free(&shared);
  MPI_Win_free(&pair);
  // --8<-- [end:mpi-end]
  return results;
}

Results with_dash() {
  Results results;
  const int rank = dash::myid().id;
  const int size = static_cast<int>(dash::size());

  // --8<-- [start:dash-memory]
  dash::Matrix<double, 2> matrix(rows * size, cols, dash::BLOCKED, dash::NONE);
  double* const block = matrix.lbegin();
  for (int i = 0; i < rows * cols; ++i)
    block[i] = initial(rank * rows * cols + i);
  matrix.barrier();
  // --8<-- [end:dash-memory]

  const int right_id = (rank + 1) % size;
  // --8<-- [start:dash-column]
  // Column 2 of the right neighbour.
  const auto column = matrix.sub<0>(right_id * rows, rows).col(2);
  dash::copy(column.begin(), column.end(), results.column.data());
  // --8<-- [end:dash-column]

  const std::vector<long> elements = gathered_elements(rank, size);
  // --8<-- [start:dash-gather]
  // Elements of any unit: element i of the matrix is in row i / cols.
  for (std::size_t i = 0; i < elements.size(); ++i)
    matrix.async(elements[i] / cols, elements[i] % cols).get(&results.values[i]);
  matrix.flush();
  // --8<-- [end:dash-gather]

  // --8<-- [start:dash-notify]
  // The last row goes to the right neighbour; only neighbours take part.
  dash::Array<double> ghosts(cols * size);
  dash::SignalArray arrived;
  const dash::team_unit_t right((rank + 1) % size);
  const double* const row = block + (rows - 1) * cols;
  dash::put_signal(row, row + cols, ghosts.begin() + right.id * cols, arrived(right), 1);
  arrived[0].wait_until(1);
  std::copy(ghosts.lbegin(), ghosts.lend(), results.ghost.begin());
  // --8<-- [end:dash-notify]

  const std::array<long, num_bins> counts = own_counts(rank);
  // --8<-- [start:dash-atomics]
  dash::Array<long> bins(num_bins);              // 0, distributed over all units
  dash::Shared<dash::Atomic<long>> next_ticket;  // 0, at unit 0
  dash::transform(counts.begin(), counts.end(), bins.begin(), bins.begin(), dash::plus<long>());
  results.ticket = next_ticket.get().fetch_add(1);
  bins.barrier();
  dash::copy(bins.begin(), bins.end(), results.bins.data());
  // --8<-- [end:dash-atomics]

  // --8<-- [start:dash-lock]
  // Two values of unit 0 change together.
  dash::Shared<std::array<long, 2>> pair;  // 0, at unit 0
  dash::Mutex mutex;
  {
    const std::lock_guard lock(mutex);
    const std::array<long, 2> now = pair.get();
    pair.set({now[0] + 1, now[1] + rank});  // complete when the call returns
  }
  // --8<-- [end:dash-lock]
  pair.barrier();
  results.pair = pair.get();

  // --8<-- [start:dash-end]
  results.sum_of_tickets = dash::allreduce_async(results.ticket, dash::plus<long>()).get();
  dash::barrier();  // no unit uses the containers any more; their destructors free them
  // --8<-- [end:dash-end]
  return results;
}

bool are_right(const Results& results, int rank, int size) {
  bool right = true;
  for (int j = 0; j < cols; ++j) {
    const int left = (rank + size - 1) % size;
    right &=
        results.ghost[static_cast<std::size_t>(j)] == initial((left * rows + rows - 1) * cols + j);
  }
  for (int i = 0; i < rows; ++i)
    right &= results.column[static_cast<std::size_t>(i)] ==
             initial(((rank + 1) % size * rows + i) * cols + 2);
  const std::vector<long> elements = gathered_elements(rank, size);
  for (std::size_t i = 0; i < elements.size(); ++i)
    right &= results.values[i] == initial(elements[i]);
  const long sum = size * (size - 1L) / 2;
  for (std::size_t bin = 0; bin < num_bins; ++bin)
    right &= results.bins[bin] == sum + size * static_cast<long>(bin);
  return right && results.ticket >= 0 && results.ticket < size && results.sum_of_tickets == sum &&
         results.pair == std::array<long, 2>{size, sum};
}

}  // namespace

int main(int argc, char** argv) {
  // --8<-- [start:init]
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  dash::init(&argc, &argv);  // uses the existing MPI
  // --8<-- [end:init]
  const int rank = dash::myid().id;
  const int size = static_cast<int>(dash::size());
  const bool is_mpi_right = are_right(with_mpi(), rank, size);
  const bool is_dash_right = are_right(with_dash(), rank, size);
  if (!is_mpi_right) std::printf("unit %d: the results of MPI are wrong\n", rank);
  if (!is_dash_right) std::printf("unit %d: the results of DASH are wrong\n", rank);
  // --8<-- [start:finalize]
  dash::finalize();  // leaves MPI initialized
  MPI_Finalize();
  // --8<-- [end:finalize]
  return is_mpi_right && is_dash_right ? 0 : 1;
}
