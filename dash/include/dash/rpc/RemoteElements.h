#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// Copies single elements between native memory and units of other nodes, hundreds in a message: their owners read or write
/// them (dash::am).
/// \threads externally synchronized
class DASH_API RemoteElements {
 public:
  /// \param team          the team that owns the memory
  /// \param element_size  bytes; the offset of each element is a multiple of it
  RemoteElements(const Team& team, std::size_t element_size);
  RemoteElements(const RemoteElements&) = delete;
  RemoteElements& operator=(const RemoteElements&) = delete;
  /// Waits for started operations if an exception prevented finish(), because the caller owns the buffers.
  ~RemoteElements();

  /// Whether get() and put() accept the element: its unit exists, and its position fits into a message. Transfers of blocks
  /// report a unit that does not exist.
  bool accepts(const dart_gptr_t& gptr) const noexcept {
    return gptr.unitid >= 0 && static_cast<std::size_t>(gptr.unitid) < _batches.size() &&
           gptr.addr_or_offs.offset / _element_size <= UINT32_MAX;
  }

  /// Adds an element to be read to `out`.
  /// \pre accepts(gptr); all elements of a unit are in one segment   \blocks while too many elements are in flight
  void get(const dart_gptr_t& gptr, void* out);
  /// Adds an element to be written; its value is copied.
  void put(const dart_gptr_t& gptr, const void* value);

  /// Starts the remaining operations.
  /// \returns a future that is ready when all are complete: in `out`, or at their owners. It fails with the first error
  Future<void> finish();

 private:
  /// Elements of one unit that have not been sent.
  struct Batch {
    dart_gptr_t base = DART_GPTR_NULL;  // offset 0
    std::vector<std::uint32_t> positions;
    std::vector<void*> out;
    std::vector<std::byte> values;
  };

  Batch& batch_of(const dart_gptr_t& gptr);
  void send(Batch& batch);

  const Team& _team;
  std::size_t _element_size;
  std::size_t _max_elements;    // of a batch
  std::vector<Batch> _batches;  // by unit
  std::vector<Future<void>> _sent;
};

}  // namespace dash::internal
