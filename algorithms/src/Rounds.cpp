#include "dash/algorithm/internal/Rounds.h"

#include <cstring>

#include "dash/internal/Collective.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

Rounds::Rounds(Call& call, std::size_t per_round, std::size_t element_size, std::size_t alignment)
    : _call(&call),
      _element_size(element_size),
      _stride((header + per_round) * element_size),
      _own(_stride, alignment),
      _all(_stride * call.size(), alignment) {
  // What a unit does not fill is sent, too.
  std::memset(_own.data(), 0, _stride);
}

void Rounds::next(exec::FunctionRef<void(void*)> fill) {
  const auto error = error_of([&] { fill(_own.data() + header * _element_size); });
  _own.data()[0] = error ? std::byte{1} : std::byte{0};
  _call->allgather(_own.data(), _all.data(), _stride);
  for (std::size_t unit = 0; unit < _call->size(); ++unit) {
    if (_all.data()[unit * _stride] == std::byte{0}) continue;
    throw_on_all(_call->team(), _call->name(), team_unit_t(static_cast<int>(unit)),
                 error ? error->c_str() : "");
  }
}

}  // namespace dash::internal
