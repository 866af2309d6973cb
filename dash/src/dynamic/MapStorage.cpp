#include "dash/internal/dynamic/MapStorage.h"

#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/Collective.h"

namespace dash::internal {

MapStorage::MapStorage(const MapLayout& layout, std::size_t content_alignment,
                       std::size_t first_elements, Team& team)
    : _slots({8 * layout.words(), content_alignment, first_elements, sizeof(HashIndex::Shared)},
             team),
      _index(_slots),
      _service(_slots, _index, layout) {
  dart::add_service(_slots.segment().begin_gptr(), _service);
  try {
    Call(team, "dash::UnorderedMap").run([&] {
      _slots.allocate_first();
      _index.allocate(first_elements);
    });
  } catch (...) {
    free();
    throw;
  }
  team.register_deallocator(this, [this] { free(); });
}

void MapStorage::free() {
  dart::remove_service(_slots.segment().begin_gptr());
  _index.free();
  _slots.free();
}

void MapStorage::deallocate() {
  if (!_slots.is_allocated()) return;
  team().unregister_deallocator(this);
  team().barrier();
  free();
}

void MapStorage::barrier() {
  team().barrier();
  _index.reclaim();
  // The allreduce is also the barrier that must follow reclaim(), because units that continue may
  // change which tables are in use.
  const int mine = is_scattered() ? 1 : 0;
  int any = 0;
  team().collectives().allreduce(&mine, &any, 1, DART_TYPE_INT, DART_OP_MAX);
  if (any != 0) mark_scattered();
}

exec::Operation MapStorage::send(team_unit_t unit, const MapRequest& request,
                                 const std::vector<SlotName>& skipped, const std::uint64_t* content,
                                 std::size_t nwords, std::shared_ptr<dart::CallReply> reply) const {
  MapRequest head = request;
  head.nskipped = static_cast<std::uint32_t>(skipped.size());
  const std::size_t nskipped = skipped.size() * sizeof(SlotName);
  std::vector<std::byte> bytes(sizeof head + nskipped + 8 * nwords);
  if (bytes.size() > dart::CallService::max_bytes) {
    DASH_THROW(
        exception::RuntimeError,
        skipped.size() << " keys of a dash::UnorderedMap have the same hash, and their owner "
                          "is on another node; specialize std::hash for the type of the key, "
                          "or give the map's hasher a member hash_value(key)");
  }
  std::memcpy(bytes.data(), &head, sizeof head);
  if (nskipped != 0) std::memcpy(bytes.data() + sizeof head, skipped.data(), nskipped);
  if (nwords != 0) std::memcpy(bytes.data() + sizeof head + nskipped, content, 8 * nwords);
  return dart::call_async(_slots.segment().gptr_at(unit, 0), bytes.data(), bytes.size(),
                          std::move(reply));
}

MapReply MapStorage::reply_in(const dart::CallReply& reply) {
  MapReply result;
  std::memcpy(&result, reply.bytes.data(), sizeof result);
  if (result.status == MapReply::Status::no_memory) throw_no_memory_at_owner();
  return result;
}

MapReply MapStorage::send_and_wait(team_unit_t unit, const MapRequest& request,
                                   const std::vector<SlotName>& skipped,
                                   const std::uint64_t* content, std::size_t nwords,
                                   std::shared_ptr<dart::CallReply> reply) const {
  exec::Engine& engine = exec::Engine::instance();
  while (true) {
    send(unit, request, skipped, content, nwords, reply).wait();
    const MapReply result = reply_in(*reply);
    if (result.status != MapReply::Status::busy) return result;
    // A thread of the owner's node migrates the element, for about a microsecond or until it is
    // scheduled again.
    engine.progress();
  }
}

std::size_t MapStorage::size(team_unit_t unit) const {
  if (_slots.on_node(unit)) return _slots.live(unit);
  const MapRequest request{MapRequest::Kind::count, true, 0, 0, 0};
  return send_and_wait(unit, request, {}, nullptr, 0, std::make_shared<dart::CallReply>()).number;
}

std::size_t MapStorage::size() const {
  const MapRequest request{MapRequest::Kind::count, true, 0, 0, 0};
  std::vector<std::pair<exec::Operation, std::shared_ptr<dart::CallReply>>> requests;
  std::size_t sum = 0;
  for (const int unit : team()) {
    if (_slots.on_node(team_unit_t(unit))) {
      sum += _slots.live(team_unit_t(unit));
    } else {
      auto reply = std::make_shared<dart::CallReply>();
      requests.emplace_back(send(team_unit_t(unit), request, {}, nullptr, 0, reply), reply);
    }
  }
  for (auto& [operation, reply] : requests) {
    operation.wait();
    sum += reply_in(*reply).number;
  }
  return sum;
}

void throw_no_such_key() {
  DASH_THROW(exception::InvalidArgument, "dash::UnorderedMap::at: there is no such key");
}

void throw_no_memory_at_owner() {
  DASH_THROW(exception::RuntimeError, "the owner of a key lacks memory for the element");
}

void throw_wrong_owner(team_unit_t unit, std::size_t nunits) {
  DASH_THROW(exception::OutOfRange, "the hasher of a dash::UnorderedMap returned unit "
                                        << unit << ", but its team has units 0 to " << nunits - 1);
}

}  // namespace dash::internal
