#pragma once

#include <cstdint>
#include <optional>

#include "Graph.h"

namespace triangles {

/// Provides the caller's lists to other units, and gives access to lists of other units.
class Lists {
 public:
  Lists() = default;
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;
  virtual ~Lists() = default;

  /// Prepares a count. \collective
  virtual void begin() {}
  /// The address of a list that need not be fetched; null if it must be fetched. The list can be
  /// read if has_arrived(), otherwise after finish().
  virtual const Vertex* in_place(Vertex v) const = 0;
  /// Whether a list that is read in place is available.
  virtual bool has_arrived(Vertex /*v*/) const { return true; }
  /// Makes progress of pending transfers; called periodically while the caller counts.
  virtual void progress() {}
  /// Starts fetching `n` elements of a unit's lists, beginning at `offset`.
  virtual void fetch(int unit, std::uint64_t offset, std::uint64_t n, Vertex* out) = 0;
  /// Waits for all pending transfers.
  virtual void finish() = 0;
  /// Adds n to the counter that all units share. \returns its previous value
  virtual std::uint64_t take_vertices(std::uint64_t n) = 0;
  /// Sets the counter to 0. A barrier must follow before units use it. \collective
  virtual void reset_counter() = 0;
};

}  // namespace triangles
