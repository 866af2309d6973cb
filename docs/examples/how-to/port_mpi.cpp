// One program with MPI messages and with DASH: a series of values is distributed, smoothed with
// values of neighbours until it hardly changes, and collected. docs/how-to/port-from-mpi.md
// compares the two versions.
// dash-example: units=1,2,3,4,7 uses=mpi
#include <libdash.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "dash/dart/Mpi.h"

namespace {

constexpr int n = 1000;
constexpr double tolerance = 1e-2;

/// The series that unit 0 has read.
std::vector<double> read_series() {
  std::vector<double> series(n);
  for (int i = 0; i < n; ++i)
    series[static_cast<std::size_t>(i)] = 0.01 * i + i * 7 % 5;
  return series;
}

/// Smooths an element of the series, except the first and the last one. Returns the change.
double smooth(long i, double west, double here, double east, double& out) {
  out = i == 0 || i == n - 1 ? here : 0.25 * (west + 2 * here + east);
  return std::abs(out - here);
}

/// The result is complete at rank 0.
std::vector<double> with_mpi(const std::vector<double>& series, MPI_Comm comm) {
  // --8<-- [start:mpi-distribute]
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int each = (n + size - 1) / size;
  std::vector<int> counts;
  std::vector<int> offsets;
  for (int r = 0; r < size; ++r) {
    offsets.push_back(std::min(n, r * each));
    counts.push_back(std::min(n, offsets.back() + each) - offsets.back());
  }
  const int mine = counts[static_cast<std::size_t>(rank)];
  const int first = offsets[static_cast<std::size_t>(rank)];
  std::vector<double> now(static_cast<std::size_t>(mine + 2));  // a ghost element at each end
  std::vector<double> next(now.size());
  MPI_Scatterv(series.data(), counts.data(), offsets.data(), MPI_DOUBLE, now.data() + 1, mine,
               MPI_DOUBLE, 0, comm);
  // --8<-- [end:mpi-distribute]

  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (double change = tolerance; change >= tolerance;) {
    change = 0;
    double* const in = now.data() + 1;
    double* const out = next.data() + 1;
    const auto update = [&](int i) {
      change = std::max(change, smooth(first + i, in[i - 1], in[i], in[i + 1], out[i]));
    };
    // --8<-- [start:mpi-exchange]
    MPI_Request requests[4];
    MPI_Irecv(in - 1, 1, MPI_DOUBLE, left, 0, comm, &requests[0]);
    MPI_Irecv(in + mine, 1, MPI_DOUBLE, right, 1, comm, &requests[1]);
    MPI_Isend(in, 1, MPI_DOUBLE, left, 1, comm, &requests[2]);
    MPI_Isend(in + mine - 1, 1, MPI_DOUBLE, right, 0, comm, &requests[3]);
    for (int i = 1; i < mine - 1; ++i)
      update(i);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    update(0);
    update(mine - 1);
    // --8<-- [end:mpi-exchange]
    std::swap(now, next);
    // --8<-- [start:mpi-reduce]
    MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, comm);
    // --8<-- [end:mpi-reduce]
  }

  std::vector<double> result(n);
  // --8<-- [start:mpi-collect]
  MPI_Gatherv(now.data() + 1, mine, MPI_DOUBLE, result.data(), counts.data(), offsets.data(),
              MPI_DOUBLE, 0, comm);
  // --8<-- [end:mpi-collect]
  return result;
}

/// The result is complete at unit 0.
std::vector<double> with_dash(const std::vector<double>& series) {
  // --8<-- [start:dash-distribute]
  dash::Array<double> now(n);
  dash::Array<double> next(n);
  const long first = now.pattern().global(0);
  const long mine = static_cast<long>(now.lsize());
  if (dash::myid() == 0) dash::copy(series.data(), series.data() + n, now.begin());
  dash::barrier();  // now each unit can read its elements
  // --8<-- [end:dash-distribute]

  for (double change = tolerance; change >= tolerance;) {
    change = 0;
    const double* const in = now.lbegin();
    double* const out = next.lbegin();
    double west = 0;
    double east = 0;
    const auto update = [&](long i) {
      const double before = i > 0 ? in[i - 1] : west;
      const double behind = i < mine - 1 ? in[i + 1] : east;
      change = std::max(change, smooth(first + i, before, in[i], behind, out[i]));
    };
    // --8<-- [start:dash-exchange]
    const auto begin = now.begin() + first;
    const auto end = begin + mine;
    dash::Future<double*> from_left(&west);  // a future with a value is ready
    dash::Future<double*> from_right(&east);
    if (first > 0) from_left = dash::copy_async(begin - 1, begin, &west);
    if (first + mine < n) from_right = dash::copy_async(end, end + 1, &east);
    for (long i = 1; i < mine - 1; ++i)
      update(i);
    from_left.get();
    from_right.get();
    update(0);
    update(mine - 1);
    // --8<-- [end:dash-exchange]
    std::swap(now, next);
    // --8<-- [start:dash-reduce]
    change = dash::allreduce_async(change, dash::max<double>()).get();
    // --8<-- [end:dash-reduce]
  }

  std::vector<double> result(n);
  // --8<-- [start:dash-collect]
  if (dash::myid() == 0) dash::copy(now.begin(), now.end(), result.data());
  // --8<-- [end:dash-collect]
  return result;
}

/// A program in the middle of its port: DASH owns the memory, and MPI still communicates. Returns
/// the last element of the left neighbour, and the sum of all elements.
std::pair<double, double> halfway(const std::vector<double>& series, MPI_Comm comm) {
  double ghost = series.front();
  double sum = 0;
  // --8<-- [start:halfway]
  dash::Array<double> now(n);
  double* const mine = now.lbegin();  // the MPI code uses this instead of an array
  const int count = static_cast<int>(now.lsize());
  std::copy_n(series.data() + now.pattern().global(0), count, mine);

  const int me = dash::myid();
  const int left = me > 0 ? me - 1 : MPI_PROC_NULL;
  const int right = me < static_cast<int>(dash::size()) - 1 ? me + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(mine + count - 1, 1, MPI_DOUBLE, right, 0,  // not ported yet
               &ghost, 1, MPI_DOUBLE, left, 0, comm, MPI_STATUS_IGNORE);

  dash::barrier();
  sum = dash::reduce(now.begin(), now.end(), 0.0);  // ported
  // --8<-- [end:halfway]
  return {ghost, sum};
}

}  // namespace

int main(int argc, char** argv) {
  // --8<-- [start:start]
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  dash::init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_NULL;
  dart_team_communicator(dash::Team::All().dart_id(), &comm);  // rank i is unit i
  // --8<-- [end:start]
  int wrong = 0;
  {
    const std::vector<double> series = read_series();
    const std::vector<double> expected = with_mpi(series, comm);
    const std::vector<double> result = with_dash(series);
    if (dash::myid() == 0 && result != expected) ++wrong;

    const auto [ghost, sum] = halfway(series, comm);
    const dash::Array<double> layout(n);
    const auto before = std::max(static_cast<long>(layout.pattern().global(0)) - 1, 0L);
    if (ghost != series[static_cast<std::size_t>(before)]) ++wrong;
    if (std::abs(sum - std::accumulate(series.begin(), series.end(), 0.0)) > 1e-6) ++wrong;
  }
  // --8<-- [start:end]
  dash::finalize();
  MPI_Finalize();
  // --8<-- [end:end]
  return wrong == 0 ? 0 : 1;
}
