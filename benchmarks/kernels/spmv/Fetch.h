#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "Layout.h"

namespace spmv {

/// How units fetch columns of other units.
enum class Variant {
  elements,  ///< each column separately
  ranges,    ///< from each owner, all columns from the first to the last needed one
  lists      ///< from each owner, the needed columns at once
};

/// Parameters of a Fetch.
struct FetchSpec {
  Layout layout;
  std::size_t block_size = 1;
  Variant variant = Variant::ranges;
  std::vector<Dependency> dependencies;

  std::size_t local_size() const { return layout.size * block_size; }
  /// Offset of a column in its owner's block, in doubles.
  std::size_t offset_in_block(const Dependency& dependency, std::uint64_t column) const {
    return (column - layout.begin_of(dependency.owner)) * block_size;
  }
  /// The number of ghost columns of a dependency.
  std::size_t num_columns(const Dependency& dependency) const {
    return variant == Variant::ranges ? dependency.span() : dependency.columns.size();
  }
};

/// Consecutive columns.
struct ColumnRun {
  std::uint64_t first;
  std::uint64_t length;
};
/// The maximal runs of consecutive columns of a dependency.
std::vector<ColumnRun> runs_of(const Dependency& dependency);
/// The runs of columns that a variant fetches: single columns, the range, or the needed columns.
std::vector<ColumnRun> runs_of(const Dependency& dependency, Variant variant);

/// Owns the distributed vector, and fetches the columns of other units that the calling unit needs.
class Fetch {
 public:
  explicit Fetch(FetchSpec spec);
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;
  virtual ~Fetch() = default;

  /// The calling unit's block of the vector.
  virtual std::span<double> local() = 0;
  /// Start fetching all dependencies, and wait for them. In between, the vector must not change.
  /// @{
  virtual void start() = 0;
  virtual void finish() = 0;
  /// @}

  /// For each ghost column, the address of its values; valid after finish().
  const double* const* ghosts() const { return _ghosts[_current].data(); }
  /// Number of bytes fetched for a product.
  std::size_t fetched_bytes() const;

 protected:
  /// Allocates a buffer for the fetched columns of a dependency. Its address does not change.
  /// \param buffer_index  0, or 0 and 1 for two buffers that are used alternately
  double* make_buffer(const Dependency& dependency, std::size_t buffer_index = 0);
  /// Makes ghosts() refer to the owner's memory, instead of fetching.
  /// \param first  address of the first column of the dependency in its owner's block
  void read_in_place(const Dependency& dependency, const double* first);

  FetchSpec _spec;
  std::size_t _current = 0;  // index of the buffers with the columns that were fetched last

 private:
  std::array<std::vector<const double*>, 2> _ghosts;
  std::array<std::vector<std::vector<double>>, 2> _buffers;
};

}  // namespace spmv
