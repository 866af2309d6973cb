#pragma once

#include <cstddef>

#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// An operation on the elements of a type: inout[i] = in[i] op inout[i].
class Reduction {
 public:
  using Function = void (*)(const void* in, void* inout, std::size_t nelem);

  Reduction(Function function, std::size_t element_bytes) noexcept
      : _function(function), _element_bytes(element_bytes) {}
  Reduction(dart_operator_t user, void* user_data, bool commutes,
            std::size_t element_bytes) noexcept
      : _user(user), _user_data(user_data), _commutes(commutes), _element_bytes(element_bytes) {}

  void operator()(const void* in, void* inout, std::size_t nelem) const {
    if (_function != nullptr) {
      _function(in, inout, nelem);
    } else {
      _user(in, inout, nelem, _user_data);
    }
  }

  bool commutes() const noexcept { return _commutes; }
  std::size_t element_bytes() const noexcept { return _element_bytes; }
  /// Elements that belong together and must not be cut apart.
  std::size_t granularity() const noexcept { return _function == nullptr ? 1 : 2; }

 private:
  Function _function = nullptr;
  dart_operator_t _user = nullptr;
  void* _user_data = nullptr;
  bool _commutes = true;
  std::size_t _element_bytes;
};

/// The reduction of an operation, predefined or of dart_op_create, on a type.
/// \throws Error if there is none (bitwise operations on floating point numbers, a user's operation
///         on another type than it was made for, ...)
Reduction find_reduction(dart_operation_t op, dart_datatype_t type);

}  // namespace dash::dart
