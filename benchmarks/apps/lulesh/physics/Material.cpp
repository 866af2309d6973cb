#include "physics/Material.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "physics/Simd.h"

namespace lulesh {

namespace {

constexpr double energy_cut = 1e-7;
constexpr double pressure_cut = 1e-7;
constexpr double viscosity_cut = 1e-7;
constexpr double largest_volume = 1e9;
constexpr double smallest_volume = 1e-9;
constexpr double min_energy = -1e15;
constexpr double min_pressure = 0;

/// From this number of repetitions on, computing a batch takes longer than transferring it to
/// another unit.
constexpr int min_expensive_repetitions = 8;

using Batch = MaterialBatch;
constexpr int batch_size = Batch::capacity;
static_assert(batch_size % TwoPacks::size() == 0);

template <class V>
V pressure_of(const V& compression, const V& energy, const V& volume) {
  V p = V(2.0 / 3.0) * (compression + V(1.0)) * energy;
  p = select<V>(stdx::abs(p) < V(pressure_cut), V(0.0), p);
  p = select<V>(volume >= V(largest_volume), V(0.0), p);
  return stdx::max(p, V(min_pressure));
}

template <class V>
V speed_of_sound(const V& volume_squared, const V& compression, const V& energy,
                 const V& pressure) {
  const V squared =
      V(2.0 / 3.0) * energy + volume_squared * (V(2.0 / 3.0) * (compression + V(1.0))) * pressure;
  const auto at_rest = squared <= V(.1111111e-36);
  // Skip the square root in regions that the shock has not reached.
  if (stdx::all_of(at_rest)) return V(.3333333e-18);
  return select<V>(at_rest, V(.3333333e-18), V(stdx::sqrt(squared)));
}

template <class V>
V cut_energy(const V& energy) {
  const V cut = select<V>(stdx::abs(energy) < V(energy_cut), V(0.0), energy);
  return stdx::max(cut, V(min_energy));
}

template <class V>
void compute_pack(Batch& batch, int i) {
  const auto of = [i](const Batch::Values& values) { return load<V>(values.data() + i); };
  const V e = of(batch.energy);
  V p_old = of(batch.pressure);
  const V q_old = of(batch.viscosity);
  const V linear = of(batch.linear);
  const V square = of(batch.square);
  const V change = of(batch.change);
  const V volume = of(batch.volume);

  V compression = V(1.0) / volume - V(1.0);
  V half_compression = V(1.0) / (volume - change * V(0.5)) - V(1.0);
  half_compression = select<V>(volume <= V(smallest_volume), compression, half_compression);
  const auto too_large = volume >= V(largest_volume);
  p_old = select<V>(too_large, V(0.0), p_old);
  compression = select<V>(too_large, V(0.0), compression);
  half_compression = select<V>(too_large, V(0.0), half_compression);
  const auto expands = change > V(0.0);
  const auto viscosity_at = [&](const V& volume_squared, const V& c, const V& energy,
                                const V& pressure) {
    return V(speed_of_sound(volume_squared, c, energy, pressure) * linear + square);
  };

  V energy = stdx::max(V(e - V(0.5) * change * (p_old + q_old)), V(min_energy));
  const V p_half = pressure_of(half_compression, energy, volume);
  const V volume_half = V(1.0) / (V(1.0) + half_compression);
  const V q_half = select<V>(
      expands, V(0.0), viscosity_at(volume_half * volume_half, half_compression, energy, p_half));

  energy = cut_energy(
      V(energy + V(0.5) * change * (V(3.0) * (p_old + q_old) - V(4.0) * (p_half + q_half))));
  V p = pressure_of(compression, energy, volume);
  const V volume_squared = volume * volume;
  const V q_new = select<V>(expands, V(0.0), viscosity_at(volume_squared, compression, energy, p));

  energy =
      cut_energy(V(energy - (V(7.0) * (p_old + q_old) - V(8.0) * (p_half + q_half) + (p + q_new)) *
                                change * V(1.0 / 6.0)));
  p = pressure_of(compression, energy, volume);
  V q = viscosity_at(volume_squared, compression, energy, p);
  q = select<V>(stdx::abs(q) < V(viscosity_cut), V(0.0), q);
  q = select<V>(expands, q_half, q);

  store(energy, batch.new_energy.data() + i);
  store(p, batch.new_pressure.data() + i);
  store(q, batch.new_viscosity.data() + i);
  store(speed_of_sound(volume_squared, compression, energy, p), batch.sound_speed.data() + i);
}

/// One repetition. Not inlined, so that the compiler does not remove repetitions.
[[gnu::noinline, gnu::flatten]] void compute_once(Batch& batch) {
  constexpr int width = static_cast<int>(TwoPacks::size());
  for (int i = 0; i < batch.size; i += width)
    compute_pack<TwoPacks>(batch, i);
}

/// \returns whether all elements had a positive volume
bool gather(Batch& batch, const Fields& fields, const std::uint32_t* elements) {
  bool valid = true;
  // Whole packs: the last pack is padded with copies of the last element.
  constexpr std::size_t width = TwoPacks::size();
  const auto size = static_cast<std::size_t>(batch.size);
  for (std::size_t i = 0; i < (size + width - 1) / width * width; ++i) {
    const std::uint32_t e = elements[std::min(i, size - 1)];
    batch.energy[i] = fields.energy[e];
    batch.pressure[i] = fields.pressure[e];
    batch.viscosity[i] = fields.viscosity[e];
    batch.linear[i] = fields.viscosity_linear[e];
    batch.square[i] = fields.viscosity_square[e];
    batch.change[i] = fields.volume_change[e];
    batch.volume[i] = std::clamp(fields.new_volume[e], smallest_volume, largest_volume);
    valid = valid && fields.volume[e] > 0;
  }
  return valid;
}

void scatter(const Batch& batch, const Fields& fields, const std::uint32_t* elements) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(batch.size); ++i) {
    const std::uint32_t e = elements[i];
    fields.energy[e] = batch.new_energy[i];
    fields.pressure[e] = batch.new_pressure[i];
    fields.viscosity[e] = batch.new_viscosity[i];
    fields.sound_speed[e] = batch.sound_speed[i];
  }
}

/// A range of a region's elements that fits into a batch.
struct Segment {
  const Region* region;
  const std::uint32_t* elements;
  int size;
};

bool is_expensive(const Region& region) {
  return region.repetitions >= min_expensive_repetitions;
}

std::vector<Segment> segments_of(const std::vector<Region>& regions, bool expensive) {
  std::vector<Segment> segments;
  for (const Region& region : regions) {
    if (is_expensive(region) != expensive) continue;
    for (std::size_t begin = 0; begin < region.elements.size(); begin += batch_size) {
      const std::size_t remaining = region.elements.size() - begin;
      segments.push_back({&region, region.elements.data() + begin,
                          static_cast<int>(std::min<std::size_t>(remaining, batch_size))});
    }
  }
  return segments;
}

/// \returns whether all elements had a positive volume
bool fill(Batch& batch, const Fields& fields, const Segment& segment) {
  batch.size = segment.size;
  batch.repetitions = segment.region->repetitions;
  return gather(batch, fields, segment.elements);
}

}  // namespace

void compute(MaterialBatch& batch) {
  for (int repetition = 0; repetition < batch.repetitions; ++repetition)
    compute_once(batch);
}

std::size_t num_expensive_batches(const std::vector<Region>& regions) {
  return segments_of(regions, true).size();
}

bool apply_material(const std::vector<Region>& regions, const Fields& fields, const Loop& loop,
                    MaterialSharing* sharing) {
  std::atomic<bool> valid{true};
  const auto record = [&](bool has_volumes) {
    if (!has_volumes) valid.store(false, std::memory_order_relaxed);
  };
  const auto compute_own = [&](bool expensive) {
    const std::vector<Segment> segments = segments_of(regions, expensive);
    loop(static_cast<int>(segments.size()), [&](int number) {
      const Segment& segment = segments[static_cast<std::size_t>(number)];
      Batch batch;
      record(fill(batch, fields, segment));
      compute(batch);
      scatter(batch, fields, segment.elements);
    });
  };
  compute_own(false);
  if (sharing == nullptr) {
    compute_own(true);
    return valid;
  }
  const std::vector<Segment> segments = segments_of(regions, true);
  const std::span<Batch> batches = sharing->own();
  const auto for_each = [&](const auto& f) {
    loop(static_cast<int>(segments.size()), [&](int number) {
      const auto i = static_cast<std::size_t>(number);
      f(batches[i], segments[i]);
    });
  };
  for_each([&](Batch& batch, const Segment& segment) { record(fill(batch, fields, segment)); });
  sharing->compute_all();
  for_each([&](const Batch& batch, const Segment& segment) {
    scatter(batch, fields, segment.elements);
  });
  return valid;
}

}  // namespace lulesh
