// A five-point stencil with MPI: strips of rows with two ghost rows. Messages exchange the ghost rows
// while the inner rows are computed. docs/how-to/port-from-mpi.md converts this program to DASH, step by step.
// dash-example: units=1,3,4,7 full-units=9 uses=mpi
#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "Stencil.h"

using namespace stencil;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  // --8<-- [start:rows]
  // The rows that this process owns.
  const long each = (rows + size - 1) / size;
  const long first = std::min(rows, rank * each);
  const long mine = std::min(rows, first + each) - first;
  const int north = mine > 0 && first > 0 ? rank - 1 : MPI_PROC_NULL;
  const int south = first + mine < rows ? rank + 1 : MPI_PROC_NULL;
  // --8<-- [end:rows]

  // The rows, with one ghost row before and one behind them.
  std::vector<double> now(static_cast<std::size_t>((mine + 2) * cols));
  for (long i = 0; i < mine; ++i)
    std::fill_n(now.data() + (i + 1) * cols, cols, initial(first + i));
  std::vector<double> next = now;

  const int n = static_cast<int>(cols);
  for (int step = 0; step < steps; ++step) {
    double* const in = now.data() + cols;
    double* const out = next.data() + cols;
    // --8<-- [start:exchange]
    MPI_Request requests[4];
    MPI_Irecv(in - cols, n, MPI_DOUBLE, north, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + mine * cols, n, MPI_DOUBLE, south, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(in, n, MPI_DOUBLE, north, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(in + (mine - 1) * cols, n, MPI_DOUBLE, south, 0, MPI_COMM_WORLD, &requests[3]);

    const auto update = [&](long i) {
      const bool is_edge = first + i == 0 || first + i == rows - 1;
      const double* row = in + i * cols;
      if (!is_edge) relax(row - cols, row, row + cols, out + i * cols);
    };
    for (long i = 1; i + 1 < mine; ++i)
      update(i);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    // --8<-- [end:exchange]
    if (mine > 0) update(0);
    if (mine > 1) update(mine - 1);
    std::swap(now, next);
  }

  int wrong = 0;
  for (long i = 0; i < mine; ++i)
    wrong += differences(now.data() + (i + 1) * cols, first + i, 0, cols);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
