#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "Problem.h"
#include "support/Program.h"

namespace min_element {

/// A distributed array, and the search for its minimum.
class Search {
 public:
  virtual ~Search() = default;

  /// The caller's part, and the index of its first element.
  virtual std::span<Value> own() = 0;
  virtual std::size_t first() const = 0;

  /// Where the first minimum of all elements is, on all units. \collective
  /// \param communication  times the units' agreement, if it can be told apart
  virtual std::uint64_t find(kernels::Stopwatch& communication) = 0;
  /// The element at a place that find() has returned last.
  virtual Value found(std::uint64_t place) = 0;
};

using MakeSearch = std::function<std::unique_ptr<Search>(const Problem&, const kernels::World&,
                                                         const std::string& via)>;

/// The program with its options, the same for ours and the twins.
kernels::Program make_program(const std::string& name, const MakeSearch& make_search);

}  // namespace min_element
