// dash-test: parallel main=own units=2,4,6,7,8 layouts=node,singles,pairs

// Progress processes (DART_PROGRESS=ranks), in an MPI that the application has initialized for its main thread
// only. The matrix gives the number of processes; with eight of them, each node has two progress processes. A unit that
// does not call the library spins on its own memory, which another unit changes at the end: without progress processes,
// the program would hang.

#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "dart/support/AbortingCheck.h"
#include "dash/Exception.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Access.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"

namespace {

constexpr std::size_t segment_bytes = std::size_t{16} << 20;
// Offsets in the segment.
constexpr std::uint64_t counter = 0;
constexpr std::uint64_t end = 64;
constexpr std::uint64_t signal = 128;
constexpr std::uint64_t small = 4096;
constexpr std::uint64_t large = 65536;
constexpr std::uint64_t incoming = std::uint64_t{1} << 20;
constexpr std::uint64_t source = std::uint64_t{2} << 20;
constexpr std::uint64_t outgoing = std::uint64_t{3} << 20;
constexpr std::uint64_t bulk = std::uint64_t{4} << 20;
// Of transfers between global memory, which units delegate.
constexpr std::size_t delegated_bytes = 700'000;
constexpr std::size_t bulk_bytes = std::size_t{20} << 10;
constexpr std::size_t num_bulk_transfers = 500;  // more than the queue has

dart_gptr_t at(dart_gptr_t memory, int unit, std::uint64_t offset) {
  memory.unitid = unit;
  memory.addr_or_offs.offset += offset;
  return memory;
}

/// Performs all kinds of operations on the memory of a unit that does not call the library.
void access_computing_unit(dart_gptr_t memory, int target, int me) {
  for (long i = 0; i < 50; ++i) {
    long old = -1;
    const long one = 1;
    CHECK(dart_fetch_and_op(at(memory, target, counter), &one, &old, DART_TYPE_LONG, DART_OP_SUM) ==
          DART_OK);
    CHECK(dart_flush(at(memory, target, counter)) == DART_OK);
    CHECK(old == i);
    CHECK(dart_accumulate(at(memory, target, counter), &one, 1, DART_TYPE_LONG, DART_OP_SUM) ==
          DART_OK);
    CHECK(dart_flush(at(memory, target, counter)) == DART_OK);
    const long minus_one = -1;
    CHECK(dart_accumulate(at(memory, target, counter), &minus_one, 1, DART_TYPE_LONG,
                          DART_OP_SUM) == DART_OK);
    CHECK(dart_flush(at(memory, target, counter)) == DART_OK);
  }
  for (const auto& [offset, nbytes] : {std::pair(small, 8U), std::pair(large, 500'000U)}) {
    std::vector<char> data(nbytes, static_cast<char>(me + 1));
    std::vector<char> read(nbytes);
    CHECK(dart_put_blocking(at(memory, target, offset), data.data(), nbytes, DART_TYPE_BYTE,
                            DART_TYPE_BYTE) == DART_OK);
    CHECK(dart_get_blocking(read.data(), at(memory, target, offset), nbytes, DART_TYPE_BYTE,
                            DART_TYPE_BYTE) == DART_OK);
    CHECK(read == data);
    dash::dart::put_signal(at(memory, target, offset), data.data(), nbytes,
                           at(memory, target, signal), 1, dash::dart::SignalOp::add)
        .wait();
    CHECK(dart_flush(at(memory, target, signal)) == DART_OK);
    dash::dart::get_async(read.data(), at(memory, target, offset), nbytes).wait();
    CHECK(read == data);
  }
}

/// Performs transfers between the global memory of this unit and that of another node. The first ones end although
/// this unit does not call the library either.
void delegate_transfers(dart_gptr_t memory, char* own, int target) {
  using dash::core::OperationKind;
  using dash::core::OperationPath;
  dash::core::start_statistics();
  std::memset(own + outgoing, 7, delegated_bytes);
  dash::exec::Operation put =
      dash::dart::put_async(at(memory, target, incoming), own + outgoing, delegated_bytes);
  dash::exec::Operation get =
      dash::dart::get_async(own + incoming, at(memory, target, source), delegated_bytes);
  const auto* const last =
      reinterpret_cast<std::atomic<char>*>(own + incoming + delegated_bytes - 1);
  while (last->load(std::memory_order_acquire) != 9)
    continue;
  get.wait();
  put.wait();
  CHECK(std::string(own + incoming, delegated_bytes) == std::string(delegated_bytes, 9));
  dash::dart::get_async(own + incoming, at(memory, target, incoming), delegated_bytes).wait();
  CHECK(std::string(own + incoming, delegated_bytes) == std::string(delegated_bytes, 7));
  for (std::size_t i = 0; i < num_bulk_transfers; ++i) {
    static_cast<void>(dash::dart::get_async(own + bulk + i * bulk_bytes,
                                            at(memory, target, source + i), bulk_bytes));
  }
  CHECK(dart_flush_all(memory) == DART_OK);
  CHECK(std::string(own + bulk, num_bulk_transfers * bulk_bytes) ==
        std::string(num_bulk_transfers * bulk_bytes, 9));
  const std::uint64_t delegated_before_last =
      dash::core::statistics().of(OperationKind::get, OperationPath::delegated).operations;
  dash::dart::get_async(own + incoming, at(memory, target, incoming), delegated_bytes).wait();
  const dash::core::Statistics counts = dash::core::statistics();
  dash::core::stop_statistics();
  CHECK(counts.of(OperationKind::put, OperationPath::delegated).operations == 1);
  const dash::core::Traffic delegated = counts.of(OperationKind::get, OperationPath::delegated);
  const dash::core::Traffic by_unit = counts.of(OperationKind::get, OperationPath::rma);
  const dash::core::Traffic two_sided = counts.of(OperationKind::get, OperationPath::two_sided);
  // The queue has 128 places. When the transfers are complete, the places are free again.
  CHECK(delegated.operations >= 128);
  CHECK(delegated.operations + by_unit.operations + two_sided.operations == 3 + num_bulk_transfers);
  CHECK(delegated.operations > delegated_before_last);
}

void use_library(int expected_units) {
  size_t units = 0;
  dart_global_unit_t id{-1};
  CHECK(dart_size(&units) == DART_OK);
  CHECK(dart_myid(&id) == DART_OK);
  const int me = id.id;
  CHECK(units == static_cast<size_t>(expected_units));
  CHECK(dash::dart::placement().progress == std::string("progress processes"));
  dart_gptr_t memory = DART_GPTR_NULL;
  CHECK(dart_team_memalloc_aligned(DART_TEAM_ALL, segment_bytes, DART_TYPE_BYTE, &memory) ==
        DART_OK);
  void* own = nullptr;
  CHECK(dart_gptr_getaddr(at(memory, me, 0), &own) == DART_OK);
  std::memset(static_cast<char*>(own) + source, 9, delegated_bytes);
  CHECK(dart_barrier(DART_TEAM_ALL) == DART_OK);
  // The last unit computes; the first one accesses its memory.
  const int computing = expected_units - 1;
  auto* const words = static_cast<char*>(own);
  if (me == computing && computing != 0) {
    auto* const has_ended = reinterpret_cast<std::atomic<long>*>(words + end);
    dash::core::start_statistics();
    while (has_ended->load(std::memory_order_acquire) == 0)
      continue;
    // No message waited for this unit: its progress process has handled all of them. (If all processes have their own
    // processors, transfers are not announced.)
    for (int poll = 0; poll < 100; ++poll)
      CHECK(dart_progress() == DART_OK);
    CHECK(dash::core::statistics().of(dash::core::Counter::messages_handled) == 0);
    dash::core::stop_statistics();
    CHECK(reinterpret_cast<std::atomic<long>*>(words + counter)->load() == 50);
    CHECK(reinterpret_cast<dash::dart::Signal*>(words + signal)->value.load() == 2);
    CHECK(words[large + 499'999] == 1);
  } else if (me == 0 && computing != 0) {
    access_computing_unit(memory, computing, me);
    if (dash::dart::on_node_address(at(memory, computing, 0), segment_bytes) == nullptr)
      delegate_transfers(memory, words, computing);
    const long one = 1;
    CHECK(dart_put_blocking(at(memory, computing, end), &one, 1, DART_TYPE_LONG, DART_TYPE_LONG) ==
          DART_OK);
  }
  CHECK(dart_team_memfree(memory) == DART_OK);
}

}  // namespace

int main(int argc, char** argv) {
  ::setenv("DART_PROGRESS", "ranks", 1);
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  int processes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const char* const node_units = std::getenv("DART_NODE_UNITS");
  const int per_node = processes == 8 ? 2 : 1;
  ::setenv("DART_PROGRESS_RANKS", std::to_string(per_node).c_str(), 1);
  const int node_processes = node_units == nullptr ? processes : std::atoi(node_units) + per_node;
  const int rest = processes % node_processes;
  const int nodes = processes / node_processes + (rest == 0 ? 0 : 1);
  const int smallest = rest == 0 ? node_processes : rest;
  if (smallest < 2 * per_node) {
    const std::string expected = "a node has " + std::to_string(smallest) +
                                 " processes, of which " + std::to_string(per_node) +
                                 " would be progress";
    CHECK(dart_init(&argc, &argv) == DART_ERR_INVAL);
    CHECK(std::strstr(dart_last_error(), expected.c_str()) != nullptr);
  } else {
    // A heap that does not fit is an error on all processes, which can repeat the call.
    ::setenv("DART_HEAP_SIZE", "4000000T", 1);
    CHECK(dart_init(&argc, &argv) == DART_ERR_NOMEM);
    ::unsetenv("DART_HEAP_SIZE");
    for (int run = 0; run < 2; ++run) {
      CHECK(dart_init(&argc, &argv) == DART_OK);
      use_library(processes - nodes * per_node);
      CHECK(dart_exit() == DART_OK);
    }
    ::setenv("DART_PROGRESS", "auto", 1);
    CHECK(dart_init(&argc, &argv) == DART_ERR_INVAL);
    CHECK(std::strstr(dart_last_error(), "request 0 progress processes per node") != nullptr);
    ::setenv("DART_PROGRESS", "ranks", 1);
    CHECK(dart_init(&argc, &argv) == DART_OK);
    CHECK(dart_exit() == DART_OK);
  }
  MPI_Finalize();
  return 0;
}
