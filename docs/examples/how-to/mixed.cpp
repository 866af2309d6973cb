// A program that uses MPI, OpenMP, threads, a BLAS and the C interface next to DASH.
// dash-example: units=1,3,4 layouts=node,nolocal uses=mpi,openmp,lapack
#include <dash/dart/Mpi.h>
#include <libdash.h>
#include <omp.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

extern "C" void dgemv_(const char* trans, const int* m, const int* n, const double* alpha,
                       const double* a, const int* lda, const double* x, const int* incx,
                       const double* beta, double* y, const int* incy);

namespace {

constexpr long block = 1000;  // elements of each unit

// --8<-- [start:run-on]
/// Runs DASH on the processes of a communicator, which become its units.
long sum_on(MPI_Comm communicator) {
  if (dart_init_comm(communicator, nullptr) != DART_OK) throw std::runtime_error(dart_last_error());
  dash::init(nullptr, nullptr);  // the C++ interface
  long sum = 0;
  {
    dash::Array<long> a(100);
    dash::fill(a, 2L);
    sum = dash::reduce(a, 0L);
  }
  dash::finalize();
  return sum;
}
// --8<-- [end:run-on]

int run_on_some_processes(int rank) {
  int wrong = 0;
  // --8<-- [start:part]
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &part);
  if (part != MPI_COMM_NULL) {  // the processes with even ranks
    wrong += sum_on(part) == 200 ? 0 : 1;
    MPI_Comm_free(&part);
  }
  // --8<-- [end:part]
  return wrong;
}

int alternate() {
  dash::Array<double> a(block * static_cast<long>(dash::size()));
  const long next = (dash::myid().id + 1) % static_cast<long>(dash::size());
  const double units = static_cast<double>(dash::size());
  // --8<-- [start:alternate]
  a[next * block] = 1;  // the first element of the next unit
  a.barrier();          // all writes are complete: MPI may read them

  // Element i of each unit becomes the sum of element i of all units.
  MPI_Allreduce(MPI_IN_PLACE, a.lbegin(), static_cast<int>(a.lsize()), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);

  a.barrier();  // MPI has written the elements of all units: DASH may read them
  const double first_of_next = a[next * block];
  // --8<-- [end:alternate]
  a.barrier();
  return first_of_next == units ? 0 : 1;
}

int use_team_communicator(const dash::Team& team) {
  // --8<-- [start:communicator]
  MPI_Comm communicator = MPI_COMM_NULL;  // owned by the team: do not free it
  if (dart_team_communicator(team.dart_id(), &communicator) != DART_OK)
    throw std::runtime_error(dart_last_error());
  int rank = -1;
  MPI_Comm_rank(communicator, &rank);  // the same as team.myid()
  // --8<-- [end:communicator]
  return rank == team.myid().id ? 0 : 1;
}

int use_openmp() {
  dash::Array<double> a(block * static_cast<long>(dash::size()));
  // --8<-- [start:threads-of-unit]
  omp_set_num_threads(dash::util::UnitLocality().num_threads());
  // --8<-- [end:threads-of-unit]
#ifdef __SANITIZE_THREAD__
  omp_set_num_threads(1);  // ThreadSanitizer does not see the synchronization inside of libgomp
#endif
  // --8<-- [start:openmp]
  double* const own = a.lbegin();
#pragma omp parallel for
  for (long i = 0; i < block; ++i)
    own[i] = std::floor(std::sqrt(static_cast<double>(i)));

  const double sum = dash::reduce(a, 0.0);  // outside of the region
  // --8<-- [end:openmp]
  a.barrier();

  const long units = static_cast<long>(dash::size());
  std::vector<double> all(a.size());
  // --8<-- [start:region]
#pragma omp parallel for
  for (long unit = 0; unit < units; ++unit)  // each thread copies the blocks of some units
    dash::copy(a.begin() + unit * block, a.begin() + (unit + 1) * block, all.data() + unit * block);
  // --8<-- [end:region]
  a.barrier();
  return std::accumulate(all.begin(), all.end(), 0.0) == sum ? 0 : 1;
}

int use_threads() {
  dash::Array<double> a(block * static_cast<long>(dash::size()));
  dash::fill(a, 1.0);
  a.barrier();
  const long next = (dash::myid().id + 1) % static_cast<long>(dash::size());
  const auto first = a.begin() + next * block;
  std::vector<double> other(block);
  // --8<-- [start:thread]
  if (!dash::is_multithreaded()) throw std::runtime_error("MPI does not support threads");
  std::thread fetcher([&] { dash::copy(first, first + block, other.data()); });
  const double own_sum = std::accumulate(a.lbegin(), a.lend(), 0.0);
  fetcher.join();
  // --8<-- [end:thread]
  a.barrier();
  return own_sum == block && other.back() == 1 ? 0 : 1;
}

int use_blas() {
  constexpr long n = 30;
  // --8<-- [start:blas]
  dash::NArray<double, 2> matrix(n, n);  // blocks of rows
  dash::Array<double> x(n);
  dash::fill(matrix, 2.0);
  dash::fill(x, 3.0);
  dash::barrier();

  std::vector<double> all_x(n);
  dash::copy(x.begin(), x.end(), all_x.data());
  std::vector<double> y(matrix.pattern().local_extents()[0]);  // one element for each own row
  // The BLAS sees the own rows as the columns of a matrix, because it stores column after column.
  const int rows = static_cast<int>(y.size());
  const int cols = n;
  const int one = 1;
  const double alpha = 1;
  const double beta = 0;
  dgemv_("T", &cols, &rows, &alpha, matrix.lbegin(), &cols, all_x.data(), &one, &beta, y.data(),
         &one);
  // --8<-- [end:blas]
  int wrong = 0;
  for (const double sum : y)
    wrong += sum == 6 * n ? 0 : 1;
  dash::barrier();
  return wrong;
}

// --8<-- [start:c]
/* Each unit writes its number to the next unit. Returns the number of the previous unit, or -1. */
int send_to_next(void) {
  dart_global_unit_t me;
  size_t units = 0;
  dart_gptr_t slot = DART_GPTR_NULL; /* one int on each unit */
  void* address = NULL;
  int received = -1;
  if (dart_myid(&me) != DART_OK || dart_size(&units) != DART_OK ||
      dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_INT, &slot) != DART_OK)
    return -1;
  dart_gptr_setunit(&slot, DART_TEAM_UNIT_ID((me.id + 1) % (int)units));
  dart_put_blocking(slot, &me.id, 1, DART_TYPE_INT, DART_TYPE_INT);
  dart_barrier(DART_TEAM_ALL);
  dart_gptr_setunit(&slot, DART_TEAM_UNIT_ID(me.id));
  if (dart_gptr_getaddr(slot, &address) == DART_OK) received = *(int*)address;
  dart_team_memfree(slot);
  return received;
}
// --8<-- [end:c]

int use_c() {
  const int units = static_cast<int>(dash::size());
  return send_to_next() == (dash::myid().id + units - 1) % units ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // --8<-- [start:init-mpi]
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  // --8<-- [end:init-mpi]
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int wrong = run_on_some_processes(rank);
  // --8<-- [start:init]
  dash::init(&argc, &argv);  // uses the MPI of the program
  // --8<-- [end:init]
  wrong += alternate();
  wrong += use_team_communicator(dash::Team::All());
  wrong += use_openmp();
  wrong += use_threads();
  wrong += use_blas();
  wrong += use_c();
  // --8<-- [start:end]
  dash::finalize();  // leaves MPI initialized
  MPI_Finalize();
  // --8<-- [end:end]
  return wrong == 0 ? 0 : 1;
}
