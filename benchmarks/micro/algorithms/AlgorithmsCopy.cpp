// dash-bench: units=2,4 layouts=node,nolocal quick=node,nolocal
//
// dash::copy and copy_async. Two units: of the caller's own memory against std::copy, of the node's
// against memcpy through the mapping, of another node's against MPI_Get and a flush, whose target is
// in MPI_Barrier; boxes of a matrix against a loop over rows, and a vector type of MPI. Four units:
// all of them read everything, against a loop in the order of the units, and against all of their
// transfers in flight at once, those of the first unit first.
//
// An argument limits it to rows whose names contain it.

#include <libdash.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/Contest.h"
#include "support/Measure.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;
constexpr std::size_t largest = 64 * mib;
constexpr std::ptrdiff_t part = largest / sizeof(double);  // of each unit
constexpr std::initializer_list<std::size_t> sizes = {64 * kib, 256 * kib, mib,
                                                      4 * mib,  16 * mib,  largest};

std::string wanted;

bool is_wanted(const std::string& what) {
  return what.find(wanted) != std::string::npos;
}

/// A sample of `each`: the median of three times, each of some tenths of a millisecond, after a call for
/// warmth and a rest, in which the library's threads stop polling for what was before.
template <class Each>
Contestant sample_of(std::size_t nbytes, Peers peers, Each each) {
  const long repetitions = std::max(1L, static_cast<long>(4 * mib / nbytes));
  return [=] {
    return alone(peers, [=] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      each(0);
      Samples samples;
      for (int i = 0; i < 3; ++i)
        samples.push_back(time_each(repetitions, each));
      return median(samples);
    });
  };
}

/// A contest whose contestants take medians themselves.
Outcome contest_of_medians(const Contestant& ours, const Contestant& twin) {
  const std::vector<Samples> samples = interleave(21, {ours, twin, twin});
  return outcome_of(samples[0], samples[1], samples[2]);
}

class TwoUnits {
 public:
  explicit TwoUnits(const World& world)
      : _world(world), _array(2 * static_cast<std::size_t>(part)), _own(part, 1.0) {
    std::fill(_array.lbegin(), _array.lend(), 1.0);
    dash::barrier();
  }

  void measure() {
    measure_own();
    if (_world.on_one_node()) {
      measure_on_node();
    } else {
      measure_between_nodes();
    }
    for (const std::size_t row : {64UL, 512UL, 4 * kib})
      measure_box(row);
    if (_world.leads()) _table.print();
  }

 private:
  static std::ptrdiff_t count(std::size_t nbytes) {
    return static_cast<std::ptrdiff_t>(nbytes / sizeof(double));
  }
  auto get(std::ptrdiff_t begin, std::size_t nbytes) {
    return [=, this](long) {
      dash::copy(_array.begin() + begin, _array.begin() + begin + count(nbytes), _own.data());
      keep_memory(_own.data());
    };
  }
  auto put(std::ptrdiff_t begin, std::size_t nbytes) {
    return [=, this](long) {
      dash::copy(_own.data(), _own.data() + count(nbytes), _array.begin() + begin);
      keep_memory(_own.data());
    };
  }
  auto get_async(std::ptrdiff_t begin, std::size_t nbytes) {
    return [=, this](long) {
      dash::copy_async(_array.begin() + begin, _array.begin() + begin + count(nbytes), _own.data())
          .wait();
      keep_memory(_own.data());
    };
  }

  template <class Ours, class Twin>
  void add(const std::string& what, std::size_t nbytes, Ours ours, const std::string& name,
           Peers peers, Twin twin, const Bar& bar = {}) {
    if (!is_wanted(what + " " + size_of(nbytes))) return;
    _table.add(row_of(
        what, size_of(nbytes), name,
        contest_of_medians(sample_of(nbytes, Peers::asleep, ours), sample_of(nbytes, peers, twin)),
        bar));
  }

  void measure_own() {
    for (const std::size_t nbytes : sizes) {
      double* const local = _array.lbegin();
      add(
          "copy of the unit's own", nbytes, get(0, nbytes), "std::copy", Peers::asleep,
          [=, this](long) {
            std::copy(local, local + count(nbytes), _own.data());
            keep_memory(_own.data());
          },
          speed_at_least(0.98));
      add(
          "copy to the unit's own", nbytes, put(0, nbytes), "std::copy", Peers::asleep,
          [=, this](long) {
            std::copy(_own.data(), _own.data() + count(nbytes), local);
            keep_memory(local);
          },
          speed_at_least(0.98));
    }
  }

  void measure_on_node() {
    double* const mapped = other_address();
    for (const std::size_t nbytes : sizes) {
      const auto from_mapped = [=, this](long) {
        std::memcpy(_own.data(), mapped, nbytes);
        keep_memory(_own.data());
      };
      const auto to_mapped = [=, this](long) {
        std::memcpy(mapped, _own.data(), nbytes);
        keep_memory(mapped);
      };
      add("copy from the node", nbytes, get(part, nbytes), "memcpy", Peers::asleep, from_mapped,
          speed_at_least(0.98));
      add("copy to the node", nbytes, put(part, nbytes), "memcpy", Peers::asleep, to_mapped,
          speed_at_least(0.98));
      add("copy_async from the node", nbytes, get_async(part, nbytes), "memcpy", Peers::asleep,
          from_mapped, speed_at_least(0.98));
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
      add("copy from another node", nbytes, get(part, nbytes), "MPI_Get, flush", Peers::in_mpi,
          raw_get, speed_at_least(0.95));
      add("copy to another node", nbytes, put(part, nbytes), "MPI_Put, flush", Peers::in_mpi,
          raw_put, speed_at_least(0.95));
      add("copy_async from another node", nbytes, get_async(part, nbytes), "MPI_Get, flush",
          Peers::in_mpi, raw_get, speed_at_least(0.95));
    }
  }

  /// A box of 1 MiB, of rows that are half as long as those of the other unit's part of a matrix.
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
      keep_memory(_own.data());
    };
    const std::string what = "copy of a box, rows of " + size_of(row);
    const dash::GlobPtr<double> gptr(begin);
    const auto* const from =
        static_cast<const double*>(dash::dart::on_node_address(gptr.dart_gptr(), row));
    if (_world.on_one_node()) {
      add(
          what, mib, ours, "loop over rows", Peers::asleep,
          [=, this](long) {
            for (std::size_t i = 0; i < rows; ++i)
              std::memcpy(_own.data() + i * cols, from + 2 * i * cols, row);
            keep_memory(_own.data());
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
          what, mib, ours, "MPI_Get of a vector, flush", Peers::in_mpi,
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

/// All units copy everything at once.
void measure_all_read_all(const World& world) {
  Table table;
  for (const std::size_t nbytes : {mib, 16 * mib}) {
    const auto units = static_cast<std::ptrdiff_t>(world.units());
    const auto each = static_cast<std::ptrdiff_t>(nbytes / sizeof(double));
    dash::Array<double> array(static_cast<std::size_t>(units * each));
    std::fill(array.lbegin(), array.lend(), 1.0);
    std::vector<double> own(array.size(), 1.0);
    const auto together = [&](auto body) -> Contestant {
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
    const std::string size = size_of(nbytes) + " each";
    table.add(row_of("all units copy everything", size, "unit after unit",
                     contest(together(ours), together(in_order)),
                     ratio_at_most(world.on_one_node() ? 1.05 : 1)));
    if (!world.on_one_node()) {
      table.add(row_of("all units copy everything", size, "all in flight, unit 0 first",
                       contest(together(ours), together(all_in_flight))));
    }
    dash::barrier();
  }
  if (!world.on_one_node()) {
    table.note(
        "Between nodes on one machine, what is gained comes of all transfers being in flight: all "
        "read "
        "through the same memory. Which unit each begins with shows where nodes have links of "
        "their "
        "own.");
  }
  if (world.leads()) table.print();
}

void measure(const World& world) {
  if (world.units() == 2) return TwoUnits(world).measure();
  if (world.units() > 2) return measure_all_read_all(world);
  throw std::runtime_error("needs two units or more");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) wanted = argv[1];
  return run_program(argc, argv, measure);
}
