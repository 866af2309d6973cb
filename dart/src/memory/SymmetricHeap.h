#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "base/Error.h"
#include "base/IdPool.h"
#include "base/RangeAllocator.h"
#include "launch/Session.h"

namespace dash::dart {

class Team;

/// Places that lie at the same offset in the heaps of all members of a team, with ids that are the
/// same on all.
///
/// What is free in a heap reads as zero: its pages are given back to the system when they are
/// released. Places begin at a line of the cache, those of consecutive ids far from each other in
/// their pages.
/// \threads any, as far as the teams' collectives allow
class SymmetricHeap {
 public:
  explicit SymmetricHeap(Session& session);
  SymmetricHeap(const SymmetricHeap&) = delete;
  SymmetricHeap& operator=(const SymmetricHeap&) = delete;

  /// What one unit asks for; the units may differ, the place has room for the largest.
  struct Wish {
    std::uint64_t nbytes = 0;
    std::string error;  // what is wrong with this unit's arguments; all units then learn of it
  };
  /// The number of bytes that `count()` returns, or what it throws.
  template <class Count>
  static Wish wish(Count count) {
    try {
      return {count(), {}};
    } catch (const Error& error) {
      return {0, error.what()};
    }
  }

  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t nbytes = 0;  // the largest that a member asked for
    std::int16_t id = 0;
  };

  /// Takes zeroed memory and an id. When it returns, all members have taken theirs.
  /// \collective over the team
  /// \throws Error on all units alike: DART_ERR_INVAL if a wish is wrong, DART_ERR_NOMEM for lack of
  ///         memory, room in the heap, or ids
  /// \cost two reductions, if the members' heaps are in the same state
  Place reserve(Team& team, const Wish& wish, IdPool& ids);

  /// Takes an id alone; of the wish only what is wrong matters. \collective over the team
  std::int16_t reserve_id(Team& team, const Wish& wish, IdPool& ids);

  /// Gives back what this unit took. \collective no
  void release(std::uint64_t offset, std::int16_t id, IdPool& ids) noexcept;
  void release_id(std::int16_t id, IdPool& ids) noexcept;

  /// Whether the host has the memory for it, all units asking for as much.
  /// \cost none mostly: the system is asked when a quarter of what it had has been given away
  bool has_memory_for(std::uint64_t nbytes);

 private:
  struct Request {
    bool with_memory;
    std::uint64_t nbytes;  // the largest of all members, once they agree
    const std::string& error;
  };
  /// What a unit can offer; the units agree when all offer the same.
  struct Offer {
    std::uint64_t offset;
    std::uint64_t serial;
  };
  enum class Taken : std::uint64_t { no_memory, too_late, yes };

  Offer agree(Team& team, Request& request, const IdPool& ids);
  Offer propose(const Offer& at_least, bool first, std::uint64_t pages, const IdPool& ids);
  Taken take(const Offer& offer, const Request& request, std::uint64_t own_nbytes, IdPool& ids);
  std::uint64_t pages_of(const Request& request) const noexcept;
  Taken least(Team& team, Taken mine);

  Session& _session;
  std::mutex _mutex;  // guards the allocator, the margin and the pools of ids
  RangeAllocator _ranges;
  std::uint64_t _reserved = 0;  // bytes that are taken, in memory or not
  std::uint64_t _margin = 0;    // bytes that may be taken before the system is asked again
};

}  // namespace dash::dart
