#pragma once

#include <cstddef>

#include "dash/async/CopyJob.h"
#include "dash/halo/HaloExchange.h"

namespace dash::halo::internal {

/// Copies blocks of a face, which are counted in the order of a walk through it, one behind the
/// other.
/// \param first, count  blocks
void pack_blocks(std::byte* to, const HaloLink& face, std::size_t first, std::size_t count);

/// All of them.
inline void pack(std::byte* to, const HaloLink& face) {
  pack_blocks(to, face, 0, face.nbytes / face.block_nbytes);
}

/// The same in the background.
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
