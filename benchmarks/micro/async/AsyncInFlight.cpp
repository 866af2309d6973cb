// dash-bench: units=2 layouts=nolocal modes=auto,poll quick=nolocal
//
// Many operations in flight at once: their rate against raw MPI_Rput and MPI_Waitall, and the memory
// that each takes, the library's and MPI's own apart.

#include <fmt/core.h>
#include <malloc.h>

#include <chrono>
#include <stdexcept>
#include <string>
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
/// Larger than what goes with others in one message; fewer than what MPI is given at a time, so that
/// starting them waits for nothing.
constexpr std::size_t nbytes_alone = 512;
constexpr std::size_t num_alone = 3500;
constexpr std::chrono::milliseconds silence{200};

class Program {
 public:
  explicit Program(const World& world)
      : _world(world),
        _memory(num_alone * nbytes_alone),
        _window(num_alone * nbytes_alone),
        _values(many, 1),
        _handles(many + num_alone, DART_HANDLE_NULL),
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

  dart_gptr_t place(std::size_t i, std::size_t nbytes = nbytes_each) const {
    dart_gptr_t gptr = _memory.at(target);
    gptr.addr_or_offs.offset = i * nbytes;
    return gptr;
  }

  void start_puts() {
    for (std::size_t i = 0; i < many; ++i)
      dart_put_handle(place(i), &_values[i], 1, DART_TYPE_LONG, DART_TYPE_LONG, &_handles[i]);
  }
  void start_puts_alone() {
    for (std::size_t i = 0; i < num_alone; ++i)
      dart_put_handle(place(i, nbytes_alone), _values.data(), nbytes_alone, DART_TYPE_BYTE,
                      DART_TYPE_BYTE, &_handles[many + i]);
  }
  void put_ours() {
    start_puts();
    dart_waitall(_handles.data(), many);
  }
  void put_ours_locally() {
    start_puts();
    dart_waitall_local(_handles.data(), many);
  }
  void get_ours() {
    for (std::size_t i = 0; i < many; ++i)
      dart_get_handle(&_values[i], place(i), 1, DART_TYPE_LONG, DART_TYPE_LONG, &_handles[i]);
    dart_waitall(_handles.data(), many);
  }

  void start_mpi_puts(std::size_t count, std::size_t nbytes) {
    const int n = static_cast<int>(nbytes);
    for (std::size_t i = 0; i < count; ++i)
      MPI_Rput(&_values[i], n, MPI_BYTE, target, static_cast<MPI_Aint>(i * nbytes), n, MPI_BYTE,
               _window.get(), &_requests[i]);
  }
  void put_mpi(bool flush) {
    start_mpi_puts(many, nbytes_each);
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

  /// Growth of the heap while the target calls nothing.
  void measure_memory() {
    check(dart_barrier(DART_TEAM_ALL));
    if (!_world.leads()) std::this_thread::sleep_for(silence);
    double mpi = 0;
    double ours_alone = 0;
    double ours = 0;
    alone(Peers::asleep, [&] {
      const double at_first = heap_bytes();
      start_mpi_puts(num_alone, nbytes_alone);
      mpi = (heap_bytes() - at_first) / num_alone;
      MPI_Waitall(num_alone, _requests.data(), MPI_STATUSES_IGNORE);
      // MPI uses again what it has now; and what is in flight of ours is not used again.
      const double before = heap_bytes();
      start_puts_alone();
      const double between = heap_bytes();
      start_puts();
      ours_alone = (between - before) / num_alone;
      ours = (heap_bytes() - between) / many;
      dart_waitall(_handles.data(), _handles.size());
      return 0.0;
    });
    const auto add_memory = [this, mpi](const char* what, std::size_t nbytes, double bytes,
                                        const std::string& twin) {
      _table.add(with_figures({what, fmt::format("{} B", nbytes), fmt::format("{:.0f} B", bytes),
                               "MPI_Rput of 512 B", twin, "", "<= 256 B", bytes <= 256},
                              {{bytes}, {mpi}, {}, "B"}));
    };
    const std::string twin = fmt::format("{:.0f} B", mpi);
    add_memory("memory of a put in flight", nbytes_each, ours, twin);
    add_memory("  alone, what MPI takes left out", nbytes_alone, ours_alone, twin);
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
