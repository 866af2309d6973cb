// Containers may be global variables or members: construct them without memory, and allocate when the
// library is initialized and their size is known.
// dash-example: units=1,4
#include <libdash.h>

namespace {

dash::Array<long> counts;  // constructed before dash::init

struct Simulation {
  dash::NArray<double, 2> grid;

  void start(std::size_t rows, std::size_t cols) { grid.allocate(rows, cols); }
};

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = counts.empty() ? 0 : 1;

  counts.allocate(dash::size(), dash::BLOCKED);  // collective
  counts.local[0] = 1 + dash::myid();
  counts.barrier();
  const auto units = static_cast<long>(dash::size());
  wrong += dash::reduce(counts.begin(), counts.end(), 0L) == units * (units + 1) / 2 ? 0 : 1;

  Simulation simulation;
  simulation.start(4 * dash::size(), 8);
  wrong += simulation.grid.local.extent(0) == 4 ? 0 : 1;
  simulation.grid.deallocate();  // otherwise its destructor or finalize frees it

  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
