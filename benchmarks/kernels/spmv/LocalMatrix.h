#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "Layout.h"
#include "support/LargePages.h"

namespace spmv {

/// What a product goes through.
template <class T>
using Large = std::vector<T, kernels::LargePages<T>>;

/// The calling unit's rows of the Laplacian, in compressed rows of dense blocks: A = L x M, where L is
/// the Laplacian of the grid and M has 2 on the diagonal and 1 elsewhere. Unknown t of row r is number
/// r * s + t.
class LocalMatrix {
 public:
  /// \param block_size   s; 1: M is 1, not 2
  /// \param with_ranges  whether all columns from the first to the last that is needed of a unit have
  ///                     a place, or those that are needed
  LocalMatrix(const Layout& layout, std::size_t block_size, bool with_ranges);

  /// By owner, ascending.
  const std::vector<Need>& needs() const { return _needs; }
  /// Columns that all needs have places for.
  std::size_t ghosts() const { return _ghosts; }
  std::uint64_t nonzeros() const { return _columns.size(); }

  /// y = A x for the rows that need nothing of others.
  void multiply_inner(const double* x, double* y) const;
  /// The same for the other rows.
  /// \param ghosts  where the numbers of each column are that others have, each need at its place
  void multiply_border(const double* x, const double* const* ghosts, double* y) const;

 private:
  struct Rows {
    std::size_t begin;
    std::size_t end;
  };

  void find_needs(const Layout& layout, bool with_ranges);
  std::uint32_t local_column(const Layout& layout, std::uint64_t column, bool with_ranges) const;
  void append(std::uint32_t column, double value);
  void append_row(std::size_t row, bool is_inner);

  std::size_t _block_size;
  std::size_t _rows;
  std::size_t _ghosts = 0;
  std::vector<Need> _needs;
  Large<std::size_t> _begins;     // of rows, in _columns
  Large<std::uint32_t> _columns;  // local; ghosts follow the rows
  Large<double> _values;          // a block for each column
  std::vector<Rows> _inner;
  std::vector<Rows> _border;
};

}  // namespace spmv
