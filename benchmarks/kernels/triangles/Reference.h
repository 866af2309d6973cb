#pragma once

#include "Graph.h"

namespace triangles {

/// Computes statistics and triangles of a graph in one process, with a different algorithm: edges
/// are sorted as numbers, and the neighbours of a vertex are marked while paths of two edges from
/// it are followed.
/// \cost one step per path of two edges; 16 bytes per generated edge
KnownGraph count_serially(std::uint64_t vertices, const ForEdges& for_edges);

}  // namespace triangles
