#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "launch/UnitHardware.h"

namespace dash::dart {

/// What a unit can do with its share of the host, as far as the system does not tell.
struct Capability {
  /// Megabytes a second to and from main memory, by all threads of the unit while the other units of
  /// its host do the same; 0 if there was no memory to measure with.
  std::int32_t memory_mbps = 0;
  std::int32_t clock_mhz = 0;
  /// By a setting: not to be evened out.
  std::int32_t is_given = 0;
};

/// Measures memory by a sum of two arrays that do not fit into the caches.
class MemoryProbe {
 public:
  /// Takes the memory, and touches it by the threads of the unit.
  /// \param units_of_host  that measure at the same time
  MemoryProbe(const UnitHardware& hardware, int units_of_host);

  /// \returns megabytes a second, 0 if there was no memory  \cost some tenths of a second
  std::int32_t measure_mbps();

 private:
  /// \param first  whether this is the first time that the memory is touched
  void pass(bool first);

  std::size_t _nelem;
  std::unique_ptr<double[]> _memory;  // three arrays
};

/// How many million times a second the processor can add to what it has just added. \cost 1 ms
std::int32_t measure_clock_mhz();

/// Units of one host with as many cores have the same hardware, and what was measured of them differs
/// by chance: each gets the median.
/// \param hardware  of all units, by global id
/// \param units     global ids of those that were measured
/// \param measured  of each of these
void even_out(std::span<const UnitHardware> hardware, std::span<const std::int32_t> units,
              std::span<Capability> measured);

}  // namespace dash::dart
