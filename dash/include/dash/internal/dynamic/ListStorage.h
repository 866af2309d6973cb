#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/async/Engine.h"
#include "dash/core/Export.h"
#include "dash/dart/RemoteCall.h"
#include "dash/internal/dynamic/SlotStore.h"

namespace dash::internal {

/// Doubly linked lists, one for each unit of a team, in slots.
///
/// A unit that modifies a list of its node holds the list's lock for a few instructions. Units of
/// other nodes send requests to the owner, which replies `busy` if the lock is held. Readers follow
/// the links without a lock: an erased element keeps its links, and its slot is not reused before
/// the next barrier, so the links lead back into the list.
///
/// \threads thread-safe, except construction, barrier() and destruction
class DASH_API ListStorage final : public dart::CallService {
 public:
  /// An end of a list.
  enum class End : std::uint8_t { front, back };

  /// The content of a slot: links, as slot number plus one, or 0 for none; followed by the value.
  struct Links {
    std::atomic<std::uint32_t> next;
    std::atomic<std::uint32_t> previous;
  };

  /// \collective over the team  \throws exception::RuntimeError on all units if one lacks memory
  ListStorage(std::size_t value_bytes, std::size_t value_alignment, std::size_t first_elements,
              Team& team);
  ~ListStorage() override = default;

  /// Waits for all units, then frees the memory; without effect if already freed. \collective
  /// unless finalized
  void deallocate();

  Team& team() const noexcept { return _slots.team(); }
  const SlotStore& slots() const noexcept { return _slots; }
  /// Offset of the value in a slot's content.
  std::size_t value_offset() const noexcept { return _value_offset; }

  /// Completes the caller's operations and waits for all units; slots of erased elements become
  /// available.
  /// \collective over the team
  void barrier();

  /// Number of elements of a unit, or of all units. \cost a message for each unit of another node
  std::size_t size(team_unit_t unit) const;
  std::size_t size() const;

  /// \name Modifications of one unit's list \completion remote
  /// @{
  /// \param value   copied into the list
  /// \param before  position; none: inserts at `end`
  /// \throws exception::InvalidArgument if the element is not in the list
  SlotName insert(team_unit_t unit, const void* value, SlotName before, End end = End::back);
  /// \returns whether the element was in the list
  bool erase(team_unit_t unit, SlotName name);
  /// \returns false if the list is empty
  bool pop(team_unit_t unit, End end);
  /// @}

  /// The first or last element of a unit's list, or none.
  SlotName end_of(team_unit_t unit, End end) const;
  /// The header, links and value of a slot. Returns its address if on the caller's node, otherwise
  /// fetches a copy into `fetched`.
  const char* read_slot(team_unit_t unit, std::uint32_t slot,
                        std::vector<std::uint64_t>& fetched) const;

  std::size_t serve(std::span<const std::byte> request, std::byte* reply) noexcept override;

 private:
  struct Shared {
    alignas(core::cache_line_size) exec::SharedWord lock;  // 1: held
    std::atomic<std::uint32_t> first;                      // slot plus one, or 0
    std::atomic<std::uint32_t> last;
  };
  enum class Kind : std::uint8_t { insert, erase, pop, end_of, count };
  struct Request {
    Kind kind;
    End end = End::back;
    SlotName name = {};
  };
  enum class Status : std::uint8_t { yes, no, busy, no_memory };
  struct Reply {
    Status status = Status::yes;
    SlotName name = {};
    std::uint64_t number = 0;
  };

  Shared& shared(team_unit_t unit) const noexcept {
    return *static_cast<Shared*>(_slots.extra(unit));
  }
  Links& links(team_unit_t unit, std::uint32_t slot) const noexcept {
    return *reinterpret_cast<Links*>(_slots.content(unit, slot));
  }
  SlotName name_of(team_unit_t unit, std::uint32_t slot_plus_one) const noexcept;
  Reply execute(team_unit_t unit, const Request& request, const void* value, std::size_t nbytes,
                bool wait);
  Reply apply(team_unit_t unit, const Request& request, std::uint32_t fresh);
  bool lock(team_unit_t unit, bool wait);
  Status link(team_unit_t unit, const Request& request, std::uint32_t fresh);
  bool unlink(team_unit_t unit, SlotName name);
  Reply send_request(team_unit_t unit, const Request& request, const void* value) const;
  void free();

  std::size_t _value_bytes;
  std::size_t _value_offset;
  SlotStore _slots;
  std::mutex _mutex;  // guards the members below
  std::vector<std::pair<team_unit_t, std::uint32_t>> _erased;
};

/// A position in the lists of all units, which advances from element to element in the order of
/// units.
/// \threads externally synchronized per object
class DASH_API ListCursor {
 public:
  ListCursor() noexcept = default;
  /// \param name  none: past the last element of the unit
  ListCursor(const ListStorage& list, team_unit_t unit, SlotName name) noexcept
      : _list(&list), _unit(unit), _name(name) {}

  static ListCursor first(const ListStorage& list);
  /// The position past the last element.
  static ListCursor last(const ListStorage& list) noexcept {
    return {list, team_unit_t(static_cast<dart_unit_t>(list.team().size())), {}};
  }

  team_unit_t unit() const noexcept { return _unit; }
  const SlotName& name() const noexcept { return _name; }
  const ListStorage& list() const noexcept { return *_list; }

  /// Moves to the next element of the unit in a direction, or to none. \returns whether there is
  /// one
  bool step(ListStorage::End towards);
  void next();
  void previous();

  dart_gptr_t value_gptr() const;
  /// Address of the value if on the caller's node, otherwise nullptr.
  char* value_on_node() const noexcept;

  friend bool operator==(const ListCursor& a, const ListCursor& b) noexcept {
    return a._name.slot == b._name.slot && a._unit.id == b._unit.id && a._list == b._list;
  }

 private:
  const ListStorage* _list = nullptr;
  team_unit_t _unit{0};
  SlotName _name;
};

}  // namespace dash::internal
