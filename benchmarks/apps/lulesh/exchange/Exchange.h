#pragma once

#include "exchange/Halo.h"
#include "mesh/Fields.h"
#include "physics/Elements.h"

namespace lulesh {

/// Communication between units. Only this differs between the DASH program and the baselines.
///
/// All units call the same functions in the same order. At most one exchange is pending at a time.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Sends the values that neighbours need. The fields may be changed when the call returns.
  virtual void start(Kind kind, const Fields& fields) = 0;
  /// Waits for the values of all neighbours and stores or adds them to the fields.
  virtual void finish(Kind kind, const Fields& fields) = 0;
  /// The minimum of each limit over all units.
  virtual TimeLimits minimum(const TimeLimits& own) = 0;
};

/// The exchange of a run with one unit.
class NoExchange final : public Exchange {
 public:
  void start(Kind, const Fields&) override {}
  void finish(Kind, const Fields&) override {}
  TimeLimits minimum(const TimeLimits& own) override { return own; }
};

}  // namespace lulesh
