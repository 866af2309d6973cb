#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "launch/UnitHardware.h"

namespace dash::dart {

/// Performance of a unit that the operating system does not report, but that must be measured.
struct Capability {
  /// Bandwidth of main memory in MB/s, used by all threads of the unit while the other units of its host
  /// measure at the same time; 0 if the memory for the measurement could not be allocated.
  std::int32_t memory_mbps = 0;
  std::int32_t clock_mhz = 0;
  /// 1 if a setting gives memory_mbps, which is then not replaced by a median.
  std::int32_t is_specified = 0;
};

/// Measures the bandwidth of main memory by adding two arrays that exceed the caches.
class MemoryProbe {
 public:
  /// Allocates the arrays and initializes them with the threads of the unit (first touch).
  /// \param units_of_host  number of units of the host that measure at the same time
  MemoryProbe(const UnitHardware& hardware, int units_of_host);

  /// \returns MB/s, 0 if the arrays could not be allocated
  /// \cost some tenths of a second
  std::int32_t measure_mbps();

 private:
  /// \param first  whether to initialize the arrays
  void pass(bool first);

  std::size_t _nelem;
  std::unique_ptr<double[]> _memory;  // three arrays
};

/// Measures the clock rate as the number of dependent additions per microsecond.
/// \cost 1 ms
std::int32_t measure_clock_mhz();

/// Replaces measurements by their medians over units with the same hardware, i.e. of one host and with the
/// same number of cores, since their differences are noise.
/// \param hardware  of all units, by global id
/// \param units     global ids of the measured units
/// \param measured  the measurement of each of them
void use_medians(std::span<const UnitHardware> hardware, std::span<const std::int32_t> units,
                 std::span<Capability> measured);

}  // namespace dash::dart
