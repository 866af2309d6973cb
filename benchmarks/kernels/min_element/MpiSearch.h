#pragma once

#include <memory>
#include <string>
#include <vector>

#include "Search.h"
#include "support/LargePages.h"
#include "support/MpiSlots.h"

namespace min_element {

/// Base class of the searches with MPI: each process finds the minimum of its local elements, all
/// processes exchange their minima, and each process selects the first.
class MpiSearch : public Search {
 public:
  MpiSearch(const Problem& problem, const kernels::World& world);

  std::span<Value> own() override { return _elements; }
  std::size_t first() const override { return _first; }
  std::uint64_t find(kernels::Stopwatch& communication) override;
  Value value_at(std::uint64_t) override { return _found.value; }

 protected:
  /// \returns the first minimum of all processes
  virtual Minimum reduce(const Minimum& local_minimum) = 0;

  int _unit;
  int _units;

 private:
  std::size_t _first;
  std::vector<Value, kernels::LargePages<Value>> _elements;
  Minimum _found = none;
};

class TwoSidedSearch final : public MpiSearch {
 public:
  TwoSidedSearch(const Problem& problem, const kernels::World& world);

 private:
  Minimum reduce(const Minimum& local_minimum) override;

  std::vector<Minimum> _all;
};

/// Exchanges minima by puts.
class RmaSearch final : public MpiSearch {
 public:
  RmaSearch(const Problem& problem, const kernels::World& world);

 private:
  Minimum reduce(const Minimum& local_minimum) override;

  kernels::PutSlots<Minimum> _slots;
};

/// Exchanges minima in shared memory.
class SharedSearch final : public MpiSearch {
 public:
  SharedSearch(const Problem& problem, const kernels::World& world);

 private:
  Minimum reduce(const Minimum& local_minimum) override;

  kernels::SharedSlots<Minimum> _slots;
};

std::unique_ptr<Search> make_mpi_search(const Problem& problem, const kernels::World& world,
                                        const std::string& via);

}  // namespace min_element
