#include "dash/internal/dynamic/ListStorage.h"

#include <algorithm>
#include <cstring>

#include "dash/Exception.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/Collective.h"

namespace dash::internal {

namespace {

/// Maximum number of bytes of a value in a message; the rest is put separately.
constexpr std::size_t max_inline_bytes = dart::CallService::max_bytes - 64;

struct Unlock {
  exec::SharedWord& lock;
  ~Unlock() { lock.publish(0); }
};

}  // namespace

ListStorage::ListStorage(std::size_t value_bytes, std::size_t value_alignment,
                         std::size_t first_elements, Team& team)
    : _value_bytes(value_bytes),
      _value_offset(std::max(sizeof(Links), value_alignment)),
      _slots({_value_offset + value_bytes, value_alignment, first_elements, sizeof(Shared)}, team) {
  dart::add_service(_slots.segment().begin_gptr(), *this);
  try {
    Call(team, "dash::List").run([this] { _slots.allocate_first(); });
  } catch (...) {
    free();
    throw;
  }
  team.register_deallocator(this, [this] { free(); });
}

void ListStorage::free() {
  dart::remove_service(_slots.segment().begin_gptr());
  _slots.free();
}

void ListStorage::deallocate() {
  if (!_slots.is_allocated()) return;
  team().unregister_deallocator(this);
  team().barrier();
  free();
}

void ListStorage::barrier() {
  std::vector<std::pair<team_unit_t, std::uint32_t>> erased;
  {
    const std::lock_guard lock(_mutex);
    erased.swap(_erased);
  }
  team().barrier();
  // All units that iterated over these elements have reached the barrier since.
  for (const auto& [unit, slot] : erased)
    _slots.recycle(unit, slot);
}

SlotName ListStorage::name_of(team_unit_t unit, std::uint32_t slot_plus_one) const noexcept {
  if (slot_plus_one == 0) return {};
  const std::uint32_t slot = slot_plus_one - 1;
  return {slot, SlotHeader::count_of(_slots.header(unit, slot).load())};
}

bool ListStorage::lock(team_unit_t unit, bool wait) {
  exec::SharedWord& word = shared(unit).lock;
  while (true) {
    std::uint32_t expected = 0;
    // Sequentially consistent, see SharedWord; acquires what the previous holder wrote.
    if (word.value.compare_exchange_strong(expected, 1)) return true;
    if (!wait) return false;
    exec::Engine::instance().wait_shared(word, [](std::uint32_t held) { return held == 0; });
  }
}

/// Relaxed loads see the links of previous holders of the lock. Readers without the lock acquire the links.
/// \pre the list is locked
ListStorage::Status ListStorage::link(team_unit_t unit, const Request& request,
                                      std::uint32_t fresh) {
  Shared& list = shared(unit);
  std::uint32_t after = 0;
  if (request.name) {
    after = request.name.slot + 1;
    const std::uint64_t word = _slots.header(unit, request.name.slot).load();
    const std::uint32_t ended = SlotHeader::count_of(word) - request.name.count;
    if (ended > 1 || (ended == 1) == SlotHeader::is_live(word)) return Status::no;
    // If the element was erased, inserts before the next element that exists.
    while (after != 0 && !SlotHeader::is_live(_slots.header(unit, after - 1).load())) {
      after = links(unit, after - 1).next.load(std::memory_order_relaxed);
    }
  } else if (request.end == End::front) {
    after = list.first.load(std::memory_order_relaxed);
  }
  std::atomic<std::uint32_t>& behind = after == 0 ? list.last : links(unit, after - 1).previous;
  const std::uint32_t before = behind.load(std::memory_order_relaxed);
  Links& own = links(unit, fresh);
  own.next.store(after, std::memory_order_relaxed);
  own.previous.store(before, std::memory_order_relaxed);
  SlotHeader& header = _slots.header(unit, fresh);
  header.publish(header.load());
  // Release, so that readers that follow the link see the element.
  (before == 0 ? list.first : links(unit, before - 1).next)
      .store(fresh + 1, std::memory_order_release);
  behind.store(fresh + 1, std::memory_order_release);
  _slots.count_inserted(unit);
  return Status::yes;
}

/// \pre the list is locked
bool ListStorage::unlink(team_unit_t unit, SlotName name) {
  SlotHeader& header = _slots.header(unit, name.slot);
  const std::uint64_t word = header.load();
  if (!SlotHeader::is_live(word) || SlotHeader::count_of(word) != name.count) return false;
  Shared& list = shared(unit);
  const Links& own = links(unit, name.slot);
  const std::uint32_t next = own.next.load(std::memory_order_relaxed);
  const std::uint32_t previous = own.previous.load(std::memory_order_relaxed);
  (previous == 0 ? list.first : links(unit, previous - 1).next)
      .store(next, std::memory_order_release);
  (next == 0 ? list.last : links(unit, next - 1).previous)
      .store(previous, std::memory_order_release);
  header.end();
  _slots.count_erased(unit);
  const std::lock_guard lock(_mutex);
  _erased.emplace_back(unit, name.slot);
  return true;
}

/// \pre the list is locked  \param fresh  slot to be inserted
ListStorage::Reply ListStorage::apply(team_unit_t unit, const Request& request,
                                      std::uint32_t fresh) {
  Reply reply;
  if (request.kind == Kind::insert) {
    reply.status = link(unit, request, fresh);
    reply.name = name_of(unit, fresh + 1);
    return reply;
  }
  reply.name = request.name;
  if (request.kind == Kind::pop) {
    const Shared& list = shared(unit);
    const auto& end = request.end == End::front ? list.first : list.last;
    reply.name = name_of(unit, end.load(std::memory_order_relaxed));
  }
  reply.status = reply.name && unlink(unit, reply.name) ? Status::yes : Status::no;
  return reply;
}

/// \pre the unit is on the caller's node
ListStorage::Reply ListStorage::execute(team_unit_t unit, const Request& request, const void* value,
                                        std::size_t nbytes, bool wait) {
  if (request.kind == Kind::count) return {Status::yes, {}, _slots.live(unit)};
  if (request.kind == Kind::end_of) return {Status::yes, end_of(unit, request.end), 0};
  std::uint32_t fresh = SlotStore::none;
  if (request.kind == Kind::insert) {
    fresh = _slots.acquire(unit);
    std::memcpy(_slots.content(unit, fresh) + _value_offset, value, nbytes);
  }
  Reply reply{Status::busy, {}, 0};
  if (lock(unit, wait)) {
    const Unlock unlock{shared(unit).lock};
    reply = apply(unit, request, fresh);
  }
  if (fresh != SlotStore::none && reply.status != Status::yes) _slots.release(unit, fresh);
  return reply;
}

std::size_t ListStorage::serve(std::span<const std::byte> bytes, std::byte* reply_buffer) noexcept {
  Request request{Kind::count};
  std::memcpy(&request, bytes.data(), sizeof request);
  Reply reply;
  try {
    reply = execute(team().myid(), request, bytes.data() + sizeof request,
                    bytes.size() - sizeof request, false);
  } catch (...) {
    reply.status = Status::no_memory;
  }
  std::memcpy(reply_buffer, &reply, sizeof reply);
  return sizeof reply;
}

ListStorage::Reply ListStorage::send_request(team_unit_t unit, const Request& request,
                                             const void* value) const {
  const std::size_t sent = value == nullptr ? 0 : std::min(_value_bytes, max_inline_bytes);
  std::vector<std::byte> bytes(sizeof request + sent);
  std::memcpy(bytes.data(), &request, sizeof request);
  if (sent != 0) std::memcpy(bytes.data() + sizeof request, value, sent);
  const auto reply_buffer = std::make_shared<dart::CallReply>();
  Reply reply;
  do {
    dart::call_async(_slots.segment().gptr_at(unit, 0), bytes.data(), bytes.size(), reply_buffer)
        .wait();
    std::memcpy(&reply, reply_buffer->bytes.data(), sizeof reply);
    // A thread of the owner's node holds the lock, for a few instructions or until it is scheduled
    // again.
    if (reply.status == Status::busy) exec::Engine::instance().progress();
  } while (reply.status == Status::busy);
  if (reply.status == Status::no_memory) {
    DASH_THROW(exception::RuntimeError, "unit " << unit << " lacks memory for an element");
  }
  return reply;
}

SlotName ListStorage::insert(team_unit_t unit, const void* value, SlotName before, End end) {
  const Request request{Kind::insert, end, before};
  const Reply reply = _slots.on_node(unit) ? execute(unit, request, value, _value_bytes, true)
                                           : send_request(unit, request, value);
  if (reply.status != Status::yes) {
    DASH_THROW(exception::InvalidArgument,
               "dash::List: the element at the insertion position was erased before the "
               "last barrier");
  }
  if (!_slots.on_node(unit) && _value_bytes > max_inline_bytes) {
    dart_gptr_t rest = _slots.content_gptr(unit, reply.name.slot);
    rest.addr_or_offs.offset += _value_offset + max_inline_bytes;
    dart::put_blocking(rest, static_cast<const char*>(value) + max_inline_bytes,
                       _value_bytes - max_inline_bytes);
  }
  return reply.name;
}

bool ListStorage::erase(team_unit_t unit, SlotName name) {
  const Request request{Kind::erase, End::back, name};
  const Reply reply = _slots.on_node(unit) ? execute(unit, request, nullptr, 0, true)
                                           : send_request(unit, request, nullptr);
  return reply.status == Status::yes;
}

bool ListStorage::pop(team_unit_t unit, End end) {
  const Request request{Kind::pop, end, {}};
  const Reply reply = _slots.on_node(unit) ? execute(unit, request, nullptr, 0, true)
                                           : send_request(unit, request, nullptr);
  return reply.status == Status::yes;
}

SlotName ListStorage::end_of(team_unit_t unit, End end) const {
  if (!_slots.on_node(unit)) return send_request(unit, {Kind::end_of, end, {}}, nullptr).name;
  const Shared& list = shared(unit);
  return name_of(unit,
                 (end == End::front ? list.first : list.last).load(std::memory_order_acquire));
}

std::size_t ListStorage::size(team_unit_t unit) const {
  if (_slots.on_node(unit)) return _slots.live(unit);
  return send_request(unit, {Kind::count}, nullptr).number;
}

std::size_t ListStorage::size() const {
  std::size_t sum = 0;
  for (const int unit : team())
    sum += size(team_unit_t(unit));
  return sum;
}

const char* ListStorage::read_slot(team_unit_t unit, std::uint32_t slot,
                                   std::vector<std::uint64_t>& fetched) const {
  if (_slots.on_node(unit)) return _slots.slot(unit, slot);
  fetched.resize(_slots.slot_bytes() / sizeof(std::uint64_t));
  auto* const bytes = reinterpret_cast<char*>(fetched.data());
  _slots.copy_slots(unit, slot, 1, bytes);
  return bytes;
}

ListCursor ListCursor::first(const ListStorage& list) {
  ListCursor cursor(list, team_unit_t(-1), {});
  cursor.next();
  return cursor;
}

bool ListCursor::step(ListStorage::End towards) {
  const bool forward = towards == ListStorage::End::back;
  std::vector<std::uint64_t> fetched;
  const auto content_offset = _list->slots().content_offset();
  while (_name) {
    const char* slot = _list->read_slot(_unit, _name.slot, fetched);
    const auto& links = *reinterpret_cast<const ListStorage::Links*>(slot + content_offset);
    const std::uint32_t other =
        (forward ? links.next : links.previous).load(std::memory_order_acquire);
    if (other == 0) {
      _name = {};
      return false;
    }
    slot = _list->read_slot(_unit, other - 1, fetched);
    const std::uint64_t word = reinterpret_cast<const SlotHeader*>(slot)->load();
    _name = {other - 1, SlotHeader::count_of(word)};
    if (SlotHeader::is_live(word)) return true;
  }
  return false;
}

void ListCursor::next() {
  if (step(ListStorage::End::back)) return;
  const auto nunits = static_cast<dart_unit_t>(_list->team().size());
  while (!_name) {
    _unit = team_unit_t(_unit.id + 1);
    if (_unit.id >= nunits) return;
    _name = _list->end_of(_unit, ListStorage::End::front);
  }
}

void ListCursor::previous() {
  if (step(ListStorage::End::front)) return;
  while (!_name && _unit.id > 0) {
    _unit = team_unit_t(_unit.id - 1);
    _name = _list->end_of(_unit, ListStorage::End::back);
  }
}

dart_gptr_t ListCursor::value_gptr() const {
  dart_gptr_t gptr = _list->slots().content_gptr(_unit, _name.slot);
  gptr.addr_or_offs.offset += _list->value_offset();
  return gptr;
}

char* ListCursor::value_on_node() const noexcept {
  if (!_list->slots().on_node(_unit)) return nullptr;
  return _list->slots().content(_unit, _name.slot) + _list->value_offset();
}

}  // namespace dash::internal
