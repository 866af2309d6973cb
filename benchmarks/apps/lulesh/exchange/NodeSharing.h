#pragma once

#include <dash/Array.h>
#include <dash/Team.h>

#include "physics/Material.h"

namespace lulesh {

/// Batches of expensive materials in global memory. Units of a node compute each other's batches.
class NodeSharing final : public MaterialSharing {
 public:
  /// Whether sharing helps. It does not if no two units are on a node, or if units share
  /// processors: then the operating system balances their work at no cost.
  /// \collective over the team
  static bool is_useful(dash::Team& team);

  /// \param batches  number of batches of each unit  \collective over the team
  NodeSharing(std::size_t batches, dash::Team& team);

  std::span<MaterialBatch> own() override;
  void compute_all() override;

 private:
  dash::Array<MaterialBatch> _batches;
};

}  // namespace lulesh
