#pragma once

#include "Elements.h"
#include "Fields.h"
#include "Halo.h"

namespace lulesh {

/// How units communicate: the one thing that differs between the ways to run the program.
///
/// Units call the same functions in the same order. One exchange is under way at a time.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Sends what neighbours need; what is sent may be changed afterwards.
  virtual void start(Kind kind, const Fields& fields) = 0;
  /// Waits for what neighbours have sent, and puts it in place.
  virtual void finish(Kind kind, const Fields& fields) = 0;
  /// The smallest values of all units.
  virtual TimeLimits least(const TimeLimits& own) = 0;
};

/// For one unit.
class NoExchange final : public Exchange {
 public:
  void start(Kind, const Fields&) override {}
  void finish(Kind, const Fields&) override {}
  TimeLimits least(const TimeLimits& own) override { return own; }
};

}  // namespace lulesh
