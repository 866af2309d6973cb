#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/Collective.h"
#include "dash/internal/Unit.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/NodeWork.h"

namespace dash::internal {

/// Gathers `nbytes` bytes of each unit, in unit order, on all units. A team without units does nothing.
/// \collective over the team  \blocks until all units have called it
inline void allgather_bytes(const void* send, void* receive, std::size_t nbytes, const Team& team) {
  if (team.size() != 0) team.collectives().allgather(send, receive, nbytes);
}

/// Copies `nbytes` bytes from the root's buffer `data` to the buffer `data` of every other unit.
/// \throws exception::InvalidArgument if the root is not in the team
/// \collective over the team  \blocks until the root has called it
inline void broadcast_bytes(void* data, std::size_t nbytes, team_unit_t root, const Team& team) {
  if (team.size() != 0) team.collectives().bcast(data, nbytes, root.id);
}

/// Checks that all units pass the same number of elements to an operation.
/// \throws exception::InvalidArgument on all units if they do not
/// \collective over the team  \blocks until all units have called it
DASH_API void require_equal_sizes(std::size_t size, const char* operation, const Team& team);

/// Computes the bitwise or of the units' words, on all units.
/// \pre `own` and `all` do not overlap
/// \collective over the team  \blocks until all units have called it
DASH_API void or_on_all(const std::uint64_t* own, std::uint64_t* all, std::size_t nwords,
                        const Team& team);

/// Computes the elementwise sums of the units' numbers, on all units.
/// \pre `own` and `all` do not overlap
/// \collective over the team  \blocks until all units have called it
DASH_API void sum_on_all(const std::uint64_t* own, std::uint64_t* all, std::size_t n,
                         const Team& team);

/// The values that the units of a team contribute, in unit order. A unit may have no value, or may have
/// failed.
/// \tparam T  trivially copyable; need not be default constructible
template <class T>
class Gathered {
  static_assert(std::is_trivially_copyable_v<T>,
                "dash: values that units exchange have to be trivially copyable");

 public:
  /// \param value  the caller's, or nullptr
  /// \collective over the team  \blocks until all units have called it
  Gathered(const T* value, const Team& team)
      : Gathered(value, value != nullptr ? Content::value : Content::nothing, team) {}

  /// The contribution of a unit that has failed.
  static Gathered failure(const Team& team) { return Gathered(nullptr, Content::failure, team); }

  std::size_t size() const { return _size; }
  bool has_value(std::size_t unit) const { return slots()[unit].content == Content::value; }
  /// \pre has_value(unit)
  T operator[](std::size_t unit) const { return load_from<T>(slots()[unit].bytes); }
  /// The lowest id of a unit that has failed; -1 if none has.
  int first_failed() const {
    for (std::size_t unit = 0; unit < size(); ++unit) {
      if (slots()[unit].content == Content::failure) return static_cast<int>(unit);
    }
    return -1;
  }

 private:
  enum class Content : unsigned char { nothing, value, failure };
  struct Slot {
    unsigned char bytes[sizeof(T)];
    Content content;
  };

  /// Maximum number of units whose values are stored in the object itself. An allocation would take
  /// a tenth of the time of the exchange.
  static constexpr std::size_t few = 256 / sizeof(Slot);

  Gathered(const T* value, Content content, const Team& team) : _size(team.size()) {
    Slot own{};
    own.content = content;
    if (value != nullptr) std::memcpy(own.bytes, value, sizeof(T));
    if (_size > few) _many.resize(_size);
    allgather_bytes(&own, _size > few ? _many.data() : _few.data(), sizeof(Slot), team);
  }

  const Slot* slots() const { return _size > few ? _many.data() : _few.data(); }

  std::size_t _size;
  std::array<Slot, few> _few;
  std::vector<Slot> _many;
};

/// A barrier that also reports to all units whether one of them has failed.
/// \param error  text of the caller's failure, or nullptr. If null, the failure of a transfer that the
///               caller has started and not waited for counts as its error
/// \completion remote, for all operations that the caller has started
/// \throws exception::RuntimeError on all units, with the lowest id of a failed unit and its text
/// \collective over the team  \blocks until all units have called it
DASH_API void agree(const Team& team, const char* operation, const char* error);

/// Throws the error of one unit on all units.
/// \param first  the unit that failed  \param error  its text; ignored on other units
/// \throws exception::RuntimeError
/// \collective over the team
[[noreturn]] DASH_API void throw_on_all(const Team& team, const char* operation, team_unit_t first,
                                        const char* error);

/// Calls f(). \returns the text of what it threw, or nothing
template <class F>
std::optional<std::string> error_of(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
  return std::nullopt;
}

/// One call of a collective operation, on all units of a team. An exception on one unit becomes an
/// exception on all, so that no unit waits for one that has returned.
class Call {
 public:
  Call(Team& team, const char* name) : _team(&team), _name(name) {}

  /// The units that take part, with the ids that they have in the team of the range. All
  /// communication of the call uses this team.
  Team& team() const { return *_team; }
  team_unit_t myid() const { return _team->myid(); }
  std::size_t size() const { return _team->size(); }
  const char* name() const { return _name; }

  /// Calls f() on each unit, followed by a barrier, which also completes all transfers.
  /// \throws exception::RuntimeError on all units if f throws on one; the message names the unit
  ///          and the error
  template <class F>
  void run(F&& f) {
    const auto error = error_of([&] {
      const Sharing sharing(*this);
      f();
    });
    agree(*_team, _name, error ? error->c_str() : nullptr);
  }

  /// Calls f() on each unit, which returns a std::optional<T>, and gathers the results of all units
  /// in one exchange. The exchange does not complete transfers.
  /// \tparam T  trivially copyable
  /// \throws exception::RuntimeError on all units if f throws on one; the message names the unit
  ///          and the error
  template <class T, class F>
  Gathered<T> contribute(F&& f) {
    std::optional<T> value;
    const auto error = error_of([&] {
      const Sharing sharing(*this);
      value = f();
    });
    return exchange(value, error);
  }

  /// Calls f(), which combines the units' contributions. It must compute the same result on all
  /// units.
  ///
  /// \tparam may_throw  whether f calls functions of the application that may throw; this costs an
  ///          additional exchange
  /// \throws exception::RuntimeError on all units if f throws on one; the message names the unit
  ///          and the error
  template <bool may_throw, class F>
  auto conclude(F&& f) {
    if constexpr (!may_throw) {
      return f();
    } else {
      std::optional<decltype(f())> result;
      prepare([&] { result.emplace(f()); });
      return *std::move(result);
    }
  }

  /// Calls f(), which acquires resources that may be unavailable, such as memory. One exchange
  /// informs all units of a failure; it does not complete transfers.
  /// \throws exception::RuntimeError on all units if f throws on one; the message names the unit
  ///          and the error
  template <class F>
  void prepare(F&& f) {
    exchange(std::optional<char>(), error_of(f));
  }

  /// Enables the units of a node to share chunks of work. Each f() of run() and contribute() can
  /// share one set of chunks.
  void share_work(NodeWorkTable& table) { _work_table = &table; }
  /// The shared work of the node, for use in f(). nullptr if share_work() has not been called, or
  /// if this f() has already shared its chunks.
  NodeWork* node_work() { return _work && _work->has_not_run() ? &*_work : nullptr; }

  /// Gathers `nbytes` bytes of each unit, in unit order, on all units. Between this call and the
  /// collective steps before and after it, no exception may be thrown on a single unit only.
  void allgather(const void* send, void* receive, std::size_t nbytes) {
    allgather_bytes(send, receive, nbytes, *_team);
  }

  /// \completion remote, for all operations that the caller has started
  void barrier() { _team->barrier(); }

 private:
  template <class T>
  Gathered<T> exchange(const std::optional<T>& value, const std::optional<std::string>& error) {
    auto gathered =
        error ? Gathered<T>::failure(*_team) : Gathered<T>(value ? &*value : nullptr, *_team);
    if (const int first = gathered.first_failed(); first >= 0)
      throw_on_all(*_team, _name, team_unit_t(first), error ? error->c_str() : "");
    return gathered;
  }

  /// Enables sharing of work while f() runs. The destructor withdraws the unit's work even if f
  /// throws, so that no unit waits for it.
  class Sharing {
   public:
    explicit Sharing(Call& call) noexcept : _work(call._work) {
      if (call._work_table != nullptr) _work.emplace(*call._work_table, call.myid());
    }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;
    ~Sharing() { _work.reset(); }

   private:
    std::optional<NodeWork>& _work;
  };

  Team* _team;
  const char* _name;
  NodeWorkTable* _work_table = nullptr;
  std::optional<NodeWork> _work;
};

}  // namespace dash::internal
