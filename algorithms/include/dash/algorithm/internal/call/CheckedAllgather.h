#pragma once

#include <cstddef>

#include "dash/algorithm/internal/call/CallForms.h"
#include "dash/algorithm/internal/call/ScratchBytes.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// All-gathers of trivially copyable elements that also report an exception on one unit to all
/// units.
///
/// All of these all-gathers have the same size. A unit that has failed takes part in its next one
/// with an error flag, and then all units throw.
class DASH_API CheckedAllgather {
 public:
  /// \param per_round  maximum number of elements that a unit contributes
  /// \param element_size  in bytes
  CheckedAllgather(Call& call, std::size_t per_round, std::size_t element_size,
                   std::size_t alignment);
  /// \overload with buffers of the caller: `own` for its contribution, and `all` for the
  ///          contributions of all units
  /// \pre `own` has stride(per_round, element_size) bytes, and `all` has that number for each unit
  CheckedAllgather(Call& call, std::size_t per_round, std::size_t element_size, std::byte* own,
                   std::byte* all);

  /// Bytes that a unit contributes.
  static std::size_t stride(std::size_t per_round, std::size_t element_size) noexcept {
    return (header + per_round) * element_size;
  }

  /// Calls fill(own), which writes the caller's elements, and gathers the elements of all units.
  /// \throws exception::RuntimeError on all units if fill throws on one
  /// \collective over the call's team  \blocks until all units have called it
  void gather(exec::FunctionRef<void(void*)> fill);

  const void* element(std::size_t unit, std::size_t i) const {
    return _all + unit * _stride + (header + i) * _element_size;
  }

 private:
  static constexpr std::size_t header =
      1;  // elements; the first byte indicates whether the unit failed

  Call* _call;
  std::size_t _element_size;
  std::size_t _stride;
  ScratchBytes _memory;
  std::byte* _own;
  std::byte* _all;
};

}  // namespace dash::internal
