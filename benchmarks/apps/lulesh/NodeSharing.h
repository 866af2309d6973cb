#pragma once

#include <dash/Array.h>
#include <dash/Team.h>

#include "Material.h"

namespace lulesh {

/// Batches of dear materials in global memory: units of a node take them over from each other.
class NodeSharing final : public MaterialSharing {
 public:
  /// Not if no two units share memory, nor if they share processors, which balances their work as well
  /// and for nothing.
  /// \collective over the team
  static bool is_of_use(dash::Team& team);

  /// \param batches  of each unit  \collective over the team
  NodeSharing(std::size_t batches, dash::Team& team);

  std::span<MaterialBatch> own() override;
  void compute_all() override;

 private:
  dash::Array<MaterialBatch> _batches;
};

}  // namespace lulesh
