#include "LocalMatrix.h"

#include <algorithm>

namespace spmv {

LocalMatrix::LocalMatrix(const Layout& layout, std::size_t block_size, bool with_ranges)
    : _block_size(block_size), _rows(layout.size) {
  find_dependencies(layout, with_ranges);
  // Reserve exactly the memory that run() has checked for: a growing vector needs up to three times
  // as much.
  constexpr std::size_t max_row_length = 7;
  _begins.reserve(_rows + 1);
  _columns.reserve(max_row_length * _rows);
  _values.reserve(max_row_length * _rows * block_size * block_size);
  _begins.push_back(0);
  for (std::uint64_t row = layout.first; row < layout.first + layout.size; ++row) {
    bool is_inner = true;
    const auto add = [&](std::uint64_t column) {
      const std::uint32_t local = local_column(layout, column, with_ranges);
      is_inner = is_inner && local < _rows;
      append(local, -1);
    };
    for_lower(layout.grid, row, add);
    append(static_cast<std::uint32_t>(row - layout.first), 6);
    for_upper(layout.grid, row, add);
    append_row(row - layout.first, is_inner);
  }
}

void LocalMatrix::find_dependencies(const Layout& layout, bool with_ranges) {
  std::vector<std::uint64_t> columns;
  const auto add = [&](std::uint64_t column) {
    if (column - layout.first >= layout.size) columns.push_back(column);
  };
  for (std::uint64_t row = layout.first; row < layout.first + layout.size; ++row) {
    for_lower(layout.grid, row, add);
    for_upper(layout.grid, row, add);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (const std::uint64_t column : columns) {
    const int owner = layout.owner(column);
    if (_dependencies.empty() || _dependencies.back().owner != owner)
      _dependencies.push_back({owner, {}, 0});
    _dependencies.back().columns.push_back(column);
  }
  for (Dependency& dependency : _dependencies) {
    dependency.first_ghost = _ghosts;
    _ghosts += with_ranges ? dependency.span() : dependency.columns.size();
  }
}

std::uint32_t LocalMatrix::local_column(const Layout& layout, std::uint64_t column,
                                        bool with_ranges) const {
  if (column - layout.first < layout.size) return static_cast<std::uint32_t>(column - layout.first);
  const int owner = layout.owner(column);
  const auto dependency = std::find_if(_dependencies.begin(), _dependencies.end(),
                                       [&](const Dependency& each) { return each.owner == owner; });
  const auto& columns = dependency->columns;
  const std::uint64_t index =
      with_ranges ? column - dependency->first()
                  : static_cast<std::uint64_t>(
                        std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
  return static_cast<std::uint32_t>(_rows + dependency->first_ghost + index);
}

void LocalMatrix::append(std::uint32_t column, double value) {
  _columns.push_back(column);
  if (_block_size == 1) {
    _values.push_back(value);
    return;
  }
  for (std::size_t t = 0; t < _block_size; ++t) {
    for (std::size_t u = 0; u < _block_size; ++u)
      _values.push_back(t == u ? 2 * value : value);
  }
}

void LocalMatrix::append_row(std::size_t row, bool is_inner) {
  _begins.push_back(_columns.size());
  auto& rows = is_inner ? _inner : _border;
  if (!rows.empty() && rows.back().end == row) {
    rows.back().end = row + 1;
  } else {
    rows.push_back({row, row + 1});
  }
}

namespace {

/// Multiplies one row; `at(column)` returns the address of the numbers of a column.
template <class At>
void multiply_row(const std::uint32_t* columns, const double* values, std::size_t n, std::size_t s,
                  const At& at, double* y) {
  if (s == 1) {
    double sum = 0;
    for (std::size_t e = 0; e < n; ++e)
      sum += values[e] * *at(columns[e]);
    *y = sum;
    return;
  }
  std::fill(y, y + s, 0.0);
  for (std::size_t e = 0; e < n; ++e) {
    const double* const x = at(columns[e]);
    const double* block = values + e * s * s;
    for (std::size_t t = 0; t < s; ++t, block += s) {
      double sum = 0;
      for (std::size_t u = 0; u < s; ++u)
        sum += block[u] * x[u];
      y[t] += sum;
    }
  }
}

}  // namespace

void LocalMatrix::multiply_inner(const double* x, double* y) const {
  const std::size_t s = _block_size;
  for (const Rows& rows : _inner) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const std::size_t begin = _begins[row];
      multiply_row(
          _columns.data() + begin, _values.data() + begin * s * s, _begins[row + 1] - begin, s,
          [&](std::uint32_t column) { return x + column * s; }, y + row * s);
    }
  }
}

void LocalMatrix::multiply_border(const double* x, const double* const* ghosts, double* y) const {
  const std::size_t s = _block_size;
  for (const Rows& rows : _border) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const std::size_t begin = _begins[row];
      multiply_row(
          _columns.data() + begin, _values.data() + begin * s * s, _begins[row + 1] - begin, s,
          [&](std::uint32_t column) {
            return column < _rows ? x + column * s : ghosts[column - _rows];
          },
          y + row * s);
    }
  }
}

}  // namespace spmv
