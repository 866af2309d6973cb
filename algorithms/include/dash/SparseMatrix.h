#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/DataCollectives.h"
#include "dash/Exception.h"
#include "dash/ParallelFor.h"
#include "dash/Team.h"
#include "dash/algorithm/IndexedCopy.h"
#include "dash/algorithm/Operation.h"

namespace dash {

/// An element of a sparse matrix.
/// \ingroup containers
template <class T, class Index = std::int64_t>
struct MatrixEntry {
  Index row;     ///< from 0
  Index column;  ///< from 0
  T value;       ///< added to other elements of the same row and column
};

/// A sparse matrix whose rows are distributed in blocks, as the elements of a dash::Array. Each unit stores its rows in the
/// format CSR (compressed sparse rows), with global column numbers in ascending order.
///
///     std::vector<dash::MatrixEntry<double>> entries = ...;     // any elements, at any unit
///     dash::SparseMatrix<double> a(n, n, entries);
///     dash::Array<double> x(n), y(n);
///     a.multiply(x, y);                                         // y = A x
///
/// The matrix does not change after its construction.
/// \tparam T      an arithmetic type, or another trivially copyable one with + and *
/// \tparam Index  a signed integer
/// \threads externally synchronized
/// \ingroup containers
template <class T, class Index = std::int64_t>
class SparseMatrix {
  static_assert(std::is_trivially_copyable_v<T>, "dash::SparseMatrix: T is copied as bytes");
  static_assert(std::is_integral_v<Index> && std::is_signed_v<Index>);

 public:
  using value_type = T;
  using index_type = Index;
  /// An element with its position.
  using Entry = MatrixEntry<T, Index>;

  /// Sends each element to the unit that owns its row. Elements of the same row and column are added up.
  /// \param num_rows, num_columns  the same on all units
  /// \param entries  elements of any rows; each unit passes some of them
  /// \collective over the team   \blocks until all units have called it and have received their elements
  /// \throws exception::OutOfRange on all units if an element of any unit is outside of the matrix
  /// \cost an all-to-all of the elements, and sorting those of the unit
  SparseMatrix(Index num_rows, Index num_columns, std::span<const Entry> entries,
               Team& team = Team::All())
      : _team(&team), _num_rows(num_rows), _num_columns(num_columns) {
    check(entries);
    assemble(exchange(entries));
    prepare();
  }
  SparseMatrix(const SparseMatrix&) = delete;
  SparseMatrix& operator=(const SparseMatrix&) = delete;
  /// Takes the elements of `other`, which may then only be destroyed or assigned to. \collective no
  SparseMatrix(SparseMatrix&& other) noexcept = default;
  /// \overload
  SparseMatrix& operator=(SparseMatrix&& other) noexcept = default;
  ~SparseMatrix() = default;

  /// The number of rows of all units.
  Index num_rows() const noexcept { return _num_rows; }
  /// The number of columns.
  Index num_columns() const noexcept { return _num_columns; }
  /// The units that have rows.
  Team& team() const noexcept { return *_team; }

  /// The unit that owns a row.
  team_unit_t owner(Index row) const noexcept {
    return team_unit_t(static_cast<int>(row / rows_per_unit()));
  }
  /// The first row of this unit.
  Index first_row() const noexcept {
    return std::min(_num_rows, rows_per_unit() * static_cast<Index>(_team->myid().id));
  }
  /// The number of rows of this unit.
  Index num_local_rows() const noexcept {
    return std::min(_num_rows, first_row() + rows_per_unit()) - first_row();
  }

  /// \name The rows of this unit
  /// @{

  /// For each row the position of its first element; then the number of elements.
  std::span<const std::size_t> row_offsets() const noexcept { return _offsets; }
  /// The columns of the elements, row by row.
  std::span<const Index> columns() const noexcept { return _columns; }
  /// The values of the elements, in the same order.
  std::span<T> values() noexcept { return _values; }
  /// \overload
  std::span<const T> values() const noexcept { return _values; }
  /// The columns of a row. \param row  0 is first_row()
  std::span<const Index> columns_of(Index row) const noexcept {
    return columns().subspan(begin_of(row), begin_of(row + 1) - begin_of(row));
  }
  /// The values of a row. \param row  0 is first_row()
  std::span<const T> values_of(Index row) const noexcept {
    return values().subspan(begin_of(row), begin_of(row + 1) - begin_of(row));
  }
  /// @}

  /// The number of elements of all units.
  /// \collective over the team   \blocks until all units have called it
  std::size_t num_entries() const {
    return allreduce_async(_values.size(), dash::plus<std::size_t>(), *_team).get();
  }

  /// y = A x. The units read the elements of x that they need, each once; rows that need only elements of the unit are
  /// computed in the meantime.
  /// \param x  num_columns() elements, in blocks as those of dash::Array(num_columns())
  /// \param y  num_rows() elements, in blocks as those of dash::Array(num_rows()); not x
  /// \pre the elements of x have been written by all units: a barrier is between
  /// \collective over the team; ends with a barrier, after which x may be changed
  /// \throws exception::InvalidArgument on all units if an array has another size or distribution
  /// \cost one transfer for thousands of elements of a unit, those of all units at the same time
  template <class X, class Y>
  void multiply(const X& x, Y& y) const {
    check_vectors(x, y);
    std::vector<T> fetched(_needed.size());
    auto copied = gather_elements_async(x.begin(), _needed.begin(), _needed.end(), fetched.data());
    // Functions of T may throw while the transfers write to the vector.
    struct Completion {
      ~Completion() {
        if (future.valid()) future.wait();
      }
      Future<T*>& future;
    };
    const Completion completion{copied};
    const T* const own = x.lbegin();
    T* const result = y.lbegin();
    multiply_rows(_own_rows, result, [&](std::size_t k) { return own[_positions[k]]; });
    copied.get();
    multiply_rows(_other_rows, result, [&](std::size_t k) {
      const std::ptrdiff_t position = _positions[k];
      return position >= 0 ? own[position] : fetched[static_cast<std::size_t>(-position - 1)];
    });
    y.barrier();
  }

  /// The transposed matrix.
  /// \collective over the team   \blocks as the constructor
  SparseMatrix transposed() const {
    std::vector<Entry> entries;
    entries.reserve(_values.size());
    for (Index row = 0; row < num_local_rows(); ++row) {
      for (std::size_t k = begin_of(row); k < begin_of(row + 1); ++k)
        entries.push_back({_columns[k], first_row() + row, _values[k]});
    }
    return SparseMatrix(_num_columns, _num_rows, entries, *_team);
  }

 private:
  /// The size of the blocks of dash::Array, with the pattern BLOCKED.
  static Index block_size(Index size, std::size_t num_units) noexcept {
    const auto units = static_cast<Index>(num_units);
    return std::max<Index>((size + units - 1) / units, 1);
  }
  Index rows_per_unit() const noexcept { return block_size(_num_rows, _team->size()); }
  std::size_t begin_of(Index row) const noexcept { return _offsets[static_cast<std::size_t>(row)]; }

  /// All units throw if one of them has a wrong element.
  void check(std::span<const Entry> entries) const {
    const auto wrong = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.row < 0 || entry.row >= _num_rows || entry.column < 0 ||
             entry.column >= _num_columns;
    });
    const bool is_wrong = wrong != entries.end();
    const int num_wrong = allreduce_async(is_wrong ? 1 : 0, dash::plus<int>(), *_team).get();
    if (is_wrong) {
      DASH_THROW(exception::OutOfRange, "dash::SparseMatrix: element "
                                            << wrong - entries.begin() << " is in row "
                                            << wrong->row << " and column " << wrong->column
                                            << ", but the matrix has " << _num_rows << " rows and "
                                            << _num_columns << " columns");
    }
    if (num_wrong != 0) {
      DASH_THROW(exception::OutOfRange, "dash::SparseMatrix: " << num_wrong
                                                               << " other units have an element "
                                                                  "outside of the matrix");
    }
  }

  std::vector<Entry> exchange(std::span<const Entry> entries) const {
    std::vector<std::vector<Entry>> outgoing(_team->size());
    for (const Entry& entry : entries)
      outgoing[static_cast<std::size_t>(owner(entry.row).id)].push_back(entry);
    std::vector<Entry> own;
    for (const std::vector<Entry>& received : dash::alltoallv(outgoing, *_team))
      own.insert(own.end(), received.begin(), received.end());
    return own;
  }

  /// Sorts the elements, adds up those of the same row and column, and stores them.
  void assemble(std::vector<Entry> entries) {
    const auto key = [](const Entry& entry) { return std::pair(entry.row, entry.column); };
    std::stable_sort(entries.begin(), entries.end(),
                     [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
    _offsets.assign(static_cast<std::size_t>(num_local_rows()) + 1, 0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0 && key(entries[i]) == key(entries[i - 1])) {
        _values.back() = _values.back() + entries[i].value;
        continue;
      }
      _columns.push_back(entries[i].column);
      _values.push_back(entries[i].value);
      ++_offsets[static_cast<std::size_t>(entries[i].row - first_row()) + 1];
    }
    for (std::size_t row = 1; row < _offsets.size(); ++row)
      _offsets[row] += _offsets[row - 1];
  }

  /// Finds which elements of x each row needs.
  void prepare() {
    const Index block = block_size(_num_columns, _team->size());
    const Index own_begin = block * static_cast<Index>(_team->myid().id);
    const auto is_own = [&](Index column) {
      return column >= own_begin && column < own_begin + block;
    };
    for (const Index column : _columns) {
      if (!is_own(column)) _needed.push_back(column);
    }
    std::sort(_needed.begin(), _needed.end());
    _needed.erase(std::unique(_needed.begin(), _needed.end()), _needed.end());
    for (Index row = 0; row < num_local_rows(); ++row) {
      bool all_own = true;
      for (const Index column : columns_of(row)) {
        all_own = all_own && is_own(column);
        const auto fetched = std::lower_bound(_needed.begin(), _needed.end(), column);
        _positions.push_back(is_own(column)
                                 ? static_cast<std::ptrdiff_t>(column - own_begin)
                                 : -static_cast<std::ptrdiff_t>(fetched - _needed.begin()) - 1);
      }
      (all_own ? _own_rows : _other_rows).push_back(row);
    }
  }

  template <class X, class Y>
  void check_vectors(const X& x, const Y& y) const {
    static_assert(std::is_same_v<std::remove_const_t<typename X::value_type>, T> &&
                      std::is_same_v<typename Y::value_type, T>,
                  "dash::SparseMatrix: the vectors must have the element type of the matrix");
    if (x.size() != static_cast<std::size_t>(_num_columns) ||
        y.size() != static_cast<std::size_t>(_num_rows)) {
      DASH_THROW(exception::InvalidArgument, "dash::SparseMatrix::multiply: x has "
                                                 << x.size() << " elements and y has " << y.size()
                                                 << ", expected " << _num_columns << " and "
                                                 << _num_rows);
    }
    check_blocks(x, _num_columns, "x");
    check_blocks(y, _num_rows, "y");
  }
  /// The answer is the same on all units.
  template <class Vector>
  void check_blocks(const Vector& vector, Index size, const char* name) const {
    const Index block = block_size(size, _team->size());
    bool is_right = vector.team() == *_team;
    for (std::size_t unit = 0; is_right && unit < _team->size(); ++unit) {
      const team_unit_t id(static_cast<int>(unit));
      const Index begin = std::min(size, block * static_cast<Index>(unit));
      const Index count = std::min(size, begin + block) - begin;
      const auto owner_of = [&](Index i) { return vector.pattern().unit_at(i); };
      is_right = static_cast<Index>(vector.pattern().local_size(id)) == count &&
                 (count == 0 || (owner_of(begin) == id && owner_of(begin + count - 1) == id &&
                                 owner_of(begin + count / 2) == id));
    }
    // Blocks of a smaller size could have the same owners at these positions.
    is_right = is_right && static_cast<Index>(vector.pattern().blocksize(0)) == block;
    if (!is_right) {
      DASH_THROW(exception::InvalidArgument,
                 "dash::SparseMatrix::multiply: "
                     << name << " is distributed otherwise; expected one block of " << block
                     << " elements for each unit, as in dash::Array(" << size << ")");
    }
  }

  template <class Element>
  void multiply_rows(const std::vector<Index>& rows, T* result, const Element& element) const {
    constexpr std::size_t rows_at_a_time = 256;
    const std::size_t num_chunks = (rows.size() + rows_at_a_time - 1) / rows_at_a_time;
    dash::parallel_for(num_chunks, [&](std::size_t chunk) {
      const std::size_t end = std::min(rows.size(), (chunk + 1) * rows_at_a_time);
      for (std::size_t i = chunk * rows_at_a_time; i < end; ++i) {
        T sum{};
        for (std::size_t k = begin_of(rows[i]); k < begin_of(rows[i] + 1); ++k)
          sum = sum + _values[k] * element(k);
        result[rows[i]] = sum;
      }
    });
  }

  Team* _team;
  Index _num_rows;
  Index _num_columns;
  std::vector<std::size_t> _offsets;
  std::vector<Index> _columns;
  std::vector<T> _values;
  // For each element its position in the unit's part of x or, negative, in the fetched elements: -1 is the first one.
  std::vector<std::ptrdiff_t> _positions;
  std::vector<Index> _needed;  // columns of other units, ascending
  std::vector<Index> _own_rows;
  std::vector<Index> _other_rows;
};

}  // namespace dash
