#pragma once

#include <cstddef>
#include <cstdint>

#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_types.h"

namespace dash::dart {

/// An operation on the elements of a type: inout[i] = in[i] op inout[i].
class Reduction {
 public:
  using Function = void (*)(const void* in, void* inout, std::size_t nelem);

  /// \param signature  differs for different operations or types, and is the same on all units
  Reduction(Function function, std::size_t element_bytes, std::uint64_t signature) noexcept
      : _function(function), _element_bytes(element_bytes), _signature(signature) {}
  /// An operation that the application defined.
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
  /// Chunks are multiples of this many elements: 2 if predefined, since DART_OP_MINMAX uses pairs.
  std::size_t granularity() const noexcept { return _function == nullptr ? 1 : 2; }
  std::uint64_t signature() const noexcept { return _signature; }

 private:
  Function _function = nullptr;
  dart_operator_t _user = nullptr;
  void* _user_data = nullptr;
  bool _commutes = true;
  std::size_t _element_bytes;
  std::uint64_t _signature = 0;
};

/// The reduction of a predefined operation on a basic type.
/// \throws exception::InvalidArgument if the operation is not defined on the type, as bitwise
///         operations on floating-point numbers
Reduction predefined_reduction(dart_operation_t op, dart_datatype_t type);

}  // namespace dash::dart
