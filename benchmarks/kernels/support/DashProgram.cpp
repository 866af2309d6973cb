#include "support/DashProgram.h"

#include <dash/Collectives.h>
#include <dash/Init.h>
#include <dash/util/Locality.h>
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <type_traits>

namespace kernels {

namespace {

template <class T>
void reduce_all(std::span<T> values, World::Reduction reduction) {
  T* const data = values.data();
  switch (reduction) {
    case World::Reduction::sum:
      return dash::allreduce_async(data, data, values.size(), dash::plus<T>()).get();
    case World::Reduction::max:
      return dash::allreduce_async(data, data, values.size(), dash::max<T>()).get();
    case World::Reduction::bit_xor:
      if constexpr (std::is_integral_v<T>) {
        return dash::allreduce_async(data, data, values.size(), dash::bit_xor<T>()).get();
      }
      throw std::logic_error("kernels::World::reduce: numbers with a fraction have no xor");
  }
}

}  // namespace

int DashWorld::unit() const {
  return dash::myid().id;
}
int DashWorld::units() const {
  return static_cast<int>(dash::size());
}
void DashWorld::barrier() {
  dash::barrier();
}
void DashWorld::reduce(std::span<double> values, Reduction reduction) {
  reduce_all(values, reduction);
}
void DashWorld::reduce(std::span<std::uint64_t> values, Reduction reduction) {
  reduce_all(values, reduction);
}
bool DashWorld::is_one_node() const {
  return dash::util::Locality::NumNodes() == 1;
}

int dash_main(int argc, char** argv, const Program& program) {
  try {
    dash::init(&argc, &argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program.name, error.what());
    return 1;
  }
  int code = 1;
  try {
    DashWorld world;
    code = run_command_line(argc, argv, program, world, false);
  } catch (const std::exception& error) {
    // Perhaps on this unit only: the others may wait for it for ever.
    fmt::print(stderr, "{}: unit {}: {}\n", program.name, dash::myid().id, error.what());
    dash::abort(1);
  }
  dash::finalize();
  return code;
}

}  // namespace kernels
