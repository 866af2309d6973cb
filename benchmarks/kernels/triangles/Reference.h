#pragma once

#include "Graph.h"

namespace triangles {

/// Figures and triangles of a graph by one process, in another way than the units count: edges are sorted
/// numbers, and the neighbours of a vertex are marked while paths of two edges from it are followed.
/// \cost a list entry each of the edges' second ends, 16 bytes for each generated edge
KnownGraph count_serially(std::uint64_t vertices, const ForEdges& for_edges);

}  // namespace triangles
