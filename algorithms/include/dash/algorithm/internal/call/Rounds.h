#pragma once

#include <cstddef>

#include "dash/algorithm/internal/call/Call.h"
#include "dash/algorithm/internal/call/ScratchBytes.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"

namespace dash::internal {

/// All-gathers of elements, trivially copyable ones, that, besides, tell all units of an exception of
/// one.
///
/// Since all of them have the same size, a unit that has failed takes part in the next one, whichever
/// that is for the others, and then all leave with an exception.
class DASH_API Rounds {
 public:
  /// \param per_round     the largest number of elements that a unit shows
  /// \param element_size  in bytes
  Rounds(Call& call, std::size_t per_round, std::size_t element_size, std::size_t alignment);
  /// \overload in memory of the caller's: for what the caller shows, and for what all do
  /// \pre they have stride(per_round, element_size) bytes, and as many for each unit
  Rounds(Call& call, std::size_t per_round, std::size_t element_size, std::byte* own,
         std::byte* all);

  /// Bytes that a unit shows.
  static std::size_t stride(std::size_t per_round, std::size_t element_size) noexcept {
    return (header + per_round) * element_size;
  }

  /// Calls fill(own), which writes the caller's elements, and gathers them.
  /// \throws what fill throws on any unit, on all units
  /// \collective over the call's team  \blocks until all units have called it
  void next(exec::FunctionRef<void(void*)> fill);

  const void* shown(std::size_t unit, std::size_t i) const {
    return _all + unit * _stride + (header + i) * _element_size;
  }

 private:
  static constexpr std::size_t header = 1;  // elements; the first byte says whether the unit failed

  Call* _call;
  std::size_t _element_size;
  std::size_t _stride;
  ScratchBytes _memory;
  std::byte* _own;
  std::byte* _all;
};

}  // namespace dash::internal
