#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// Maps segments to memory spaces of the application, by the pair of ids of the segment.
/// \threads thread-safe
class DASH_API MemorySpaceRegistry {
 public:
  static MemorySpaceRegistry& GetInstance();

  /// \param gptr  any pointer into the segment
  /// \returns false, with no effect, if the segment has one
  bool add(const dart_gptr_t& gptr, void* space);
  void erase(const dart_gptr_t& gptr);
  /// \returns nullptr if there is none
  void* lookup(const dart_gptr_t& gptr) const;

 private:
  using Key = std::pair<std::int16_t, std::int16_t>;

  MemorySpaceRegistry() = default;

  mutable std::mutex _mutex;  // guards the map
  std::map<Key, void*> _spaces;
};

}  // namespace dash::internal
