#pragma once

#include <dash/Array.h>
#include <dash/Team.h>

#include <memory>

#include "Material.h"
#include "Mesh.h"

namespace lulesh {

/// Batches of dear materials in global memory: units of a node take them over from each other.
class NodeSharing final : public MaterialSharing {
 public:
  /// \returns nothing where it does not pay: if no two units share memory, if they share processors,
  ///          or if there is little of it
  /// \collective over the team
  static std::unique_ptr<NodeSharing> where_it_pays(const Mesh& mesh, const RegionOptions& regions,
                                                    dash::Team& team);

  /// \param batches  of each unit  \collective over the team
  NodeSharing(std::size_t batches, dash::Team& team);

  std::span<MaterialBatch> own() override;
  void compute_all() override;

 private:
  dash::Array<MaterialBatch> _batches;
};

}  // namespace lulesh
