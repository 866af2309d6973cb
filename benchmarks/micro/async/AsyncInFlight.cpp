// dash-bench: units=2 layouts=nolocal modes=auto,poll quick=nolocal
//
// Many operations in flight: their rate compared with MPI_Rput and MPI_Waitall, and the memory that each
// operation takes in the library and in MPI.

#include <fmt/core.h>
#include <malloc.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dash/core/Settings.h"
#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr int target = 1;
constexpr std::size_t num_small = 10'000;
constexpr std::size_t nbytes_each = sizeof(long);
/// Large puts, which exceed the size limit of batched transfers. Their number is below the limit of
/// concurrent MPI operations, so that starting them does not wait.
constexpr std::size_t nbytes_large = 512;
constexpr std::size_t num_large = 3500;
constexpr std::chrono::milliseconds silence{200};

class Program {
 public:
  explicit Program(const World& world)
      : _world(world),
        _memory(num_large * nbytes_large),
        _window(num_large * nbytes_large),
        _values(num_small, 1),
        _handles(num_small + num_large, DART_HANDLE_NULL),
        _requests(num_small, MPI_REQUEST_NULL) {}

  void measure() {
    // Before other measurements, so that no freed memory is reused; in mode poll, where no progress thread
    // completes operations at the same time.
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
    if (!_world.is_first_unit()) return;
    _table.add_note(
        "Plain MPI: the target is in MPI_Barrier. Without the flush the puts may not be complete "
        "at the target.");
    _table.print();
  }

 private:
  template <class Ours, class Baseline>
  void add(const char* name, const char* baseline_name, Ours ours, Baseline baseline,
           const Goal& goal) {
    const auto timed = [](auto all) {
      return [=] { return measure_ns_per_call(1, [=](long) { all(); }) / num_small; };
    };
    const Candidate one = [=] {
      return measure_on_first_unit(PeerWait::dart_barrier, timed(ours));
    };
    const Candidate other = [=] {
      return measure_on_first_unit(PeerWait::mpi_barrier, timed(baseline));
    };
    _table.add(make_row(fmt::format("{} {}", num_small, name), "8 B", baseline_name,
                        compare(one, other), goal));
  }

  dart_gptr_t location(std::size_t i, std::size_t nbytes = nbytes_each) const {
    dart_gptr_t gptr = _memory.at(target);
    gptr.addr_or_offs.offset = i * nbytes;
    return gptr;
  }

  void start_puts() {
    for (std::size_t i = 0; i < num_small; ++i)
      dart_put_handle(location(i), &_values[i], 1, DART_TYPE_LONG, DART_TYPE_LONG, &_handles[i]);
  }
  void start_large_puts() {
    for (std::size_t i = 0; i < num_large; ++i)
      dart_put_handle(location(i, nbytes_large), _values.data(), nbytes_large, DART_TYPE_BYTE,
                      DART_TYPE_BYTE, &_handles[num_small + i]);
  }
  void put_ours() {
    start_puts();
    dart_waitall(_handles.data(), num_small);
  }
  void put_ours_locally() {
    start_puts();
    dart_waitall_local(_handles.data(), num_small);
  }
  void get_ours() {
    for (std::size_t i = 0; i < num_small; ++i)
      dart_get_handle(&_values[i], location(i), 1, DART_TYPE_LONG, DART_TYPE_LONG, &_handles[i]);
    dart_waitall(_handles.data(), num_small);
  }

  void start_mpi_puts(std::size_t count, std::size_t nbytes) {
    const int n = static_cast<int>(nbytes);
    for (std::size_t i = 0; i < count; ++i)
      MPI_Rput(&_values[i], n, MPI_BYTE, target, static_cast<MPI_Aint>(i * nbytes), n, MPI_BYTE,
               _window.get(), &_requests[i]);
  }
  void put_mpi(bool flush) {
    start_mpi_puts(num_small, nbytes_each);
    MPI_Waitall(static_cast<int>(num_small), _requests.data(), MPI_STATUSES_IGNORE);
    if (flush) MPI_Win_flush(target, _window.get());
  }
  void get_mpi() {
    for (std::size_t i = 0; i < num_small; ++i)
      MPI_Rget(&_values[i], nbytes_each, MPI_BYTE, target, static_cast<MPI_Aint>(i * nbytes_each),
               nbytes_each, MPI_BYTE, _window.get(), &_requests[i]);
    MPI_Waitall(static_cast<int>(num_small), _requests.data(), MPI_STATUSES_IGNORE);
  }

  static double heap_bytes() {
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  }

  /// Measures the growth of the heap by operations in flight, while the target does not call the library.
  void measure_memory() {
    check(dart_barrier(DART_TEAM_ALL));
    if (!_world.is_first_unit()) std::this_thread::sleep_for(silence);
    double mpi = 0;
    double ours_large = 0;
    double ours = 0;
    measure_on_first_unit(PeerWait::dart_barrier, [&] {
      const double initial = heap_bytes();
      start_mpi_puts(num_large, nbytes_large);
      mpi = (heap_bytes() - initial) / num_large;
      MPI_Waitall(num_large, _requests.data(), MPI_STATUSES_IGNORE);
      // From here on MPI reuses its memory, and the operations in flight keep the library's.
      const double before = heap_bytes();
      start_large_puts();
      const double between = heap_bytes();
      start_puts();
      ours_large = (between - before) / num_large;
      ours = (heap_bytes() - between) / num_small;
      dart_waitall(_handles.data(), _handles.size());
      return 0.0;
    });
    const auto add_memory = [this, mpi](const char* name, std::size_t nbytes, double bytes,
                                        const std::string& baseline) {
      _table.add(with_figures({name, fmt::format("{} B", nbytes), fmt::format("{:.0f} B", bytes),
                               "MPI_Rput of 512 B", baseline, "", "<= 256 B", bytes <= 256},
                              {{bytes}, {mpi}, {}, "B"}));
    };
    const std::string baseline = fmt::format("{:.0f} B", mpi);
    add_memory("memory of a put in flight", nbytes_each, ours, baseline);
    add_memory("  large put, without MPI's memory", nbytes_large, ours_large, baseline);
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
  if (world.units() != 2 || world.on_one_node())
    throw std::runtime_error("this benchmark needs two units on different nodes");
  Program(world).measure();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
