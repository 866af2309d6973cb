#pragma once

#include <functional>
#include <memory>
#include <string>

#include "Buckets.h"
#include "support/Program.h"

namespace random_access {

/// Owns the table, and updates words of all units.
class Updater {
 public:
  Updater() = default;
  Updater(const Updater&) = delete;
  Updater& operator=(const Updater&) = delete;
  virtual ~Updater() = default;

  /// The calling unit's words.
  virtual std::span<Word> local() = 0;
  /// Makes the calling unit's updates. The updates of all units are complete after a barrier.
  /// \collective
  virtual void run(const Share& share, kernels::Stopwatch& communication) = 0;
};

/// Creates the updater of a variant: "atomic", "get-put", "bucketed". \collective
using MakeUpdater = std::function<std::unique_ptr<Updater>(
    const Distribution& distribution, const std::string& via, const std::string& variant)>;

/// \param name  name of the program
kernels::Program make_program(const std::string& name, MakeUpdater make);

}  // namespace random_access
