#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "dash/Future.h"
#include "dash/GlobPtr.h"
#include "dash/Team.h"
#include "dash/internal/ContiguousRuns.h"
#include "dash/internal/Transfer.h"
#include "dash/iterator/IteratorTraits.h"

namespace dash::internal {

/// Whether the bytes of a From can be those of a To: the same type, or arithmetic types of one kind
/// and size.
template <class From, class To>
struct is_dash_copyable
    : std::bool_constant<std::is_same_v<std::remove_cv_t<From>, std::remove_cv_t<To>> ||
                         (sizeof(From) == sizeof(To) &&
                          ((std::is_integral_v<From> && std::is_integral_v<To>) ||
                           (std::is_floating_point_v<From> && std::is_floating_point_v<To>)))> {};

template <class T>
inline constexpr bool is_glob_ptr = false;
template <class T, class Mem>
inline constexpr bool is_glob_ptr<GlobPtr<T, Mem>> = true;

/// What global ranges can be given by: iterators over containers and their views, and pointers.
template <class It>
concept CopyIterator = GlobalIterator<It> || is_glob_ptr<It>;

/// The caller's id in the team that owns the memory of a range, if the range knows.
template <CopyIterator It>
team_unit_t caller_id([[maybe_unused]] const It& it) {
  if constexpr (GlobalIterator<It>) {
    return it.team().myid();
  } else {
    return UNDEFINED_TEAM_UNIT_ID;
  }
}

template <class From, class To>
constexpr void require_copyable() {
  static_assert(is_dash_copyable<From, To>::value,
                "dash::copy: the elements are copied as bytes; expected the same type on both "
                "sides, or integers or floating-point numbers of the same size");
}

/// Starts all runs of a range.
template <CopyIterator GlobIt, class T>
void start_get(Transfer& transfer, const GlobIt& first, const GlobIt& last, T* out) {
  require_copyable<typename GlobIt::value_type, T>();
  for_each_run(first, last, [&](const auto& gptr, std::size_t nelem, std::size_t position) {
    transfer.get(out + position, gptr, nelem * sizeof(T));
  });
}

/// \overload
template <class T, CopyIterator GlobIt>
void start_put(Transfer& transfer, const T* first, const T* last, const GlobIt& out) {
  require_copyable<T, typename GlobIt::value_type>();
  for_each_run(out, out + (last - first),
               [&](const auto& gptr, std::size_t nelem, std::size_t position) {
                 transfer.put(gptr, first + position, nelem * sizeof(T));
               });
}

template <CopyIterator GlobIt, class T>
T* get_range(const GlobIt& first, const GlobIt& last, T* out) {
  Transfer transfer(caller_id(first), Transfer::Mode::blocking);
  start_get(transfer, first, last, out);
  transfer.wait();
  return out + std::max<std::ptrdiff_t>(last - first, 0);
}

template <class T, CopyIterator GlobIt>
GlobIt put_range(const T* first, const T* last, const GlobIt& out) {
  Transfer transfer(caller_id(out), Transfer::Mode::blocking);
  start_put(transfer, first, last, out);
  transfer.wait();
  return out + (last - first);
}

template <CopyIterator GlobIt, class T>
Future<T*> get_range_async(const GlobIt& first, const GlobIt& last, T* out) {
  Transfer transfer(caller_id(first));
  start_get(transfer, first, last, out);
  return exec::make_future(transfer.finish(), out + std::max<std::ptrdiff_t>(last - first, 0));
}

template <class T, CopyIterator GlobIt>
Future<GlobIt> put_range_async(const T* first, const T* last, const GlobIt& out) {
  Transfer transfer(caller_id(out));
  start_put(transfer, first, last, out);
  return exec::make_future(transfer.finish(), GlobIt(out + (last - first)));
}

/// Part of a copy from global to global memory on its way through the caller's.
template <class T>
struct CopySlab {
  /// Bytes that stay in a private cache.
  static constexpr std::ptrdiff_t length =
      static_cast<std::ptrdiff_t>(std::max<std::size_t>((std::size_t{256} << 10) / sizeof(T), 1));

  std::unique_ptr<unsigned char[]> memory =
      std::make_unique_for_overwrite<unsigned char[]>(length * sizeof(T));
  exec::Operation pending;

  T* data() { return reinterpret_cast<T*>(memory.get()); }
  ~CopySlab() { settle(pending); }
};

/// Copies slab by slab: one is got while the one before is put.
template <CopyIterator GlobIn, CopyIterator GlobOut>
GlobOut copy_range(const GlobIn& first, const GlobIn& last, const GlobOut& out) {
  using T = typename GlobOut::value_type;
  require_copyable<typename GlobIn::value_type, T>();
  const std::ptrdiff_t size = last - first;
  if (size <= 0) return out;
  CopySlab<T> slabs[2];
  const auto end_of = [&](std::ptrdiff_t begin) { return std::min(begin + slabs->length, size); };
  const auto get = [&](CopySlab<T>& slab, std::ptrdiff_t begin) {
    slab.pending.wait();
    Transfer transfer(caller_id(first));
    start_get(transfer, first + begin, first + end_of(begin), slab.data());
    slab.pending = transfer.finish();
  };
  const auto put = [&](CopySlab<T>& slab, std::ptrdiff_t begin) {
    slab.pending.wait();
    Transfer transfer(caller_id(out));
    start_put<T>(transfer, slab.data(), slab.data() + (end_of(begin) - begin), out + begin);
    slab.pending = transfer.finish();
  };
  get(slabs[0], 0);
  std::size_t current = 0;
  for (std::ptrdiff_t begin = 0; begin < size; begin += slabs->length) {
    put(slabs[current], begin);
    current = 1 - current;
    if (end_of(begin) < size) get(slabs[current], end_of(begin));
  }
  slabs[0].pending.wait();
  slabs[1].pending.wait();
  return out + size;
}

}  // namespace dash::internal
