#include "dash/internal/transfer/Transfer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dash/async/Engine.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

namespace {

/// Number of blocks collected before they are started. It limits the memory of a large transfer to
/// a few hundred KiB and lets the first blocks be in flight while the rest is determined.
constexpr std::size_t max_collected = 4096;
/// Number of blocks in flight at which a transfer waits for the older half of them. Each block in
/// flight takes up to 64 bytes.
constexpr std::size_t max_in_flight = 16 * max_collected;

/// Position of `unit` in the order in which unit `myid` accesses units: 0 for its successor. The
/// unit itself is last.
std::uint32_t access_rank(std::int32_t unit, std::int32_t myid) noexcept {
  return static_cast<std::uint32_t>(unit - myid) - 1;
}

/// Number of units of the caller's node that precede the caller.
std::size_t position_on_node(const dart_gptr_t& gptr, team_unit_t myid) noexcept {
  const dart::Segment& segment = dart::segment_of(gptr);
  if (myid.id < 0 || myid.id >= segment.nunits) return 0;
  return static_cast<std::size_t>(std::max(segment.slots[myid.id], 0));
}

}  // namespace

team_unit_t caller_id_of(const dart_gptr_t& gptr) noexcept {
  const std::int32_t unit = dart::unit_of_caller(gptr.teamid);
  return unit >= 0 ? team_unit_t(unit) : UNDEFINED_TEAM_UNIT_ID;
}

exec::Operation copy_bytes_async(void* dest, const void* src, std::size_t nbytes) {
  if (nbytes >= core::settings().copy_queue_min) {
    return exec::Engine::instance().copy_async(dest, src, nbytes);
  }
  std::memcpy(dest, src, nbytes);
  return {};
}

void wait_ignoring_errors(exec::Operation& operation) noexcept {
  try {
    operation.wait();
  } catch (...) {  // NOLINT(bugprone-empty-catch): another exception is propagating already
  }
}

Transfer::~Transfer() {
  for (PendingOperation& each : _in_flight)
    wait_ignoring_errors(each.operation);
}

team_unit_t Transfer::myid(const dart_gptr_t& gptr) noexcept {
  if (_myid == UNDEFINED_TEAM_UNIT_ID) _myid = caller_id_of(gptr);
  return _myid;
}

bool Transfer::is_plain(const dart_gptr_t& gptr) noexcept {
  return _mode == Mode::blocking || gptr.unitid == myid(gptr).id;
}

void Transfer::start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  add({src, dest, nullptr, nbytes}, Direction::get);
}

void Transfer::start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  add({dest, const_cast<void*>(src), nullptr, nbytes}, Direction::put);
}

void Transfer::get_rows(void* dest, const dart_gptr_t& src, const Rows& rows) {
  auto* const to = static_cast<char*>(dest);
  if (rows.nbytes <= _small_block) {
    if (const void* const from = dart::uncounted_address(src, rows.span())) {
      core::copy_strided(to, from, rows.nbytes, rows.stride, rows.nbytes, rows.count);
      return;
    }
  }
  dart_gptr_t from = src;
  for (std::size_t i = 0; i < rows.count; ++i) {
    get(to + i * rows.nbytes, from, rows.nbytes);
    from.addr_or_offs.offset += rows.stride;
  }
}

void Transfer::put_rows(const dart_gptr_t& dest, const void* src, const Rows& rows) {
  const auto* const from = static_cast<const char*>(src);
  if (rows.nbytes <= _small_block) {
    if (void* const to = dart::uncounted_address(dest, rows.span())) {
      core::copy_strided(to, from, rows.nbytes, rows.nbytes, rows.stride, rows.count);
      return;
    }
  }
  dart_gptr_t to = dest;
  for (std::size_t i = 0; i < rows.count; ++i) {
    put(to, from + i * rows.nbytes, rows.nbytes);
    to.addr_or_offs.offset += rows.stride;
  }
}

void Transfer::add(const Block& block, Direction direction) {
  if (_direction != direction) {
    begin_collected();
    make_plain_copies();
    _direction = direction;
  }
  if (is_plain(block.gptr)) {
    if (void* const mapped = dart::on_node_address(block.gptr, block.nbytes)) {
      core::count(direction == Direction::get ? core::OperationKind::get : core::OperationKind::put,
                  core::OperationPath::memory, block.nbytes);
      _plain.push_back(block);
      _plain.back().mapped = mapped;
      return;
    }
  }
  _collected.push_back(block);
  if (_collected.size() == max_collected) begin_collected();
}

/// Starts the collected operations, unit by unit.
void Transfer::begin_collected() {
  if (_collected.empty()) return;
  for (const Group& group : group_by_unit()) {
    _in_flight
        // Allocates before the operation starts, so that bad_alloc cannot lose the operation.
        .emplace_back();
    exec::Operation& operation = _in_flight.back().operation;
    operation = begin(group);
    const bool has_succeeded =
        !operation.state() || (operation.done() && !operation.state()->failed());
    if (has_succeeded) {
      _in_flight.pop_back();
      continue;
    }
    _in_flight.back().nblocks = group.end - group.begin;
    _blocks_in_flight += group.end - group.begin;
  }
  _collected.clear();
  limit_in_flight();
}

std::vector<Transfer::Group> Transfer::group_by_unit() {
  if (_collected.size() == 1) return {{0, 1}};
  const dart_gptr_t& any = _collected.front().gptr;
  const std::int32_t self = myid(any).id;
  const auto key = [self](const Block& block) {
    return std::pair(access_rank(block.gptr.unitid, self),
                     static_cast<std::int16_t>(block.gptr.segid));
  };
  const auto before = [&](const Block& a, const Block& b) { return key(a) < key(b); };
  if (!std::is_sorted(_collected.begin(), _collected.end(), before))
    std::stable_sort(_collected.begin(), _collected.end(), before);
  std::vector<Group> groups;
  for (std::size_t i = 0; i < _collected.size(); ++i) {
    if (i == 0 || key(_collected[i]) != key(_collected[i - 1])) groups.push_back({i, i});
    groups.back().end = i + 1;
  }
  // Without the rotation, all units of the caller's node would start with the same unit of the next
  // node.
  const auto first = position_on_node(any, _myid) % groups.size();
  std::rotate(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(first), groups.end());
  return groups;
}

exec::Operation Transfer::begin(const Group& group) const {
  const Block& first = _collected[group.begin];
  if (group.end - group.begin == 1) {
    return _direction == Direction::get ? dart::get_async(first.memory, first.gptr, first.nbytes)
                                        : dart::put_async(first.gptr, first.memory, first.nbytes);
  }
  std::vector<dart::TransferBlock> blocks;
  blocks.reserve(group.end - group.begin);
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const Block& block = _collected[i];
    blocks.push_back({block.gptr.addr_or_offs.offset, block.memory, block.nbytes});
  }
  return _direction == Direction::get ? dart::get_blocks_async(first.gptr, blocks)
                                      : dart::put_blocks_async(first.gptr, blocks);
}

/// Copies the blocks of units that follow the caller first, then those of units before it.
void Transfer::make_plain_copies() {
  if (_plain.empty()) return;
  const std::int32_t self = _plain.size() == 1 ? 0 : myid(_plain.front().gptr).id;
  const auto first =
      std::min_element(_plain.begin(), _plain.end(), [self](const Block& a, const Block& b) {
        return access_rank(a.gptr.unitid, self) < access_rank(b.gptr.unitid, self);
      });
  std::rotate(_plain.begin(), first, _plain.end());
  for (const Block& block : _plain) {
    if (_direction == Direction::get) {
      core::copy_bytes(block.memory, block.mapped, block.nbytes);
    } else {
      core::copy_bytes(block.mapped, block.memory, block.nbytes);
    }
  }
  _plain.clear();
}

exec::Operation Transfer::finish() {
  begin_collected();
  make_plain_copies();
  if (_in_flight.empty()) return {};
  std::vector<exec::Operation> operations;
  operations.reserve(_in_flight.size());
  for (const PendingOperation& each : _in_flight)
    operations.push_back(each.operation);
  exec::Operation all = exec::when_all(operations);
  _in_flight.clear();
  return all;
}

void Transfer::limit_in_flight() {
  if (_blocks_in_flight < max_in_flight || !exec::may_wait()) return;
  // Waits for the older half; the younger operations stay in flight.
  auto it = _in_flight.begin();
  for (; _blocks_in_flight > max_in_flight / 2; ++it) {
    it->operation.wait();
    _blocks_in_flight -= it->nblocks;
  }
  _in_flight.erase(_in_flight.begin(), it);
}

}  // namespace dash::internal
