#pragma once

#include "dash/GlobAsyncRef.h"
#include "dash/internal/Unit.h"
#include "dash/internal/container/ContainerStorage.h"
#include "dash/iterator/GlobIter.h"

namespace dash::internal {

/// Base class of the asynchronous interfaces of containers.
/// \threads thread-safe
template <class T, class PatternType, class GlobMem>
class AsyncElements {
  /// \cond internal

 protected:
  using storage_type = ContainerStorage<T, PatternType, GlobMem>;

 public:
  using value_type = T;
  using index_type = typename PatternType::index_type;
  using size_type = typename PatternType::size_type;
  using reference = GlobAsyncRef<T>;
  using const_reference = GlobAsyncRef<const T>;
  using pattern_type = PatternType;
  using iterator = GlobIter<T, PatternType, GlobMem, GlobPtr<T, GlobMem>, reference>;
  using const_iterator =
      GlobIter<const T, PatternType, GlobMem, GlobPtr<const T, GlobMem>, const_reference>;

  /// Number of elements of all units.
  size_type size() const { return _storage != nullptr ? _storage->pattern().size() : 0; }

  /// Iterators with asynchronous references.
  iterator begin() { return iterator_at<iterator>(0); }
  /// Past the last element.
  iterator end() { return iterator_at<iterator>(static_cast<index_type>(size())); }
  /// \overload
  const_iterator begin() const { return iterator_at<const_iterator>(0); }
  /// \overload
  const_iterator end() const {
    return iterator_at<const_iterator>(static_cast<index_type>(size()));
  }

  /// \name Complete the caller's operations on the container, at all units or at one
  /// \completion remote (flush), local (flush_local)
  /// @{

  /// At all units.
  void flush() const {
    if (_storage != nullptr) _storage->globmem().flush();
  }
  /// At one unit.
  void flush(TeamUnitArgument unit) const {
    if (_storage != nullptr) _storage->globmem().flush(unit);
  }
  /// At all units.
  void flush_local() const {
    if (_storage != nullptr) _storage->globmem().flush_local();
  }
  /// At one unit.
  void flush_local(TeamUnitArgument unit) const {
    if (_storage != nullptr) _storage->globmem().flush_local(unit);
  }
  /// @}

 protected:
  /// \param storage  storage of the container, or nullptr
  explicit AsyncElements(storage_type* storage = nullptr) noexcept : _storage(storage) {}

  storage_type* _storage;

  /// \endcond

 private:
  template <class It>
  It iterator_at(index_type position) const {
    return _storage != nullptr ? It(&_storage->globmem(), _storage->pattern(), position) : It();
  }
};

}  // namespace dash::internal
