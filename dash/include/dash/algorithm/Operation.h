#pragma once

#include "dash/Types.h"
#include "dash/dart/if/dart_types.h"

namespace dash {

/// Classifies the operations of function objects that the runtime supports.
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
template <class T>
struct min : internal::ReduceOperation<T, DART_OP_MIN, OpKind::ARITHMETIC> {
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T>
struct max : internal::ReduceOperation<T, DART_OP_MAX, OpKind::ARITHMETIC> {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct plus : internal::ReduceOperation<T, DART_OP_SUM, OpKind::ARITHMETIC> {
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};
template <class T>
struct multiply : internal::ReduceOperation<T, DART_OP_PROD, OpKind::ARITHMETIC> {
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a * b); }
};
template <class T>
struct first : internal::ReduceOperation<T, DART_OP_NO_OP, OpKind::NOOP> {
  constexpr T operator()(const T& a, const T&) const { return a; }
};
template <class T>
struct second : internal::ReduceOperation<T, DART_OP_REPLACE, OpKind::NOOP> {
  constexpr T operator()(const T&, const T& b) const { return b; }
};
template <class T>
struct bit_and : internal::ReduceOperation<T, DART_OP_BAND, OpKind::BITWISE> {
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or : internal::ReduceOperation<T, DART_OP_BOR, OpKind::BITWISE> {
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor : internal::ReduceOperation<T, DART_OP_BXOR, OpKind::BITWISE> {
  constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a ^ b); }
};
/// @}

/// The DART operation of one of the function objects above.
template <class Operation>
struct dart_operation {
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
