#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "Layout.h"
#include "support/LargePages.h"

namespace spmv {

/// A vector in large pages, for the data of a product.
template <class T>
using Large = std::vector<T, kernels::LargePages<T>>;

/// The calling unit's rows of the matrix in block compressed row storage: A = L x M, where L is the
/// Laplacian of the grid and M has 2 on the diagonal and 1 elsewhere. Unknown t of row r has the
/// number r * s + t.
class LocalMatrix {
 public:
  /// \param block_size   s; for 1, M is 1, not 2
  /// \param with_ranges  whether all columns from the first to the last needed column of a unit
  ///                     have ghosts, or only the needed ones
  LocalMatrix(const Layout& layout, std::size_t block_size, bool with_ranges);

  /// The dependencies in ascending order of owners.
  const std::vector<Dependency>& dependencies() const { return _dependencies; }
  /// The number of ghosts: columns of other units.
  std::size_t ghosts() const { return _ghosts; }
  std::uint64_t nonzeros() const { return _columns.size(); }

  /// Computes y = A x for the rows without dependencies.
  void multiply_inner(const double* x, double* y) const;
  /// Computes y = A x for the other rows.
  /// \param ghosts  by ghost: address of the numbers of the column
  void multiply_border(const double* x, const double* const* ghosts, double* y) const;

 private:
  struct Rows {
    std::size_t begin;
    std::size_t end;
  };

  void find_dependencies(const Layout& layout, bool with_ranges);
  std::uint32_t local_column(const Layout& layout, std::uint64_t column, bool with_ranges) const;
  void append(std::uint32_t column, double value);
  void append_row(std::size_t row, bool is_inner);

  std::size_t _block_size;
  std::size_t _rows;
  std::size_t _ghosts = 0;
  std::vector<Dependency> _dependencies;
  Large<std::size_t> _begins;     // begin of each row in _columns
  Large<std::uint32_t> _columns;  // local indices; ghosts follow the local rows
  Large<double> _values;          // a block for each column of each row
  std::vector<Rows> _inner;
  std::vector<Rows> _border;
};

}  // namespace spmv
