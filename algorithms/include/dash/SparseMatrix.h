#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Array.h"
#include "dash/Collectives.h"
#include "dash/DataCollectives.h"
#include "dash/Exception.h"
#include "dash/ParallelFor.h"
#include "dash/Team.h"
#include "dash/algorithm/Operation.h"
#include "dash/algorithm/internal/call/CheckOnAll.h"
#include "dash/algorithm/internal/sparse/NeededElements.h"
#include "dash/internal/team/Collective.h"
#include "dash/internal/team/StepRunner.h"

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
/// The positions of its elements do not change after the construction; values() may change their values. The destructor and
/// the assignment are collective, since they free memory of all units.
/// \tparam T      an arithmetic type other than bool, or another trivially copyable one with + and *
/// \tparam Index  a signed integer. If 32 bits are sufficient, products are faster with them
/// \threads externally synchronized
/// \ingroup containers
template <class T, class Index = std::int64_t>
class SparseMatrix {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>,
                "dash::SparseMatrix: the values are trivially copyable, and not bool");
  static_assert(std::is_integral_v<Index> && std::is_signed_v<Index>,
                "dash::SparseMatrix: the index type is a signed integer");

 public:
  using value_type = T;
  using index_type = Index;
  /// An element with its position.
  using Entry = MatrixEntry<T, Index>;

  /// Sends each element to the unit that owns its row. Elements of the same row and column are added up.
  /// \param num_rows, num_columns  the same on all units
  /// \param entries  elements of any rows; each unit passes some of them
  /// \collective over the team   \blocks until all units have called it and have received their elements
  /// \throws exception::OutOfRange if an element of this unit is outside of the matrix; exception::RuntimeError on the other
  ///         units
  /// \cost all-to-all exchanges of the elements and of the columns that units need of each other, and sorting
  SparseMatrix(Index num_rows, Index num_columns, std::span<const Entry> entries,
               Team& team = Team::All())
      : _team(&team), _num_rows(num_rows), _num_columns(num_columns) {
    internal::Call call(team, "dash::SparseMatrix");
    internal::check_on_all(call, [&] { check(entries); });
    assemble(exchange(entries));
    prepare();
  }
  SparseMatrix(const SparseMatrix&) = delete;
  SparseMatrix& operator=(const SparseMatrix&) = delete;
  /// Takes the elements of `other`, which may then only be destroyed or assigned to. \collective no
  SparseMatrix(SparseMatrix&& other) noexcept = default;
  /// The same, and frees the memory of this matrix. \collective over the team
  SparseMatrix& operator=(SparseMatrix&& other) noexcept = default;
  /// \collective over the team
  ~SparseMatrix() = default;

  /// The number of rows of all units.
  Index num_rows() const noexcept { return _num_rows; }
  /// The number of columns.
  Index num_columns() const noexcept { return _num_columns; }
  /// The units that have rows.
  Team& team() const noexcept { return *_team; }

  /// The unit that owns a row.
  team_unit_t owner(Index row) const noexcept {
    return team_unit_t(static_cast<int>(row / block_size(_num_rows)));
  }
  /// The first row of this unit.
  Index first_row() const noexcept { return first_of(_num_rows, _team->myid().id); }
  /// The number of rows of this unit.
  Index num_local_rows() const noexcept {
    return static_cast<Index>(first_of(_num_rows, _team->myid().id + 1) - first_row());
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
    return columns().subspan(begin_of(row), begin_of(static_cast<Index>(row + 1)) - begin_of(row));
  }
  /// The values of a row. \param row  0 is first_row()
  std::span<const T> values_of(Index row) const noexcept {
    return values().subspan(begin_of(row), begin_of(static_cast<Index>(row + 1)) - begin_of(row));
  }
  /// @}

  /// The number of elements of all units.
  /// \collective over the team   \blocks until all units have called it
  std::size_t num_entries() const {
    return allreduce_async(_values.size(), dash::plus<std::size_t>(), *_team).get();
  }

  /// y = A x. The units send each other the elements of x that they need, each once; rows that need only elements of the
  /// unit are computed in the meantime. The sum of a row is computed in the order of its columns, so that it does not depend
  /// on the number of units.
  /// \param x  num_columns() elements, in blocks as those of dash::Array(num_columns()). Elements that other units have
  ///           written before a barrier are used
  /// \param y  num_rows() elements, in blocks as those of dash::Array(num_rows()); not x
  /// \completion the caller's elements of y are computed, and its elements of x may be changed
  /// \collective over the team   \blocks until all units have called it
  /// \throws exception::InvalidArgument if an array has another size or distribution; then exception::RuntimeError on the
  ///         other units. What an operation of T throws, on the unit where it does
  /// \cost an allreduce of a number, and one message to each unit that needs elements; on a node a copy of them
  template <class X, class Y>
  void multiply(const X& x, Y& y) const {
    multiply_with<Target::assign>(x, y, "dash::SparseMatrix::multiply");
  }

  /// y += A x: as multiply(), but the sum of a row begins with the element of y.
  /// \contract{multiply}
  template <class X, class Y>
  void multiply_add(const X& x, Y& y) const {
    multiply_with<Target::add>(x, y, "dash::SparseMatrix::multiply_add");
  }

  /// The transposed matrix.
  /// \collective over the team   \blocks as the constructor
  SparseMatrix transposed() const {
    std::vector<Entry> entries;
    entries.reserve(_values.size());
    for (Index row = 0; row < num_local_rows(); ++row) {
      for (std::size_t k = begin_of(row); k < begin_of(static_cast<Index>(row + 1)); ++k)
        entries.push_back({_columns[k], static_cast<Index>(first_row() + row), _values[k]});
    }
    return SparseMatrix(_num_columns, _num_rows, entries, *_team);
  }

 private:
  /// What a product does to an element of y.
  enum class Target { assign, add };

  /// The size of the blocks of dash::Array, with the pattern BLOCKED.
  std::int64_t block_size(Index size) const noexcept {
    const auto units = static_cast<std::int64_t>(_team->size());
    return std::max<std::int64_t>(size / units + (size % units != 0 ? 1 : 0), 1);
  }
  /// The first element of a unit.
  Index first_of(Index size, std::int64_t unit) const noexcept {
    return static_cast<Index>(std::min<std::int64_t>(size, block_size(size) * unit));
  }
  std::size_t begin_of(Index row) const noexcept { return _offsets[static_cast<std::size_t>(row)]; }

  void check(std::span<const Entry> entries) const {
    const auto wrong = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.row < 0 || entry.row >= _num_rows || entry.column < 0 ||
             entry.column >= _num_columns;
    });
    if (wrong == entries.end()) return;
    DASH_THROW(exception::OutOfRange, "dash::SparseMatrix: element "
                                          << wrong - entries.begin() << " is in row " << +wrong->row
                                          << " and column " << +wrong->column
                                          << ", but the matrix has " << +_num_rows << " rows and "
                                          << +_num_columns << " columns");
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
    const Index own_begin = first_of(_num_columns, _team->myid().id);
    const Index own_end = first_of(_num_columns, _team->myid().id + 1);
    const auto is_own = [&](Index column) { return column >= own_begin && column < own_end; };
    std::vector<Index> needed;  // of other units
    std::copy_if(_columns.begin(), _columns.end(), std::back_inserter(needed),
                 [&](Index column) { return !is_own(column); });
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());

    std::vector<std::vector<std::size_t>> needed_of(_team->size());
    for (const Index column : needed) {
      const std::int64_t unit = column / block_size(_num_columns);
      needed_of[static_cast<std::size_t>(unit)].push_back(
          static_cast<std::size_t>(column % block_size(_num_columns)));
    }
    const auto num_own = static_cast<std::size_t>(own_end - own_begin);
    _elements = std::make_unique<internal::NeededElements<T>>(num_own, needed_of, *_team);

    const auto position_of = [&](Index column) {
      if (is_own(column))
        return _elements->own_begin() + static_cast<std::size_t>(column - own_begin);
      const auto found = std::lower_bound(needed.begin(), needed.end(), column);
      return static_cast<std::size_t>(found - needed.begin()) + (column < own_begin ? 0 : num_own);
    };
    for (const Index column : _columns)
      _positions.push_back(static_cast<Index>(position_of(column)));
    for (Index row = 0; row < num_local_rows(); ++row) {
      const auto columns = columns_of(row);
      const bool all_own = std::all_of(columns.begin(), columns.end(), is_own);
      add_row(all_own ? _own_rows : _other_rows, row);
    }
  }

  template <class X, class Y>
  void check_vectors(const X& x, const Y& y, const char* operation) const {
    static_assert(std::is_same_v<std::remove_const_t<typename X::value_type>, T> &&
                      std::is_same_v<typename Y::value_type, T>,
                  "dash::SparseMatrix: the vectors must have the element type of the matrix");
    check_blocks(x, _num_columns, operation, "x");
    check_blocks(y, _num_rows, operation, "y");
    if (static_cast<const void*>(&x) == static_cast<const void*>(&y))
      DASH_THROW(exception::InvalidArgument, operation << ": x and y are the same");
  }
  /// Checks the elements of this unit.
  template <class Vector>
  void check_blocks(const Vector& vector, Index size, const char* operation,
                    const char* name) const {
    const Index begin = first_of(size, _team->myid().id);
    const Index count = static_cast<Index>(first_of(size, _team->myid().id + 1) - begin);
    const auto global = [&](Index i) {
      return static_cast<std::int64_t>(vector.pattern().global(i));
    };
    // Elements of a unit are in ascending order.
    if (vector.team() == *_team && vector.size() == static_cast<std::size_t>(size) &&
        vector.lsize() == static_cast<std::size_t>(count) &&
        (count == 0 || (global(0) == begin && global(count - 1) == begin + count - 1)))
      return;
    DASH_THROW(
        exception::InvalidArgument,
        operation << ": " << name << " has " << vector.size() << " elements, " << vector.lsize()
                  << " of them at this unit; expected the size and the blocks of dash::Array("
                  << +size << ") of the matrix's team");
  }

  template <Target target, class X, class Y>
  void multiply_with(const X& x, Y& y, const char* operation) const {
    std::exception_ptr error;
    try {
      check_vectors(x, y, operation);
    } catch (...) {
      error = std::current_exception();
    }
    const bool is_valid = error == nullptr;
    auto first_failed = allreduce_async(
        is_valid ? static_cast<int>(_team->size()) : _team->myid().id, dash::min<int>(), *_team);
    const T* const elements = _elements->start(is_valid ? x.lbegin() : nullptr);
    internal::StepRunner steps;  // an operation of T may throw
    if (is_valid) steps.run([&] { multiply_rows<target>(_own_rows, elements, y.lbegin()); });
    const int failed = first_failed.get();  // now, all units have started to send
    _elements->finish();
    if (failed != static_cast<int>(_team->size()))
      throw_error(operation, team_unit_t(failed), error);
    steps.finish();
    multiply_rows<target>(_other_rows, elements, y.lbegin());
  }
  /// Throws the caller's error, or that of the first unit that has one. \collective over the team
  [[noreturn]] void throw_error(const char* operation, team_unit_t first,
                                const std::exception_ptr& error) const {
    std::string text;
    if (error != nullptr) text = *internal::error_of([&] { std::rethrow_exception(error); });
    try {
      internal::throw_on_all(*_team, operation, first, text.c_str());
    } catch (...) {
      if (error != nullptr) std::rethrow_exception(error);
      throw;
    }
  }

  /// Consecutive rows, which are computed one after the other.
  struct Rows {
    Index begin;
    Index end;
  };
  static void add_row(std::vector<Rows>& rows, Index row) {
    constexpr Index max_rows = 64;
    if (rows.empty() || rows.back().end != row || row - rows.back().begin == max_rows)
      rows.push_back({row, row});
    ++rows.back().end;
  }

  /// Computes rows of y. \param x  the elements at _positions
  template <Target target>
  void multiply_rows(const std::vector<Rows>& rows, const T* x, T* y) const {
    constexpr std::size_t chunk_size = 16;
    const std::size_t num_chunks = (rows.size() + chunk_size - 1) / chunk_size;
    dash::parallel_for(num_chunks, [this, &rows, x, y](std::size_t chunk) {
      const std::size_t end = std::min(rows.size(), (chunk + 1) * chunk_size);
      for (std::size_t i = chunk * chunk_size; i < end; ++i)
        multiply_rows<target>(rows[i], x, y);
    });
  }
  template <Target target>
  void multiply_rows(const Rows& rows, const T* x, T* y) const {
    std::size_t k = begin_of(rows.begin);
    for (Index row = rows.begin; row < rows.end; ++row) {
      T sum = target == Target::add ? y[row] : T{};
      for (const std::size_t end = begin_of(static_cast<Index>(row + 1)); k < end; ++k)
        sum = sum + _values[k] * x[_positions[k]];
      y[row] = sum;
    }
  }

  Team* _team;
  Index _num_rows;
  Index _num_columns;
  std::vector<std::size_t> _offsets;
  std::vector<Index> _columns;
  std::vector<T> _values;
  std::vector<Index> _positions;  // of the elements of x in the buffer of _elements
  std::vector<Rows> _own_rows;    // that need only elements of the unit
  std::vector<Rows> _other_rows;
  std::unique_ptr<internal::NeededElements<T>> _elements;
};

}  // namespace dash
