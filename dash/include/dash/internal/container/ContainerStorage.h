#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash::internal {

[[noreturn]] DASH_API void throw_too_large(std::size_t nelem, std::size_t elem_size);
[[noreturn]] DASH_API void throw_index(const char* container, long long index,
                                       unsigned long long size);
[[noreturn]] DASH_API void throw_initializer_size(std::size_t nvalues, std::size_t local_size);
[[noreturn]] DASH_API void throw_empty(const char* container);

/// The contents of an allocated container: pattern, memory, and the caller's part. Has a fixed
/// address, to which iterators, local views and the team refer even if the container is moved.
///
/// The team frees the memory at finalize if the container still exists.
template <class T, class PatternType, class GlobMem>
class ContainerStorage {
 public:
  /// \collective over the pattern's team  \blocks until all units have called it
  explicit ContainerStorage(PatternType pattern)
      : _pattern(std::move(pattern)), _globmem(_pattern.team()) {
    _globmem.allocate(sizes(_pattern));
    team().register_deallocator(this, [this] { _globmem.deallocate(); });
  }
  ContainerStorage(const ContainerStorage&) = delete;
  ContainerStorage& operator=(const ContainerStorage&) = delete;
  ~ContainerStorage() = default;

  /// Waits for all units, then frees the memory; without effect if already freed.
  /// \collective over the team, unless finalized
  void deallocate() {
    if (!_globmem.is_allocated()) return;
    team().unregister_deallocator(this);
    team().barrier();
    _globmem.deallocate();
  }

  const PatternType& pattern() const noexcept { return _pattern; }
  Team& team() const noexcept { return _globmem.team(); }
  GlobMem& globmem() noexcept { return _globmem; }
  const GlobMem& globmem() const noexcept { return _globmem; }
  /// The caller's part; nullptr after deallocation.
  T* lbegin() const noexcept { return static_cast<T*>(_globmem.local_begin()); }
  T* lend() const noexcept {
    return _globmem.is_allocated() ? lbegin() + _pattern.local_size() : nullptr;
  }

  /// A unit's part if it is mapped into this process; otherwise an empty span with nullptr.
  /// \throws exception::OutOfRange if the team has no such unit
  std::span<T> on_node(team_unit_t unit) const {
    _globmem.check_unit(unit);
    T* const begin = static_cast<T*>(_globmem.mapped_part(unit));
    return begin == nullptr ? std::span<T>()
                            : std::span<T>(begin, _globmem.capacity(unit) / sizeof(T));
  }

  /// Global pointer to the element at a linear global index; no range check.
  dart_gptr_t gptr_at(typename PatternType::index_type global_index) const {
    const auto location = _pattern.local(global_index);
    return element_gptr(location.unit, location.index);
  }
  dart_gptr_t element_gptr(team_unit_t unit, typename PatternType::index_type local_index) const {
    return _globmem.gptr_at(unit, static_cast<std::uint64_t>(local_index) * sizeof(T));
  }

 private:
  /// The number of bytes of each unit, computed from the pattern without communication.
  static LocalSizes sizes(const PatternType& pattern) {
    const auto nunits = pattern.team().size();
    if (pattern.local_capacity() > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) {
      throw_too_large(pattern.local_capacity(), sizeof(T));
    }
    std::vector<std::size_t> nbytes(nunits);
    for (std::size_t unit = 0; unit < nunits; ++unit) {
      const team_unit_t unit_id(static_cast<dart_unit_t>(unit));
      nbytes[unit] = pattern.local_size(unit_id) * sizeof(T);
    }
    return LocalSizes(nbytes);
  }

  PatternType _pattern;
  GlobMem _globmem;
};

/// Owns a container's storage. Destroying it frees the memory collectively; errors are logged,
/// since a destructor cannot throw.
template <class Storage>
struct StorageDeleter {
  void operator()(Storage* storage) const noexcept {
    try {
      storage->deallocate();
    } catch (...) {  // NOLINT(bugprone-empty-catch): see above
    }
    delete storage;
  }
};

template <class T, class PatternType, class GlobMem>
using StoragePtr = std::unique_ptr<ContainerStorage<T, PatternType, GlobMem>,
                                   StorageDeleter<ContainerStorage<T, PatternType, GlobMem>>>;

}  // namespace dash::internal
