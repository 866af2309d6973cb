#pragma once

/// \file
/// MPI calls of an application that complete only if another unit makes progress inside MPI, while that unit
/// waits in a call of the library, or calls the library in a loop.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "dash/Async.h"
#include "dash/Collectives.h"
#include "dash/Init.h"
#include "dash/Mutex.h"
#include "dash/Signal.h"
#include "dash/Team.h"
#include "dash/dart/Mpi.h"
#include "dash/dart/if/dart.h"

namespace dash::test {

/// The communicator of all units.
inline MPI_Comm& communicator() {
  static MPI_Comm units = MPI_COMM_WORLD;
  return units;
}

/// With progress processes, MPI_COMM_WORLD has processes that are not units. Without them, the communicator of the team is
/// not requested: the library would learn from it that the application uses MPI.
inline void find_communicator() {
  const char* const mode = std::getenv("DART_PROGRESS");
  if (mode != nullptr && std::string_view(mode) == "ranks")
    dart_team_communicator(DART_TEAM_ALL, &communicator());
}

struct World {
  int rank = 0;
  int size = 0;
};

/// The rank of this process in communicator(), and the number of units.
inline World world() {
  World ranks;
  MPI_Comm_rank(communicator(), &ranks.rank);
  MPI_Comm_size(communicator(), &ranks.size);
  return ranks;
}

/// A window of the application, and the ranks of this process, of the origin and of the target. On one node, MPI accesses
/// allocated memory directly, and needs the target for the memory of a created window.
class ApplicationWindow {
 public:
  enum class Kind { allocated, created };

  explicit ApplicationWindow(Kind kind) : rank(world().rank), size(world().size) {
    if (kind == Kind::allocated) {
      MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, communicator(), &memory, &window);
    } else {
      MPI_Win_create(&own, sizeof own, sizeof own, MPI_INFO_NULL, communicator(), &window);
      memory = &own;
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    *memory = 0;
    MPI_Win_sync(window);
    MPI_Barrier(communicator());
  }
  ~ApplicationWindow() {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }
  ApplicationWindow(const ApplicationWindow&) = delete;
  ApplicationWindow& operator=(const ApplicationWindow&) = delete;

  bool is_origin() const { return rank == 0; }
  int target() const { return size - 1; }

  int rank = 0;
  int size = 0;
  alignas(64) long own = 0;  // MPICH 4.0 with UCX takes a multiple of 16 as the base of a window
  long* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
};

/// Puts, gets and atomic operations of rank 0 on the last rank, each completed by a flush.
/// \returns whether the values are right
inline bool access_target(const ApplicationWindow& window) {
  bool is_right = true;
  for (long i = 1; i <= 3; ++i) {
    const long put = 10 * i;
    long got = 0;
    long old = 0;
    const long one = 1;
    MPI_Put(&put, 1, MPI_LONG, window.target(), 0, 1, MPI_LONG, window.window);
    MPI_Win_flush(window.target(), window.window);
    MPI_Fetch_and_op(&one, &old, MPI_LONG, window.target(), 0, MPI_SUM, window.window);
    MPI_Win_flush(window.target(), window.window);
    MPI_Get(&got, 1, MPI_LONG, window.target(), 0, 1, MPI_LONG, window.window);
    MPI_Win_flush(window.target(), window.window);
    is_right = is_right && old == put && got == put + 1;
  }
  return is_right;
}

/// Units other than rank 0 wait in a barrier, for a future, or for a mutex, while rank 0 accesses the last rank.
/// \returns whether the values are right
inline bool access_waiting_units(ApplicationWindow::Kind kind) {
  const ApplicationWindow window(kind);
  bool is_right = true;
  if (window.is_origin()) is_right = access_target(window);
  dash::barrier();
  if (window.is_origin()) is_right = access_target(window) && is_right;
  dash::barrier_async().wait();
  {
    dash::Mutex mutex;
    if (window.is_origin()) mutex.lock();
    dash::barrier();
    if (!window.is_origin()) mutex.lock();
    if (window.is_origin()) is_right = access_target(window) && is_right;
    mutex.unlock();
    dash::barrier();
  }
  return is_right;
}

/// The last rank waits for a message of the library, which rank 0 sends after it has accessed the last rank.
/// \returns whether the values are right
inline bool access_unit_that_receives() {
  const ApplicationWindow window(ApplicationWindow::Kind::created);
  bool is_right = true;
  long value = 7;
  if (window.is_origin()) {
    is_right = access_target(window);
    const dart_global_unit_t target{window.target()};
    is_right = dart_send(&value, 1, DART_TYPE_LONG, 3, target) == DART_OK && is_right;
  } else if (window.rank == window.target()) {
    value = 0;
    is_right =
        dart_recv(&value, 1, DART_TYPE_LONG, 3, dart_global_unit_t{0}) == DART_OK && value == 7;
  }
  dash::barrier();
  return is_right;
}

/// A window of the application, and a signal that rank 0 raises after it has accessed the last rank.
class SignalledWindow {
 public:
  bool is_target() const { return window.rank == window.target(); }
  void access_then_raise(dash::signal_t value) {
    if (!window.is_origin()) return;
    is_right = access_target(window) && is_right;
    signals(dash::team_unit_t(window.target())).set(value);
  }

  const ApplicationWindow window{ApplicationWindow::Kind::created};
  const dash::SignalArray signals{1};
  bool is_right = true;
};

/// The last rank waits for a signal, for a future of a signal, and for a task that waits for a signal.
/// \returns whether the values are right
inline bool access_unit_that_waits_for_signals() {
  SignalledWindow window;
  const dash::SignalArray& signals = window.signals;
  const bool waits = window.is_target();
  window.access_then_raise(1);
  if (waits) signals[0].wait_until(1);
  window.access_then_raise(2);
  if (waits) signals[0].when(2).wait();
  window.access_then_raise(3);
  if (waits) dash::async([&] { signals[0].wait_until(3); }).wait();
  dash::barrier();
  return window.is_right;
}

/// The last rank calls the library again and again, but never waits for long, until rank 0 has accessed it.
/// \returns whether the values are right
inline bool access_unit_that_tests() {
  SignalledWindow signalled;
  const ApplicationWindow& window = signalled.window;
  const dash::SignalArray& signals = signalled.signals;
  const bool tests = signalled.is_target();
  signalled.access_then_raise(1);
  while (tests && !signals[0].test(1))
    continue;
  signalled.access_then_raise(2);
  while (tests && signals[0].value() < 2)
    dash::progress();
  signalled.access_then_raise(3);
  if (tests) {
    const auto raised = signals[0].when(3);
    while (!raised.test())
      continue;
  }
  signalled.access_then_raise(4);
  while (tests && signals[0].value() < 4)
    dash::async([] {}).wait();
  {
    dash::Mutex mutex;
    if (window.is_origin()) mutex.lock();
    dash::barrier();
    if (window.is_origin()) signalled.is_right = access_target(window) && signalled.is_right;
    if (tests) {
      while (!mutex.try_lock())
        continue;
    }
    if (window.is_origin() || tests) mutex.unlock();
    dash::barrier();
  }
  // Two units send each other messages that arrive soon.
  const bool replies = window.size > 2 && window.rank == 1;
  const bool asks = window.size > 2 && tests;
  signalled.access_then_raise(5);
  for (long continues = 1; continues != 0 && (replies || asks);) {
    const dart_global_unit_t peer{asks ? 1 : window.target()};
    if (asks) {
      continues = signals[0].value() < 5 ? 1 : 0;
      dart_send(&continues, 1, DART_TYPE_LONG, 3, peer);
    }
    dart_recv(&continues, 1, DART_TYPE_LONG, 3, peer);
    if (replies) dart_send(&continues, 1, DART_TYPE_LONG, 3, peer);
  }
  dash::barrier();
  return signalled.is_right;
}

/// A second thread of rank 0 exchanges messages with a second thread of the last rank, while the main threads wait in
/// the library. \pre MPI_THREAD_MULTIPLE
/// \returns whether the values are right
inline bool communicate_in_threads() {
  const World ranks = world();
  const bool is_last = ranks.rank == ranks.size - 1;
  const bool communicates = ranks.rank == 0 || is_last;
  const int peer = is_last ? 0 : ranks.size - 1;
  bool is_right = true;
  std::thread other([&] {
    for (int i = 0; i < 100 && communicates; ++i) {
      int received = -1;
      MPI_Sendrecv(&i, 1, MPI_INT, peer, 8, &received, 1, MPI_INT, peer, 8, communicator(),
                   MPI_STATUS_IGNORE);
      is_right = is_right && received == i;
    }
  });
  for (int i = 0; i < 20; ++i)
    dash::barrier();
  other.join();
  dash::barrier();
  return is_right;
}

/// A second thread of each unit waits in the library and calls MPI, while the main thread waits for it.
/// \pre at least MPI_THREAD_SERIALIZED
/// \returns whether the values are right
inline bool call_from_second_thread() {
  bool is_right = true;
  for (int i = 0; i < 3; ++i) {
    std::thread([&is_right] {
      const auto [rank, size] = world();
      const ApplicationWindow window(ApplicationWindow::Kind::allocated);
      if (window.is_origin()) is_right = access_target(window) && is_right;
      dash::barrier();
      int sum = 0;
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator());
      is_right = is_right && sum == size * (size - 1) / 2;
    }).join();
    dash::barrier();
  }
  return is_right;
}

/// Rank 0 sends a message that is too long for a buffer. The last rank has posted the receive and waits in a barrier of
/// the library, so only the library makes progress for MPI there.
/// \param sender  std::launch::async to send from a second thread, while the main thread of rank 0 calls neither MPI nor
///                the library; this needs at least MPI_THREAD_SERIALIZED
/// \returns whether the data is right
inline bool send_to_waiting_unit(std::launch sender) {
  const auto [rank, size] = world();
  constexpr int nbytes = 4 << 20;
  const char value = sender == std::launch::async ? 'y' : 'x';
  std::vector<char> data(nbytes, rank == 0 ? value : ' ');
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == size - 1) MPI_Irecv(data.data(), nbytes, MPI_CHAR, 0, 7, communicator(), &request);
  if (rank == 0) {
    std::async(sender, [&data, last = size - 1] {
      MPI_Send(data.data(), nbytes, MPI_CHAR, last, 7, communicator());
    }).get();
  }
  dash::barrier();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return rank != size - 1 || std::count(data.begin(), data.end(), value) == nbytes;
}

/// The last rank starts a collective of MPI and waits in the library; the other ranks wait for it in MPI.
/// \returns whether the sum is right
inline bool reduce_with_waiting_unit() {
  const auto [rank, size] = world();
  const std::vector<int> values(10'000, rank + 1);
  std::vector<int> sums(values.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(values.data(), sums.data(), static_cast<int>(values.size()), MPI_INT, MPI_SUM,
                 communicator(), &request);
  if (rank != size - 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  dash::barrier();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return std::count(sums.begin(), sums.end(), size * (size + 1) / 2) ==
         static_cast<std::ptrdiff_t>(sums.size());
}

/// A communicator of all ranks but the last one works while the last rank waits in the library, and a file that MPI
/// writes has the data of these ranks. Two ranks are both in the communicator, so that they communicate.
inline bool use_part_of_ranks() {
  const auto [rank, size] = world();
  const int members = size > 2 ? size - 1 : size;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(communicator(), rank < members ? 0 : MPI_UNDEFINED, rank, &part);
  bool is_right = true;
  if (part != MPI_COMM_NULL) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    // Tests run in the same folder at the same time.
    long process = ::getpid();
    MPI_Bcast(&process, 1, MPI_LONG, 0, part);
    const std::string name = "application_mpi." + std::to_string(process) + ".tmp";
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(part, name.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    int read = -1;
    MPI_File_write_at_all(file, rank * MPI_Offset{sizeof(int)}, &rank, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, rank * MPI_Offset{sizeof(int)}, &read, 1, MPI_INT,
                         MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Comm_free(&part);
    is_right = read == rank && sum == members * (members - 1) / 2;
  }
  dash::barrier();
  return is_right;
}

/// All cases. \pre at least two units
inline bool application_mpi_works() {
  find_communicator();
  const bool allocated = access_waiting_units(ApplicationWindow::Kind::allocated);
  const bool created = access_waiting_units(ApplicationWindow::Kind::created);
  const bool sent = send_to_waiting_unit(std::launch::deferred);
  const bool reduced = reduce_with_waiting_unit();
  const bool received = access_unit_that_receives();
  const bool signalled = access_unit_that_waits_for_signals();
  const bool tested = access_unit_that_tests();
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);  // below MPI_THREAD_MULTIPLE, other threads may not call MPI
  const bool second_is_right =
      level < MPI_THREAD_SERIALIZED ||
      (call_from_second_thread() && send_to_waiting_unit(std::launch::async));
  const bool threads_are_right = level < MPI_THREAD_MULTIPLE || communicate_in_threads();
  return use_part_of_ranks() && allocated && created && sent && reduced && received && signalled &&
         tested && second_is_right && threads_are_right;
}

/// The main function of a program that initializes MPI itself, with a level of thread support.
inline int application_mpi_main(int argc, char** argv, int required) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, required, &provided);
  bool is_right = true;
  for (int i = 0; i < 2; ++i) {  // the second time, the library uses its session again
    dash::init(&argc, &argv);
    is_right = application_mpi_works() && is_right;
    dash::finalize();
  }
  MPI_Finalize();
  if (!is_right) std::fprintf(stderr, "an MPI call of the application had a wrong result\n");
  return is_right ? 0 : 1;
}

}  // namespace dash::test
