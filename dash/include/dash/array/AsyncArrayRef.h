#pragma once

#include "dash/internal/element/AsyncElements.h"
#include "dash/memory/GlobStaticMem.h"

namespace dash {

/// The elements of an Array, accessed asynchronously: array.async[i] = value.
/// \threads thread-safe
/// \ingroup containers
template <class T, typename IndexType, class PatternType, class LocalMemSpace>
class AsyncArrayRef : public internal::AsyncElements<T, PatternType, GlobStaticMem<LocalMemSpace>> {
  using Base = internal::AsyncElements<T, PatternType, GlobStaticMem<LocalMemSpace>>;

 public:
  using typename Base::const_reference;
  using typename Base::index_type;
  using typename Base::reference;
  using typename Base::storage_type;

  /// Used by Array.
  /// \param storage  storage of the array, or nullptr
  explicit AsyncArrayRef(storage_type* storage = nullptr) noexcept : Base(storage) {}

  /// The element at a global index; no range check.
  reference operator[](index_type global_index) { return element<reference>(global_index); }
  /// \overload
  const_reference operator[](index_type global_index) const {
    return element<const_reference>(global_index);
  }

 private:
  template <class Reference>
  Reference element(index_type global_index) const {
    const auto location = this->_storage->pattern().local(global_index);
    return internal::element_ref<Reference, T>(this->_storage->globmem(), location.unit,
                                               location.index);
  }
};

}  // namespace dash
