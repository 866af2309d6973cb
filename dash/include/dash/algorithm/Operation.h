#pragma once

#include "dash/Types.h"
#include "dash/dart/if/dart_types.h"

namespace dash {

/// Classifies the operations of function objects that the runtime supports.
/// \ingroup algorithms
enum class OpKind : unsigned char { ARITHMETIC, BITWISE, NOOP, CUSTOM };

namespace internal {

template <class T, dart_operation_t Operation, OpKind Kind>
struct ReduceOperation {
  using value_type = T;
  static constexpr dart_operation_t dart_operation() { return Operation; }
  static constexpr OpKind op_kind() { return Kind; }
};

}  // namespace internal

/// \name Reduction operations: function objects that the runtime supports, too
/// @{

/// The smaller of two values; the first if neither is smaller.
/// \ingroup algorithms
template <class T>
struct min : internal::ReduceOperation<T, DART_OP_MIN, OpKind::ARITHMETIC> {
  /// \returns b if b < a, otherwise a
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
/// The larger of two values; the first if neither is larger.
/// \ingroup algorithms
template <class T>
struct max : internal::ReduceOperation<T, DART_OP_MAX, OpKind::ARITHMETIC> {
  /// \returns b if a < b, otherwise a
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
/// The sum of two values.
/// \ingroup algorithms
template <class T>
struct plus : internal::ReduceOperation<T, DART_OP_SUM, OpKind::ARITHMETIC> {
  /// \returns a + b
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};
/// The product of two values.
/// \ingroup algorithms
template <class T>
struct multiply : internal::ReduceOperation<T, DART_OP_PROD, OpKind::ARITHMETIC> {
  /// \returns a * b
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a * b); }
};
/// The first of two values. As an atomic operation, it reads the element.
/// \ingroup algorithms
template <class T>
struct first : internal::ReduceOperation<T, DART_OP_NO_OP, OpKind::NOOP> {
  /// \returns a
  constexpr T operator()(const T& a, const T&) const { return a; }
};
/// The second of two values. As an atomic operation, it replaces the element.
/// \ingroup algorithms
template <class T>
struct second : internal::ReduceOperation<T, DART_OP_REPLACE, OpKind::NOOP> {
  /// \returns b
  constexpr T operator()(const T&, const T& b) const { return b; }
};
/// The bitwise AND of two values.
/// \ingroup algorithms
template <class T>
struct bit_and : internal::ReduceOperation<T, DART_OP_BAND, OpKind::BITWISE> {
  /// \returns a & b
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a & b); }
};
/// The bitwise OR of two values.
/// \ingroup algorithms
template <class T>
struct bit_or : internal::ReduceOperation<T, DART_OP_BOR, OpKind::BITWISE> {
  /// \returns a | b
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a | b); }
};
/// The bitwise XOR of two values.
/// \ingroup algorithms
template <class T>
struct bit_xor : internal::ReduceOperation<T, DART_OP_BXOR, OpKind::BITWISE> {
  /// \returns a ^ b
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a ^ b); }
};
/// @}

/// The DART operation of one of the function objects above.
/// \ingroup algorithms
template <class Operation>
struct dart_operation {
  /// The operation in the C interface.
  static constexpr dart_operation_t value = Operation::dart_operation();
};

namespace internal {

/// The DART operation that implements a functor in a reduction; DART_OP_UNDEFINED if there is none.
template <class Operation>
struct dart_reduce_operation {
  static constexpr dart_operation_t value = DART_OP_UNDEFINED;
};

template <class Operation>
requires requires {
  Operation::op_kind();
}
struct dart_reduce_operation<Operation> {
  static constexpr dart_operation_t value =
      Operation::op_kind() != OpKind::NOOP && Operation::op_kind() != OpKind::CUSTOM &&
              is_arithmetic<typename Operation::value_type>::value
          ? Operation::dart_operation()
          : DART_OP_UNDEFINED;
};

}  // namespace internal

}  // namespace dash
