#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "dash/algorithm/internal/Call.h"
#include "dash/internal/Collective.h"
#include "dash/internal/ElementAccess.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// All-gathers of elements that, besides, tell all units of an exception of one.
///
/// Since all of them have the same size, a unit that has failed takes part in the next one, whichever
/// that is for the others, and then all leave with an exception.
template <class T>
class Rounds {
  static_assert(std::is_trivially_copyable_v<T>,
                "dash: values that units exchange have to be trivially copyable");

 public:
  /// \param per_round  the largest number of elements that a unit shows
  Rounds(Call& call, std::size_t per_round)
      : _call(&call), _stride(header + per_round), _own(_stride), _all(_stride * call.size()) {}

  /// Calls fill(T* own), which writes the caller's elements, and gathers them.
  /// \throws what fill throws on any unit, on all units
  /// \collective over the call's team  \blocks until all units have called it
  template <class Fill>
  void next(Fill fill) {
    const auto error = error_of([&] { fill(reinterpret_cast<T*>(_own.data() + header)); });
    const unsigned char has_failed = error ? 1 : 0;
    std::memcpy(_own.data(), &has_failed, 1);
    _call->allgather(_own.data(), _all.data(), _stride * sizeof(T));
    for (std::size_t unit = 0; unit < _call->size(); ++unit) {
      if (_all[unit * _stride].of_value[0] == 0) continue;
      throw_on_all(_call->team(), _call->name(), team_unit_t(static_cast<int>(unit)),
                   error ? error->c_str() : "");
    }
  }

  const T& shown(std::size_t unit, std::size_t i) const {
    return reinterpret_cast<const T*>(_all.data() + unit * _stride + header)[i];
  }

 private:
  static constexpr std::size_t header = 1;  // elements; the first byte says whether the unit failed

  Call* _call;
  std::size_t _stride;
  std::vector<RawElement<T>> _own;
  std::vector<RawElement<T>> _all;
};

}  // namespace dash::internal
