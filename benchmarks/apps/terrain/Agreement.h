#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace terrain {

/// Bytes of unit 0 to all units.
/// \collective all units
void broadcast_bytes(void* bytes, std::size_t nbytes);

/// The value of unit 0.
/// \collective all units
template <class T>
T from_unit_0(T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  broadcast_bytes(&value, sizeof value);
  return value;
}

/// Runs \p work on unit 0 and lets all units know how it ended, so that none waits for one that
/// gave up.
/// \collective all units
/// \throws apps::UserError on all units if work throws; only that of unit 0 has a text
void on_unit_0(const std::function<void()>& work);

}  // namespace terrain
