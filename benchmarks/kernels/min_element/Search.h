#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "Problem.h"
#include "support/Program.h"

namespace min_element {

/// A distributed array and the search for its minimum.
class Search {
 public:
  virtual ~Search() = default;

  /// The caller's elements, and the index of the first of them.
  virtual std::span<Value> own() = 0;
  virtual std::size_t first() const = 0;

  /// Finds the first minimum of all elements. \returns its index, on all units
  /// \param communication  times the reduction over units, if it can be measured separately
  /// \collective
  virtual std::uint64_t find(kernels::Stopwatch& communication) = 0;
  /// The element at the index that find() has returned last.
  virtual Value value_at(std::uint64_t index) = 0;
};

using MakeSearch = std::function<std::unique_ptr<Search>(const Problem&, const kernels::World&,
                                                         const std::string& via)>;

/// The program with its options, which the DASH program and the baselines share.
kernels::Program make_program(const std::string& name, const MakeSearch& make_search);

}  // namespace min_element
