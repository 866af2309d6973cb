#include "dash/algorithm/internal/call/RangeParts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dash::internal {

RangeParts::RangeParts(const std::vector<std::optional<UnitPart>>& parts, std::size_t myid)
    : _units(parts.size()), _offsets(parts.size() + 1) {
  for (const auto& part : parts)
    _in_place = _in_place && (!part || part->is_consecutive);
  std::iota(_units.begin(), _units.end(), std::size_t{0});
  if (_in_place) {
    const auto position = [&](std::size_t unit) {
      return parts[unit] ? parts[unit]->first : std::numeric_limits<std::int64_t>::max();
    };
    std::stable_sort(_units.begin(), _units.end(),
                     [&](std::size_t a, std::size_t b) { return position(a) < position(b); });
  }
  for (std::size_t sequence = 0; sequence < _units.size(); ++sequence) {
    const auto& part = parts[_units[sequence]];
    _sizes.push_back(part ? part->size : 0);
    _offsets[sequence + 1] = _offsets[sequence] + _sizes.back();
    if (_units[sequence] == myid) _self = sequence;
  }
}

RangeParts gather_parts(Call& call, exec::FunctionRef<std::optional<UnitPart>()> own) {
  const auto gathered = call.contribute<UnitPart>([&] { return own(); });
  std::vector<std::optional<UnitPart>> parts(gathered.size());
  for (std::size_t unit = 0; unit < parts.size(); ++unit) {
    if (gathered.has_value(unit)) parts[unit] = gathered[unit];
  }
  return RangeParts(parts, static_cast<std::size_t>(call.myid().id));
}

}  // namespace dash::internal
