// dash-test: parallel main=own units=3 layouts=nolocal,cliques timeout=120

// If the application initializes MPI with MPI_THREAD_FUNNELED, only its main thread may call MPI.
// The program replaces the functions that transfer data, and records which thread calls them.

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "dart/support/AbortingCheck.h"
#include "dash/dart/Access.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"

namespace {

const std::thread::id main_thread = std::this_thread::get_id();
std::atomic<int> calls_by_main{0};
std::atomic<int> calls_by_others{0};

void record() {
  ++(std::this_thread::get_id() == main_thread ? calls_by_main : calls_by_others);
}

}  // namespace

extern "C" {

int MPI_Rget(void* origin, int n, MPI_Datatype type, int target, MPI_Aint at, int target_n,
             MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  record();
  return PMPI_Rget(origin, n, type, target, at, target_n, target_type, win, request);
}
int MPI_Rput(const void* origin, int n, MPI_Datatype type, int target, MPI_Aint at, int target_n,
             MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  record();
  return PMPI_Rput(origin, n, type, target, at, target_n, target_type, win, request);
}
int MPI_Put(const void* origin, int n, MPI_Datatype type, int target, MPI_Aint at, int target_n,
            MPI_Datatype target_type, MPI_Win win) {
  record();
  return PMPI_Put(origin, n, type, target, at, target_n, target_type, win);
}
int MPI_Isend(const void* data, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  record();
  return PMPI_Isend(data, n, type, dest, tag, comm, request);
}
int MPI_Testsome(int n, MPI_Request* requests, int* num_done, int* done, MPI_Status* statuses) {
  record();
  return PMPI_Testsome(n, requests, num_done, done, statuses);
}
int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                MPI_Status* status) {
  record();
  return PMPI_Improbe(source, tag, comm, flag, message, status);
}

}  // extern "C"

namespace {

constexpr std::size_t nbytes = std::size_t{8} << 20;

/// One block that is copied from unit 1 to unit 2.
class OneBlock final : public dash::dart::CopyBlocks {
 public:
  explicit OneBlock(const dash::dart::CopyBlock& block) : _block(block) {}
  bool next(dash::dart::CopyBlock& block) override {
    if (_is_taken) return false;
    block = _block;
    return _is_taken = true;
  }

 private:
  dash::dart::CopyBlock _block;
  bool _is_taken = false;
};

/// The copy passes through buffers, so later parts start when earlier ones end.
void copy_between_others(dart_gptr_t memory) {
  dart_gptr_t src = memory;
  dart_gptr_t dest = memory;
  src.unitid = 1;
  dest.unitid = 2;
  dest.addr_or_offs.offset += nbytes;
  dash::dart::copy_global_async(
      std::make_unique<OneBlock>(dash::dart::CopyBlock{dest, src, nbytes}), dest, src)
      .wait();
}

/// The progress thread completes a copy within the node, after which a signal of another node is to be raised.
void copy_and_signal(dart_gptr_t memory, dart_gptr_t signal, const std::vector<char>& data) {
  memory.unitid = 2;
  signal.unitid = 1;
  const dash::exec::Operation put = dash::dart::put_async(memory, data.data(), data.size());
  dash::dart::raise_after(put, signal, 1, dash::dart::SignalOp::add);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(dart_flush(signal) == DART_OK);
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  CHECK(level == MPI_THREAD_FUNNELED);
  CHECK(dart_init(&argc, &argv) == DART_OK);
  dart_global_unit_t me;
  CHECK(dart_myid(&me) == DART_OK);
  dart_gptr_t memory;
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, 2 * nbytes, DART_TYPE_BYTE, &memory) == DART_OK);
  dart_gptr_t own = memory;
  own.unitid = me.id;
  void* local = nullptr;
  CHECK(dart_gptr_getaddr(own, &local) == DART_OK);
  std::memset(local, me.id + 1, 2 * nbytes);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);

  dart_gptr_t signal;
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, sizeof(dash::dart::Signal), DART_TYPE_BYTE,
                                   &signal) == DART_OK);
  constexpr int rounds = 20;
  if (me.id == 0) {
    const std::vector<char> data(nbytes, 4);
    for (int i = 0; i < rounds; ++i) {
      copy_between_others(memory);
      copy_and_signal(memory, signal, data);
    }
  }
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  if (me.id == 1) {
    dart_gptr_t own_signal = signal;
    own_signal.unitid = 1;
    void* word = nullptr;
    CHECK(dart_gptr_getaddr(own_signal, &word) == DART_OK);
    CHECK(static_cast<dash::dart::Signal*>(word)->value == rounds);
  }
  if (me.id == 2) {
    const std::vector<char> put(nbytes, 4);
    CHECK(std::memcmp(local, put.data(), nbytes) == 0);
    const std::vector<char> expected(nbytes, 2);
    CHECK(std::memcmp(static_cast<char*>(local) + nbytes, expected.data(), nbytes) == 0);
  }
  CHECK(me.id != 0 || calls_by_main > 0);
  if (calls_by_others > 0)
    std::fprintf(stderr, "unit %d: %d calls of MPI by other threads\n", me.id,
                 calls_by_others.load());
  CHECK(calls_by_others == 0);
  CHECK(dart_team_memfree(signal) == DART_OK);
  CHECK(dart_team_memfree(memory) == DART_OK);
  CHECK(dart_exit() == DART_OK);
  MPI_Finalize();
}
