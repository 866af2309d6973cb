#include "Reduce.h"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "Error.h"
#include "MpiCheck.h"
#include "Types.h"

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
// Arithmetic on types smaller than int is done in int; the result is cut back, as MPI does.
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
Reduction reduction_of(dart_operation_t op) {
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

Reduction lookup(dart_operation_t op, dart_datatype_t type) {
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

/// An operation of ours as MPI's; made once and kept for the life of MPI.
template <dart_operation_t op, dart_datatype_t type>
MPI_Op user_op() {
  static const MPI_Op made = [] {
    MPI_Op result = MPI_OP_NULL;
    check_mpi(MPI_Op_create(
                  [](void* in, void* inout, int* nelem, MPI_Datatype*) {
                    lookup(op, type)(in, inout, static_cast<std::size_t>(*nelem));
                  },
                  1, &result),
              "MPI_Op_create");
    return result;
  }();
  return made;
}

template <dart_operation_t op>
MPI_Op user_op_on(dart_datatype_t type) {
  switch (type) {
    case DART_TYPE_BYTE:
      return user_op<op, DART_TYPE_BYTE>();
    case DART_TYPE_SHORT:
      return user_op<op, DART_TYPE_SHORT>();
    case DART_TYPE_INT:
      return user_op<op, DART_TYPE_INT>();
    case DART_TYPE_UINT:
      return user_op<op, DART_TYPE_UINT>();
    case DART_TYPE_LONG:
      return user_op<op, DART_TYPE_LONG>();
    case DART_TYPE_ULONG:
      return user_op<op, DART_TYPE_ULONG>();
    case DART_TYPE_LONGLONG:
      return user_op<op, DART_TYPE_LONGLONG>();
    case DART_TYPE_ULONGLONG:
      return user_op<op, DART_TYPE_ULONGLONG>();
    case DART_TYPE_FLOAT:
      return user_op<op, DART_TYPE_FLOAT>();
    case DART_TYPE_DOUBLE:
      return user_op<op, DART_TYPE_DOUBLE>();
    default:
      return user_op<op, DART_TYPE_LONG_DOUBLE>();
  }
}

}  // namespace

Reduction find_reduction(dart_operation_t op, dart_datatype_t type) {
  const Reduction reduction = lookup(op, type);
  if (reduction == nullptr) {
    throw_error(DART_ERR_INVAL,
                "operation {} is not defined on data type {} (bitwise operations need integers)",
                op, type);
  }
  return reduction;
}

MPI_Datatype mpi_type(dart_datatype_t type) {
  switch (type) {
    case DART_TYPE_BYTE:
      return MPI_UNSIGNED_CHAR;
    case DART_TYPE_SHORT:
      return MPI_SHORT;
    case DART_TYPE_INT:
      return MPI_INT;
    case DART_TYPE_UINT:
      return MPI_UNSIGNED;
    case DART_TYPE_LONG:
      return MPI_LONG;
    case DART_TYPE_ULONG:
      return MPI_UNSIGNED_LONG;
    case DART_TYPE_LONGLONG:
      return MPI_LONG_LONG;
    case DART_TYPE_ULONGLONG:
      return MPI_UNSIGNED_LONG_LONG;
    case DART_TYPE_FLOAT:
      return MPI_FLOAT;
    case DART_TYPE_DOUBLE:
      return MPI_DOUBLE;
    default:
      return MPI_LONG_DOUBLE;
  }
}

MPI_Op mpi_op(dart_operation_t op, dart_datatype_t type) {
  switch (op) {
    case DART_OP_MIN:
      return MPI_MIN;
    case DART_OP_MAX:
      return MPI_MAX;
    case DART_OP_SUM:
      return MPI_SUM;
    case DART_OP_PROD:
      return MPI_PROD;
    case DART_OP_BAND:
      return MPI_BAND;
    case DART_OP_BOR:
      return MPI_BOR;
    case DART_OP_BXOR:
      return MPI_BXOR;
    // MPI has no logical operations on floating point numbers.
    case DART_OP_LAND:
      return user_op_on<DART_OP_LAND>(type);
    case DART_OP_LOR:
      return user_op_on<DART_OP_LOR>(type);
    case DART_OP_LXOR:
      return user_op_on<DART_OP_LXOR>(type);
    default:
      return user_op_on<DART_OP_MINMAX>(type);
  }
}

}  // namespace dash::dart
