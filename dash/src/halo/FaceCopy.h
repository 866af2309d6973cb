#pragma once

#include <cstddef>
#include <cstring>

#include "dash/async/CopyJob.h"
#include "dash/halo/exchange/HaloExchange.h"

namespace dash::halo::internal {

/// Copies blocks of a face, which are counted in the order of a walk through it, one behind the
/// other.
/// \param first, count  blocks
void pack_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count);

/// The same to memory that another processor reads. A processor has few stores under way, and each
/// waits for its line: so short blocks are gathered before they are stored.
void push_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count);

/// All of them.
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

/// A push in the background.
class FaceCopy final : public exec::CopyJob {
 public:
  /// \param face  outlives the copy
  FaceCopy(std::byte* to, const HaloLink& face) noexcept;

 private:
  void copy(std::size_t begin, std::size_t length) noexcept override;

  std::byte* _to;
  const HaloLink& _face;
};

}  // namespace dash::halo::internal
