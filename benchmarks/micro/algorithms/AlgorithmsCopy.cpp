// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// dash::copy and copy_async.
//
// Two units: copies within the local memory compared with std::copy, on a node with memcpy through the
// mapping, between nodes with MPI_Get and a flush, with the target in MPI_Barrier; boxes of a matrix
// compared with a loop over rows, and with an MPI vector type. Four units: all units read all elements,
// compared with a loop in the order of the units, and with all transfers in flight at once, starting with
// those from unit 0.
//
// An argument selects the rows whose names contain it.

#include <libdash.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/Comparison.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;
constexpr std::size_t largest = 64 * mib;
constexpr std::ptrdiff_t part = largest / sizeof(double);  // elements of each unit
constexpr std::initializer_list<std::size_t> sizes = {64 * kib, 256 * kib, mib,
                                                      4 * mib,  16 * mib,  largest};

std::string filter;  // the argument of the program

bool is_selected(const std::string& name) {
  return name.find(filter) != std::string::npos;
}

/// Makes a candidate whose samples are the median of three times, each of some tenths of a millisecond.
/// Before a sample, unit 0 sleeps until the library's threads have stopped polling, and makes a warm-up
/// call.
template <class Each>
Candidate sample_of(std::size_t nbytes, PeerWait peer_wait, Each each) {
  const long repetitions = std::max(1L, static_cast<long>(4 * mib / nbytes));
  return [=] {
    return measure_on_first_unit(peer_wait, [=] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      each(0);
      Samples samples;
      for (int i = 0; i < 3; ++i)
        samples.push_back(measure_ns_per_call(repetitions, each));
      return median(samples);
    });
  };
}

/// Compares candidates whose samples are medians already.
Outcome compare_medians(const Candidate& ours, const Candidate& baseline) {
  const std::vector<Samples> samples = interleave(21, {ours, baseline, baseline});
  return compare_samples(samples[0], samples[1], samples[2]);
}

class TwoUnits {
 public:
  explicit TwoUnits(const World& world)
      : _world(world), _array(2 * static_cast<std::size_t>(part)), _own(part, 1.0) {
    std::fill(_array.lbegin(), _array.lend(), 1.0);
    dash::barrier();
  }

  void measure() {
    measure_local();
    if (_world.on_one_node()) {
      measure_on_node();
    } else {
      measure_between_nodes();
    }
    for (const std::size_t row : {64UL, 512UL, 4 * kib, 64 * kib})
      measure_box(row);
    if (_world.is_first_unit()) _table.print();
  }

 private:
  static std::ptrdiff_t count(std::size_t nbytes) {
    return static_cast<std::ptrdiff_t>(nbytes / sizeof(double));
  }
  auto get(std::ptrdiff_t begin, std::size_t nbytes) {
    return [=, this](long) {
      dash::copy(_array.begin() + begin, _array.begin() + begin + count(nbytes), _own.data());
      clobber_memory(_own.data());
    };
  }
  auto put(std::ptrdiff_t begin, std::size_t nbytes) {
    return [=, this](long) {
      dash::copy(_own.data(), _own.data() + count(nbytes), _array.begin() + begin);
      clobber_memory(_own.data());
    };
  }
  auto get_async(std::ptrdiff_t begin, std::size_t nbytes) {
    return [=, this](long) {
      dash::copy_async(_array.begin() + begin, _array.begin() + begin + count(nbytes), _own.data())
          .wait();
      clobber_memory(_own.data());
    };
  }

  template <class Ours, class Baseline>
  void add(const std::string& name, std::size_t nbytes, Ours ours, const std::string& baseline_name,
           PeerWait peer_wait, Baseline baseline, const Goal& goal = {}) {
    if (!is_selected(name + " " + format_size(nbytes))) return;
    _table.add(make_row(name, format_size(nbytes), baseline_name,
                        compare_medians(sample_of(nbytes, PeerWait::dart_barrier, ours),
                                        sample_of(nbytes, peer_wait, baseline)),
                        goal));
  }

  void measure_local() {
    for (const std::size_t nbytes : sizes) {
      double* const local = _array.lbegin();
      add(
          "copy from local memory", nbytes, get(0, nbytes), "std::copy", PeerWait::dart_barrier,
          [=, this](long) {
            std::copy(local, local + count(nbytes), _own.data());
            clobber_memory(_own.data());
          },
          speed_at_least(0.98));
      add(
          "copy to local memory", nbytes, put(0, nbytes), "std::copy", PeerWait::dart_barrier,
          [=, this](long) {
            std::copy(_own.data(), _own.data() + count(nbytes), local);
            clobber_memory(local);
          },
          speed_at_least(0.98));
    }
  }

  void measure_on_node() {
    double* const mapped = other_address();
    for (const std::size_t nbytes : sizes) {
      const auto from_mapped = [=, this](long) {
        std::memcpy(_own.data(), mapped, nbytes);
        clobber_memory(_own.data());
      };
      const auto to_mapped = [=, this](long) {
        std::memcpy(mapped, _own.data(), nbytes);
        clobber_memory(mapped);
      };
      add("copy from the same node", nbytes, get(part, nbytes), "memcpy", PeerWait::dart_barrier,
          from_mapped, speed_at_least(0.98));
      add("copy to the same node", nbytes, put(part, nbytes), "memcpy", PeerWait::dart_barrier,
          to_mapped, speed_at_least(0.98));
      add("copy_async from the same node", nbytes, get_async(part, nbytes), "memcpy",
          PeerWait::dart_barrier, from_mapped, speed_at_least(0.98));
    }
  }

  double* other_address() {
    dash::GlobPtr<double> other(_array.begin() + part);
    return static_cast<double*>(dash::dart::on_node_address(other.dart_gptr(), largest));
  }

  void measure_between_nodes() {
    const MpiWindow window(largest);
    for (const std::size_t nbytes : sizes) {
      const int n = static_cast<int>(nbytes);
      const MPI_Win win = window.get();
      const auto raw_get = [=, this](long) {
        MPI_Get(_own.data(), n, MPI_BYTE, 1, 0, n, MPI_BYTE, win);
        MPI_Win_flush(1, win);
      };
      const auto raw_put = [=, this](long) {
        MPI_Put(_own.data(), n, MPI_BYTE, 1, 0, n, MPI_BYTE, win);
        MPI_Win_flush(1, win);
      };
      add("copy from another node", nbytes, get(part, nbytes), "MPI_Get, flush",
          PeerWait::mpi_barrier, raw_get, speed_at_least(0.95));
      add("copy to another node", nbytes, put(part, nbytes), "MPI_Put, flush",
          PeerWait::mpi_barrier, raw_put, speed_at_least(0.95));
      add("copy_async from another node", nbytes, get_async(part, nbytes), "MPI_Get, flush",
          PeerWait::mpi_barrier, raw_get, speed_at_least(0.95));
    }
  }

  /// A box of 1 MiB. Its rows are half as long as those of the other unit's part of the matrix.
  void measure_box(std::size_t row) {
    const std::size_t rows = mib / row;
    const std::size_t cols = row / sizeof(double);
    dash::NArray<double, 2> matrix(2 * rows, 2 * cols);
    std::fill(matrix.lbegin(), matrix.lend(), 1.0);
    dash::barrier();
    const auto box = matrix.sub<0>(rows, rows).sub<1>(cols / 2, cols);
    const auto begin = box.begin();
    const auto end = box.end();
    const auto ours = [=, this](long) {
      dash::copy(begin, end, _own.data());
      clobber_memory(_own.data());
    };
    const std::string name = "copy of a box, rows of " + format_size(row);
    const dash::GlobPtr<double> gptr(begin);
    const auto* const from =
        static_cast<const double*>(dash::dart::on_node_address(gptr.dart_gptr(), row));
    if (_world.on_one_node()) {
      add(
          name, mib, ours, "loop over rows", PeerWait::dart_barrier,
          [=, this](long) {
            for (std::size_t i = 0; i < rows; ++i)
              std::memcpy(_own.data() + i * cols, from + 2 * i * cols, row);
            clobber_memory(_own.data());
          },
          speed_at_least(0.98));
    } else {
      const MpiWindow window(2 * mib);
      MPI_Datatype vector = MPI_DATATYPE_NULL;
      MPI_Type_vector(static_cast<int>(rows), static_cast<int>(row), static_cast<int>(2 * row),
                      MPI_BYTE, &vector);
      MPI_Type_commit(&vector);
      const MPI_Win win = window.get();
      add(
          name, mib, ours, "MPI_Get of a vector type, flush", PeerWait::mpi_barrier,
          [=, this](long) {
            MPI_Get(_own.data(), mib, MPI_BYTE, 1, 0, 1, vector, win);
            MPI_Win_flush(1, win);
          },
          speed_at_least(0.95));
      MPI_Type_free(&vector);
    }
    dash::barrier();
  }

  const World& _world;
  dash::Array<double> _array;
  std::vector<double> _own;
  Table _table;
};

/// All units copy the whole array at the same time.
void measure_all_read_all(const World& world) {
  Table table;
  for (const std::size_t nbytes : {mib, 16 * mib}) {
    const auto units = static_cast<std::ptrdiff_t>(world.units());
    const auto each = static_cast<std::ptrdiff_t>(nbytes / sizeof(double));
    dash::Array<double> array(static_cast<std::size_t>(units * each));
    std::fill(array.lbegin(), array.lend(), 1.0);
    std::vector<double> own(array.size(), 1.0);
    const auto together = [&](auto body) -> Candidate {
      return [=] {
        dash::barrier();
        const std::uint64_t begin = dash::core::now_ns();
        body();
        dash::barrier();
        return static_cast<double>(dash::core::now_ns() - begin);
      };
    };
    const auto ours = [&] { dash::copy(array.begin(), array.end(), own.data()); };
    const auto in_order = [&] {
      for (std::ptrdiff_t unit = 0; unit < units; ++unit) {
        dash::copy(array.begin() + unit * each, array.begin() + (unit + 1) * each,
                   own.data() + unit * each);
      }
    };
    const auto all_in_flight = [&] {
      std::vector<dash::Future<double*>> copies;
      for (std::ptrdiff_t unit = 0; unit < units; ++unit) {
        copies.push_back(dash::copy_async(array.begin() + unit * each,
                                          array.begin() + (unit + 1) * each,
                                          own.data() + unit * each));
      }
      for (auto& copy : copies)
        copy.wait();
    };
    const std::string size = format_size(nbytes) + " each";
    table.add(make_row("all units copy the whole array", size, "one unit at a time",
                       compare(together(ours), together(in_order)),
                       ratio_at_most(world.on_one_node() ? 1.05 : 1)));
    if (!world.on_one_node()) {
      table.add(make_row("all units copy the whole array", size, "all in flight, unit 0 first",
                         compare(together(ours), together(all_in_flight))));
    }
    dash::barrier();
  }
  if (!world.on_one_node()) {
    table.add_note(
        "Between simulated nodes on one machine, the gain comes from all transfers being in "
        "flight, since all "
        "units read through the same memory. The order of the units only matters if each node has "
        "its own link.");
  }
  if (world.is_first_unit()) table.print();
}

void measure(const World& world) {
  if (world.units() == 2) return TwoUnits(world).measure();
  if (world.units() > 2) return measure_all_read_all(world);
  throw std::runtime_error("this benchmark needs at least two units");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  return run_program(argc, argv, measure);
}
