#pragma once

#include <cstdint>
#include <optional>

#include "Graph.h"

namespace triangles {

/// How units get at the lists of others. It has those of the caller's where others can reach them.
class Lists {
 public:
  Lists() = default;
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;
  virtual ~Lists() = default;

  /// Before a count: whatever all units do together. \collective
  virtual void begin() {}
  /// A list that can be read where it is, without fetching: at once if has_arrived(), or else after
  /// finish(). Null if it has to be fetched.
  virtual const Vertex* in_place(Vertex v) const = 0;
  /// Whether a list that is read in place is there already.
  virtual bool has_arrived(Vertex /*v*/) const { return true; }
  /// Lets go on what is under way, while the caller counts.
  virtual void progress() {}
  /// Starts to fetch `n` elements of a unit's lists, from `place` on.
  virtual void fetch(int unit, std::uint64_t place, std::uint64_t n, Vertex* out) = 0;
  /// Waits for all that is under way.
  virtual void finish() = 0;
  /// Adds to the counter that all units share. \returns its value before
  virtual std::uint64_t take(std::uint64_t n) = 0;
  /// Sets it to 0. Others do not use it until a barrier. \collective
  virtual void reset_counter() = 0;
};

}  // namespace triangles
