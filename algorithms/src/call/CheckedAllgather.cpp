#include "dash/algorithm/internal/call/CheckedAllgather.h"

#include <cstring>

#include "dash/internal/Unit.h"
#include "dash/internal/team/Collective.h"

namespace dash::internal {

CheckedAllgather::CheckedAllgather(Call& call, std::size_t per_round, std::size_t element_size,
                                   std::size_t alignment)
    : _call(&call),
      _element_size(element_size),
      _stride(stride(per_round, element_size)),
      _memory(_stride * (1 + call.size()), alignment),
      _own(_memory.data()),
      _all(_own + _stride) {
  // Initializes the buffer, because gather() also sends the part that `fill` does not write.
  std::memset(_own, 0, _stride);
}

CheckedAllgather::CheckedAllgather(Call& call, std::size_t per_round, std::size_t element_size,
                                   std::byte* own, std::byte* all)
    : _call(&call),
      _element_size(element_size),
      _stride(stride(per_round, element_size)),
      _own(own),
      _all(all) {
  std::memset(_own, 0, _stride);
}

void CheckedAllgather::gather(exec::FunctionRef<void(void*)> fill) {
  const auto error = error_of([&] { fill(_own + header * _element_size); });
  _own[0] = error ? std::byte{1} : std::byte{0};
  _call->allgather(_own, _all, _stride);
  for (std::size_t unit = 0; unit < _call->size(); ++unit) {
    if (_all[unit * _stride] == std::byte{0}) continue;
    throw_on_all(_call->team(), _call->name(), team_unit_t(static_cast<int>(unit)),
                 error ? error->c_str() : "");
  }
}

}  // namespace dash::internal
