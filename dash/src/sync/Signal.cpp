#include "dash/Signal.h"

#include "dash/Exception.h"

namespace dash {

SignalArray::SignalArray(std::size_t count, Team& team) : _segment(team), _count(count) {
  _segment.allocate(internal::LocalSizes(count * sizeof(Slot), team.size()));
  _own = static_cast<Slot*>(_segment.local_begin());
  // The team releases the memory at finalize if this object still exists.
  team.register_deallocator(this, [this] { release(); });
}

SignalArray::~SignalArray() {
  if (!_segment.is_allocated()) return;
  team().unregister_deallocator(this);
  team().barrier();
  release();
}

void SignalArray::release() {
  dart::cancel_signal_waits(_own, _count * sizeof(Slot));
  _segment.deallocate();
}

void SignalArray::throw_no_signal(team_unit_t unit, std::size_t i) const {
  DASH_THROW(exception::InvalidArgument, "no signal " << i << " of unit " << unit << "; there are "
                                                      << (is_allocated() ? _count : 0)
                                                      << " on each of " << team().size()
                                                      << " units");
}

void GlobSignal::raise_remote(signal_t value, SignalOp op) const {
  const dart_gptr_t gptr = dart_gptr();
  dart::put_signal(gptr, nullptr, 0, gptr, value, op, dart::SignalFlush::covers);
}

}  // namespace dash
