#include "MpiSearch.h"

#include <algorithm>

namespace min_element {

namespace {

Minimum first_minimum(const Minimum& a, const Minimum& b) {
  return is_before(b, a) ? b : a;
}

}  // namespace

MpiSearch::MpiSearch(const Problem& problem, const kernels::World& world)
    : _unit(world.unit()), _units(world.units()) {
  const auto begin = [&](int unit) {
    return kernels::block_begin(problem.elements(), static_cast<std::uint64_t>(_units),
                                static_cast<std::uint64_t>(unit));
  };
  _first = begin(_unit);
  _elements.resize(begin(_unit + 1) - _first);
}

std::uint64_t MpiSearch::find(kernels::Stopwatch& communication) {
  const Minimum local_minimum = minimum_of(own(), _first);
  _found = communication.time([&] { return reduce(local_minimum); });
  return _found.index;
}

TwoSidedSearch::TwoSidedSearch(const Problem& problem, const kernels::World& world)
    : MpiSearch(problem, world), _all(static_cast<std::size_t>(_units)) {}

Minimum TwoSidedSearch::reduce(const Minimum& local_minimum) {
  MPI_Allgather(&local_minimum, sizeof local_minimum, MPI_BYTE, _all.data(), sizeof local_minimum,
                MPI_BYTE, MPI_COMM_WORLD);
  return *std::min_element(_all.begin(), _all.end(), is_before);
}

RmaSearch::RmaSearch(const Problem& problem, const kernels::World& world)
    : MpiSearch(problem, world), _slots(_unit, _units) {}

Minimum RmaSearch::reduce(const Minimum& local_minimum) {
  _slots.publish(local_minimum);
  return _slots.collect(first_minimum);
}

SharedSearch::SharedSearch(const Problem& problem, const kernels::World& world)
    : MpiSearch(problem, world), _slots(_unit, _units) {}

Minimum SharedSearch::reduce(const Minimum& local_minimum) {
  _slots.publish(local_minimum);
  return _slots.collect(first_minimum);
}

std::unique_ptr<Search> make_mpi_search(const Problem& problem, const kernels::World& world,
                                        const std::string& via) {
  if (via == "rma") return std::make_unique<RmaSearch>(problem, world);
  if (via == "shared") return std::make_unique<SharedSearch>(problem, world);
  return std::make_unique<TwoSidedSearch>(problem, world);
}

}  // namespace min_element
