#include "teams/collectives/Reduction.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "base/Error.h"
#include "base/Types.h"

namespace dash::dart {

namespace {

struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
// Arithmetic on types smaller than int is done in int; the result is truncated, as in MPI.
template <class Std>
struct Narrowing {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Std()(a, b));
  }
};
struct LogicalXor {
  template <class T>
  bool operator()(T a, T b) const {
    return (a != T{}) != (b != T{});
  }
};

template <class T, class Op>
void reduce_elements(const void* in, void* inout, std::size_t nelem) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(inout);
  const Op op;
  for (std::size_t i = 0; i < nelem; ++i)
    to[i] = static_cast<T>(op(from[i], to[i]));
}

template <class T>
void reduce_minmax(const void* in, void* inout, std::size_t nelem) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(inout);
  for (std::size_t i = 0; i + 1 < nelem; i += 2) {
    to[i + DART_OP_MINMAX_MIN] = std::min(from[i + DART_OP_MINMAX_MIN], to[i + DART_OP_MINMAX_MIN]);
    to[i + DART_OP_MINMAX_MAX] = std::max(from[i + DART_OP_MINMAX_MAX], to[i + DART_OP_MINMAX_MAX]);
  }
}

template <class T>
Reduction::Function reduction_of(dart_operation_t op) {
  switch (op) {
    case DART_OP_MIN:
      return reduce_elements<T, Min>;
    case DART_OP_MAX:
      return reduce_elements<T, Max>;
    case DART_OP_MINMAX:
      return reduce_minmax<T>;
    case DART_OP_SUM:
      return reduce_elements<T, Narrowing<std::plus<>>>;
    case DART_OP_PROD:
      return reduce_elements<T, Narrowing<std::multiplies<>>>;
    case DART_OP_LAND:
      return reduce_elements<T, std::logical_and<>>;
    case DART_OP_LOR:
      return reduce_elements<T, std::logical_or<>>;
    case DART_OP_LXOR:
      return reduce_elements<T, LogicalXor>;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
      case DART_OP_BAND:
        return reduce_elements<T, Narrowing<std::bit_and<>>>;
      case DART_OP_BOR:
        return reduce_elements<T, Narrowing<std::bit_or<>>>;
      case DART_OP_BXOR:
        return reduce_elements<T, Narrowing<std::bit_xor<>>>;
      default:
        break;
    }
  }
  return nullptr;
}

Reduction::Function lookup(dart_operation_t op, dart_datatype_t type) {
  switch (type) {
    case DART_TYPE_BYTE:
      return reduction_of<unsigned char>(op);
    case DART_TYPE_SHORT:
      return reduction_of<short>(op);
    case DART_TYPE_INT:
      return reduction_of<int>(op);
    case DART_TYPE_UINT:
      return reduction_of<unsigned>(op);
    case DART_TYPE_LONG:
      return reduction_of<long>(op);
    case DART_TYPE_ULONG:
      return reduction_of<unsigned long>(op);
    case DART_TYPE_LONGLONG:
      return reduction_of<long long>(op);
    case DART_TYPE_ULONGLONG:
      return reduction_of<unsigned long long>(op);
    case DART_TYPE_FLOAT:
      return reduction_of<float>(op);
    case DART_TYPE_DOUBLE:
      return reduction_of<double>(op);
    case DART_TYPE_LONG_DOUBLE:
      return reduction_of<long double>(op);
    default:
      return nullptr;
  }
}

}  // namespace

Reduction predefined_reduction(dart_operation_t op, dart_datatype_t type) {
  const std::size_t element_bytes = size_in_bytes(1, type);
  const Reduction::Function function = lookup(op, type);
  if (function == nullptr) {
    throw_error(DART_ERR_INVAL,
                "operation {} is not defined on data type {} (bitwise operations need integers)",
                op, type);
  }
  const auto signature = static_cast<std::uint64_t>(op) << 32 | static_cast<std::uint64_t>(type);
  return {function, element_bytes, signature};
}

}  // namespace dash::dart
