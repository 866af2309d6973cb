#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "dash/ExecutionPolicy.h"
#include "dash/Future.h"
#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/CheckOnAll.h"
#include "dash/algorithm/internal/matrix/DistributedMatrix.h"
#include "dash/algorithm/internal/matrix/MatrixBlock.h"
#include "dash/algorithm/internal/matrix/Transpose.h"

namespace dash {

namespace internal {

struct Transpose {
  static constexpr auto name = "dash::transpose";

  template <ExecutionPolicy Policy, Matrix2D In, Matrix2D Out, class Operation>
  void operator()(Call& call, const Policy&, const In& in, Out& out, Operation op) const {
    using T = typename Out::value_type;
    static_assert(std::is_same_v<typename In::value_type, T>,
                  "dash::transpose: both matrices must have the same element type");
    const auto of_in = [&](team_unit_t unit) { return boxes_of(in.pattern(), unit); };
    const auto of_out = [&](team_unit_t unit) { return boxes_of(out.pattern(), unit); };
    const auto update = [&op](std::ptrdiff_t rows, std::ptrdiff_t cols,
                              const MatrixBlock<std::byte>& to,
                              const MatrixBlock<const std::byte>& from) {
      combine_block(rows, cols, typed<T>(to), typed<const T>(from), op);
    };
    const auto assign = [](std::ptrdiff_t rows, std::ptrdiff_t cols,
                           const MatrixBlock<std::byte>& to,
                           const MatrixBlock<const std::byte>& from) {
      combine_block(rows, cols, typed<T>(to), typed<const T>(from), Assign());
    };
    std::optional<PatternMatrix<typename In::pattern_type>> matrix_in;
    std::optional<PatternMatrix<typename Out::pattern_type>> matrix_out;
    std::optional<Transposer> transposer;
    // Also acts as a barrier: assignments of all units to their elements are complete.
    internal::check_on_all(call, [&] {
      check_transposition(extents_of(in), extents_of(out),
                          static_cast<const void*>(&in) == static_cast<const void*>(&out),
                          in.team() == out.team());
      matrix_in.emplace(in.globmem(), in.pattern());
      matrix_out.emplace(out.globmem(), out.pattern());
      transposer.emplace(Transposition{*matrix_in, *matrix_out, of_in, of_out, sizeof(T),
                                       !std::is_same_v<Policy, execution::sequenced_policy>, update,
                                       assign});
    });
    call.run([&] { transposer->run(); });
  }

  /// The operation of a call without one.
  struct Assign {
    template <class T>
    const T& operator()(const T&, const T& value) const {
      return value;
    }
  };

 private:
  /// Assigns op(to(i, j), from(i, j)) to each to(i, j).
  template <class T, class Operation>
  static void combine_block(std::ptrdiff_t rows, std::ptrdiff_t cols, const MatrixBlock<T>& to,
                            const MatrixBlock<const T>& from, const Operation& op) {
    if (to.col_stride != 1 && to.row_stride == 1)
      return combine_block(cols, rows, to.transposed(), from.transposed(), op);
    if (from.col_stride == 1) {
      for (std::ptrdiff_t row = 0; row < rows; ++row)
        combine_row(cols, &to(row, 0), &from(row, 0), op);
      return;
    }
    for (std::ptrdiff_t row = 0; row < rows; row += square<T>) {
      for (std::ptrdiff_t col = 0; col < cols; col += square<T>) {
        const auto height = std::min(square<T>, rows - row);
        const auto width = std::min(square<T>, cols - col);
        if (height == square<T> && width == square<T>) {
          combine_square(to.at(row, col), from.at(row, col), op);
        } else {
          for (std::ptrdiff_t i = row; i < row + height; ++i) {
            for (std::ptrdiff_t j = col; j < col + width; ++j)
              to(i, j) = op(to(i, j), from(i, j));
          }
        }
      }
    }
  }

  /// The side of squares whose lines are cache lines. Lines at equal distances may share a set of the cache, so a
  /// square reads all its lines before it writes others.
  template <class T>
  static constexpr std::ptrdiff_t square =
      std::clamp<std::ptrdiff_t>(64 / static_cast<std::ptrdiff_t>(sizeof(T)), 4, 16);

  template <class T, class Operation>
  static void combine_square(const MatrixBlock<T>& to, const MatrixBlock<const T>& from,
                             const Operation& op) {
    std::array<T, static_cast<std::size_t>(square<T> * square<T>)> values;
    for (std::ptrdiff_t j = 0; j < square<T>; ++j) {
      const T* const line = &from(0, j);
      for (std::ptrdiff_t i = 0; i < square<T>; ++i)
        values[static_cast<std::size_t>(i * square<T> + j)] = line[i * from.row_stride];
    }
    for (std::ptrdiff_t i = 0; i < square<T>; ++i)
      combine_row(square<T>, &to(i, 0), &values[static_cast<std::size_t>(i * square<T>)], op);
  }

  template <class T, class Operation>
  static void combine_row(std::ptrdiff_t n, T* __restrict to, const T* __restrict from,
                          const Operation& op) {
    for (std::ptrdiff_t j = 0; j < n; ++j)
      to[j] = op(to[j], from[j]);
  }
};

}  // namespace internal

/// \addtogroup algorithms
/// @{

/// Assigns in[i][j], or op(out[j][i], in[i][j]), to out[j][i] for matrices of two dimensions with any patterns, which
/// may differ. For example, std::plus<>() adds the transposed matrix.
/// \param policy  dash::seq uses one thread of each unit, any other policy its workers
/// \param out  as many rows as `in` has columns, and as many columns as `in` has rows; not `in`
/// \completion ends with a barrier: all units see `out`, and `in` may be modified
/// \collective over the team, which must be that of both matrices
/// \blocks until all units have done their part
/// \throws exception::InvalidArgument, with the extents in its message, if they do not match;
///         exception::RuntimeError on all units if the operation throws on one
/// \cost each unit reads the elements of its node in place. Elements on other nodes are packed by their owner, into
///       messages of about 256 KiB; one thread of each unit packs and unpacks them
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeIn, internal::Matrix2D MatrixTypeOut,
          class BinaryOperation = internal::Transpose::Assign>
void transpose(const Policy& policy, const MatrixTypeIn& in, MatrixTypeOut& out,
               BinaryOperation op = BinaryOperation()) {
  internal::Call call(out.team(), internal::Transpose::name);
  internal::Transpose{}(call, policy, in, out, std::move(op));
}

/// \overload
/// With dash::par.
template <internal::Matrix2D MatrixTypeIn, internal::Matrix2D MatrixTypeOut,
          class BinaryOperation = internal::Transpose::Assign>
requires(!internal::Matrix2D<BinaryOperation>) void transpose(
    const MatrixTypeIn& in, MatrixTypeOut& out, BinaryOperation op = BinaryOperation()) {
  dash::transpose(par, in, out, std::move(op));
}

/// Asynchronous counterpart; runs as a task. The matrices must not be destroyed or moved until it
/// has finished.
/// \returns a future that is ready when the call has finished
/// \asynchronous{transpose}
template <ExecutionPolicy Policy, internal::Matrix2D MatrixTypeIn, internal::Matrix2D MatrixTypeOut,
          class BinaryOperation = internal::Transpose::Assign>
Future<void> transpose_async(const Policy& policy, const MatrixTypeIn& in, MatrixTypeOut& out,
                             BinaryOperation op = BinaryOperation()) {
  return internal::start_collectively(
      out.team(), internal::Transpose::name,
      [policy, &in, &out, op = std::move(op)](internal::Call& call) {
        internal::Transpose{}(call, policy, in, out, op);
      });
}
/// \overload
template <internal::Matrix2D MatrixTypeIn, internal::Matrix2D MatrixTypeOut,
          class BinaryOperation = internal::Transpose::Assign>
requires(!internal::Matrix2D<BinaryOperation>) Future<void> transpose_async(
    const MatrixTypeIn& in, MatrixTypeOut& out, BinaryOperation op = BinaryOperation()) {
  return dash::transpose_async(par, in, out, std::move(op));
}

/// @}

}  // namespace dash
