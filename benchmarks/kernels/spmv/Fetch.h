#pragma once

#include <span>
#include <string>
#include <vector>

#include "Layout.h"

namespace spmv {

/// How units get what they need of others' parts of the vector. It has the vector.
class Fetch {
 public:
  enum class Variant { elements, ranges, lists };

  Fetch() = default;
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;
  virtual ~Fetch() = default;

  /// The calling unit's part.
  virtual std::span<double> local() = 0;
  /// Starts to fetch all needs, and waits for them. Between, the vector does not change.
  /// @{
  virtual void start() = 0;
  virtual void finish() = 0;
  /// @}
  const double* ghosts() const { return _ghosts.data(); }

 protected:
  std::vector<double> _ghosts;
};

/// What it is made of.
struct FetchSpec {
  Layout layout;
  std::size_t block_size = 1;
  Fetch::Variant variant = Fetch::Variant::ranges;
  std::vector<Need> needs;
  std::size_t ghosts = 0;

  std::size_t local_size() const { return layout.size * block_size; }
  /// Of an element of a unit's part, within that part.
  std::size_t place_in_part(const Need& need, std::uint64_t column) const {
    return (column - layout.begin_of(need.owner)) * block_size;
  }
};

/// Columns of a need that follow each other.
struct Run {
  std::uint64_t first;
  std::uint64_t length;
};
std::vector<Run> runs_of(const Need& need);

}  // namespace spmv
