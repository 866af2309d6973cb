#pragma once

#include <cstddef>
#include <cstring>

#include "dash/async/CopyJob.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {

/// Packs blocks of a face contiguously.
/// \param first, count  range of blocks, numbered in the order of the traversal of the face
void pack_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count);

/// The same for memory that another processor reads. A processor has few stores in flight, and each
/// of them waits for its cache line; so short blocks are gathered before they are stored.
void push_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count);

/// Packs all blocks.
/// @{
inline void pack(std::byte* to, const HaloLink& face) {
  pack_blocks(to, face, 0, face.nbytes / face.block_nbytes);
}
inline void push(std::byte* to, const HaloLink& face) {
  if (face.levels.empty()) {
    std::memcpy(to, face.source, face.nbytes);
  } else {
    push_blocks(to, face, 0, face.nbytes / face.block_nbytes);
  }
}
/// @}

/// A push by the copy queue.
class FaceCopy final : public exec::CopyJob {
 public:
  /// \param face  must outlive the copy
  FaceCopy(std::byte* to, const HaloLink& face) noexcept;

 private:
  void copy(std::size_t begin, std::size_t length) noexcept override;

  std::byte* _to;
  const HaloLink& _face;
};

}  // namespace dash::halo::internal
