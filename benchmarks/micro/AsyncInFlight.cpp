// dash-bench: units=2 layouts=nolocal modes=auto,poll
//
// Many operations in flight at once: their rate against raw MPI_Rput and MPI_Waitall, and the memory
// that each takes, the library's and MPI's own apart.

#include <fmt/core.h>
#include <malloc.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "dash/core/Settings.h"
#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t many = 10'000;
constexpr std::size_t nbytes_each = sizeof(long);
/// Fewer than what MPI is given at a time, so that starting them waits for nothing.
constexpr std::size_t counted = 3500;
constexpr std::chrono::milliseconds silence{200};

class Program {
 public:
  explicit Program(const World& world)
      : _world(world),
        _memory(many * nbytes_each),
        _window(many * nbytes_each),
        _values(many, 1),
        _handles(many, DART_HANDLE_NULL),
        _requests(many, MPI_REQUEST_NULL) {}

  void measure() {
    // First, while no memory is there to be used again; without a thread that ends some of them.
    if (dash::core::settings().progress == dash::core::ProgressMode::poll) measure_memory();
    add(
        "puts of 8 B, then dart_waitall", "MPI_Rput, MPI_Waitall, flush", [this] { put_ours(); },
        [this] { put_mpi(true); }, ratio_at_most(1.0));
    add(
        "puts of 8 B, then dart_waitall_local", "MPI_Rput, MPI_Waitall",
        [this] { put_ours_locally(); }, [this] { put_mpi(false); }, ratio_at_most(1.0));
    add(
        "gets of 8 B, then dart_waitall", "MPI_Rget, MPI_Waitall", [this] { get_ours(); },
        [this] { get_mpi(); }, ratio_at_most(1.0));
    if (!_world.leads()) return;
    _table.note(
        "Raw MPI: its target is in MPI_Barrier; without the flush the puts need not be there.");
    _table.note("Memory: growth of the heap while the target calls nothing, ours without MPI's.");
    _table.print();
  }

 private:
  template <class Ours, class Twin>
  void add(const char* what, const char* twin_name, Ours ours, Twin twin, const Bar& bar) {
    const auto timed = [](auto all) {
      return [=] { return time_each(1, [=](long) { all(); }) / many; };
    };
    const Contestant one = [=] { return alone(Peers::asleep, timed(ours)); };
    const Contestant other = [=] { return alone(Peers::in_mpi, timed(twin)); };
    _table.add(
        row_of(fmt::format("{} {}", many, what), "8 B", twin_name, contest(one, other), bar));
  }

  dart_gptr_t place(std::size_t i) const {
    dart_gptr_t gptr = _memory.at(target);
    gptr.addr_or_offs.offset = i * nbytes_each;
    return gptr;
  }

  void start_puts(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      dart_put_handle(place(i), &_values[i], 1, DART_TYPE_LONG, DART_TYPE_LONG, &_handles[i]);
  }
  void put_ours() {
    start_puts(many);
    dart_waitall(_handles.data(), many);
  }
  void put_ours_locally() {
    start_puts(many);
    dart_waitall_local(_handles.data(), many);
  }
  void get_ours() {
    for (std::size_t i = 0; i < many; ++i)
      dart_get_handle(&_values[i], place(i), 1, DART_TYPE_LONG, DART_TYPE_LONG, &_handles[i]);
    dart_waitall(_handles.data(), many);
  }

  void start_mpi_puts(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      MPI_Rput(&_values[i], nbytes_each, MPI_BYTE, target, static_cast<MPI_Aint>(i * nbytes_each),
               nbytes_each, MPI_BYTE, _window.get(), &_requests[i]);
  }
  void put_mpi(bool flush) {
    start_mpi_puts(many);
    MPI_Waitall(static_cast<int>(many), _requests.data(), MPI_STATUSES_IGNORE);
    if (flush) MPI_Win_flush(target, _window.get());
  }
  void get_mpi() {
    for (std::size_t i = 0; i < many; ++i)
      MPI_Rget(&_values[i], nbytes_each, MPI_BYTE, target, static_cast<MPI_Aint>(i * nbytes_each),
               nbytes_each, MPI_BYTE, _window.get(), &_requests[i]);
    MPI_Waitall(static_cast<int>(many), _requests.data(), MPI_STATUSES_IGNORE);
  }

  static double heap_bytes() {
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  }

  /// Bytes of heap that each of `counted` operations takes while their target is silent.
  template <class Start, class Complete>
  double bytes_each(Start start, Complete complete) {
    check(dart_barrier(DART_TEAM_ALL));
    if (!_world.leads()) std::this_thread::sleep_for(silence);
    return alone(Peers::asleep, [&] {
      const double before = heap_bytes();
      start(counted);
      const double after = heap_bytes();
      complete(counted);
      return (after - before) / counted;
    });
  }

  void measure_memory() {
    const double ours = bytes_each([this](std::size_t n) { start_puts(n); },
                                   [this](std::size_t n) { dart_waitall(_handles.data(), n); });
    const double mpi =
        bytes_each([this](std::size_t n) { start_mpi_puts(n); },
                   [this](std::size_t n) {
                     MPI_Waitall(static_cast<int>(n), _requests.data(), MPI_STATUSES_IGNORE);
                   });
    _table.add({"memory of a put in flight", "8 B", fmt::format("{:.0f} B", ours), "MPI_Rput",
                fmt::format("{:.0f} B", mpi), fmt::format("{:.0f} B more", ours - mpi),
                "<= 256 B more", ours - mpi <= 256});
  }

  const World& _world;
  GlobalMemory _memory;
  MpiWindow _window;
  std::vector<long> _values;
  std::vector<dart_handle_t> _handles;
  std::vector<MPI_Request> _requests;
  Table _table;
};

void measure(const World& world) {
  if (world.units() != 2 || world.on_one_node()) throw std::runtime_error("needs two nodes");
  Program(world).measure();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
