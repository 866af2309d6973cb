#include "dash/Signal.h"

#include "dash/Exception.h"

namespace dash {

SignalArray::SignalArray(std::size_t count, Team& team) : _segment(team), _count(count) {
  _segment.allocate(internal::LocalSizes(count * sizeof(Slot), team.size()));
  _own = static_cast<Slot*>(_segment.local_begin());
  // It lives until finalize at most, whatever becomes of this object.
  team.register_deallocator(this, [this] { release(); });
}

SignalArray::~SignalArray() {
  if (!_segment.is_allocated()) return;
  team().unregister_deallocator(this);
  team().barrier();
  release();
}

void SignalArray::release() {
  dart::forget_signals(_own, _count * sizeof(Slot));
  _segment.deallocate();
}

GlobSignal SignalArray::operator()(team_unit_t unit, std::size_t i) const {
  if (unit.id < 0 || static_cast<std::size_t>(unit.id) >= team().size() || i >= _count) {
    DASH_THROW(exception::InvalidArgument, "signal " << i << " of unit " << unit
                                                     << ", but units 0 to " << team().size() - 1
                                                     << " have " << _count << " each");
  }
  return GlobSignal(_segment.gptr_at(unit, i * sizeof(Slot)));
}

}  // namespace dash
