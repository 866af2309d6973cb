#pragma once

/// \file
/// Aggregation: many small calls to random units, which travel in batches.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Rpc.h"
#include "dash/Serialization.h"
#include "dash/Team.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/core/Spin.h"
#include "dash/rpc/Calls.h"
#include "dash/rpc/Invoke.h"

namespace dash {

namespace internal {

/// The batches of an aggregator: for each unit at most one message in preparation.
/// \threads thread-safe
class DASH_API Batches {
 public:
  /// \param write_prefix  writes what each batch begins with
  Batches(const OnTeam& team, const FunctionId& function,
          exec::FunctionRef<void(OutputArchive&)> write_prefix);
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  /// Sends the batches.
  ~Batches();

  /// Appends to the batch of a unit.
  /// \param unit    relative to the team   \param nbytes  the number of bytes that `write` writes
  /// \param write   copies bytes, and does nothing else: it runs under a spin lock
  /// \throws exception::InvalidArgument if the team has no such unit
  template <class Write>
  void add(int unit, std::size_t nbytes, const Write& write) {
    std::unique_lock lock(_lock);
    while (true) {
      if (static_cast<std::size_t>(unit) < _spaces.size()) [[likely]] {
        Space& space = _spaces[static_cast<std::size_t>(unit)];
        if (nbytes <= static_cast<std::size_t>(space.end - space.next)) [[likely]] {
          OutputArchive archive(std::span(space.next, nbytes));
          write(archive);
          space.next += nbytes;
          return;
        }
      }
      open_batch(unit, nbytes, lock);
    }
  }
  /// Sends the batches that were begun before a time of core::now_ns(). \returns whether there were any
  bool flush(std::uint64_t begun_before_ns);

 private:
  struct Batch;
  /// The unused memory of a batch.
  struct Space {
    std::byte* next = nullptr;
    std::byte* end = nullptr;
  };

  void open_batch(int unit, std::size_t nbytes, std::unique_lock<core::SpinLock>& lock);
  std::unique_ptr<Batch> make_batch(int unit, std::size_t nbytes) const;
  std::unique_ptr<Batch> take(std::size_t index) noexcept;
  void send(std::unique_ptr<Batch> batch);

  const OnTeam _team;
  const FunctionId _function;
  std::vector<std::byte> _prefix;
  core::SpinLock _lock;        // guards the members below
  std::vector<Space> _spaces;  // by unit
  std::vector<std::unique_ptr<Batch>> _open;
};

/// The arguments that all calls of a batch share, as the function receives them.
template <class... Args>
struct BoundArguments {
  std::tuple<typename Args::Received...> values;

  static BoundArguments load(InputArchive& archive) { return {{Args::load(archive)...}}; }
};

/// Executes the calls of a batch, all of them even if some fail.
/// \throws the first exception of a call
template <class F, class Bound, class... Args>
[[gnu::visibility("hidden")]] void execute_batch(ReceivedCall& call) {
  InputArchive& archive = call.arguments();
  F f = load_function<F>(archive);
  Bound bound = Bound::load(archive);
  std::exception_ptr error;
  const auto call_next = [&](auto&... first) {
    const std::size_t before = archive.remaining();
    std::tuple<typename Args::Received...> arguments{Args::load(archive)...};
    if (archive.remaining() == before) archive.take(1);  // see Aggregator::save()
    try {
      std::apply([&](auto&... rest) { f(first..., std::move(rest)...); }, arguments);
    } catch (...) {
      if (error == nullptr) error = std::current_exception();
    }
  };
  while (archive.remaining() != 0)
    std::apply(call_next, bound.values);
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace internal

template <class Signature>
class Aggregator;

/// Collects calls of one function, and sends those to the same unit together.
///
///     dash::DistObject<std::vector<long>> counts{std::vector<long>(n)};
///     dash::Aggregator<void(std::size_t)> add(
///         [](dash::DistObject<std::vector<long>>& own, std::size_t i) { ++(*own)[i]; }, counts);
///     for (const auto& [unit, i] : updates) add(unit, i);
///     dash::quiesce();
///
/// The functions run at the target like those of am_ff(): one at a time, on the thread that receives the batch, and they
/// must not wait. If some of a batch fail, the others run nevertheless, and quiesce() reports the first exception. A batch
/// is sent when it is full (4 KiB), by flush() and quiesce(), when a thread of the unit waits, and otherwise after some
/// tenths of a millisecond by the progress thread, or by the next call of the library where there is none.
/// \tparam Args  types of the arguments of each call, which are sent as those of rpc(); no views
/// \threads thread-safe
/// \ingroup rpc
template <class... Args>
class Aggregator<void(Args...)> {
  static_assert(sizeof...(Args) != 0, "dash: an Aggregator needs calls with arguments");
  static_assert(
      (internal::is_value_argument<Args> && ...),
      "dash: a DistObject cannot be an argument of each call of an Aggregator; pass it to the "
      "constructor, after the function");
  static_assert(
      !(internal::ArgumentOf<Args>::refers_to_message || ...),
      "dash: the arguments of an Aggregator cannot be views; use std::vector or std::string");

 public:
  /// The calls belong to the team of all units.
  /// \param f      a function without state, as for rpc(): f(bound..., args...)
  /// \param bound  arguments that all calls share and receive as lvalues, for example a DistObject; sent once for each
  ///               batch
  /// \throws as rpc()
  template <class F, class... Bound>
  requires(!std::is_same_v<F, OnTeam>) explicit Aggregator(const F& f, const Bound&... bound)
      : Aggregator(on(Team::All()), f, bound...) {}
  /// The same for calls that belong to another team, to which unit ids are relative.
  template <class F, class... Bound>
  Aggregator(const OnTeam& team, const F& f, const Bound&... bound)
      : _batches(team, id<std::decay_t<F>, internal::ArgumentOf<Bound>...>(),
                 [&](OutputArchive& archive) {
                   internal::SentFunction<std::decay_t<F>>(f).save(archive);
                   (internal::ArgumentOf<Bound>::save(archive, bound), ...);
                 }) {}
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;
  /// Sends the calls that have been added.
  ~Aggregator() = default;

  /// Adds a call of the function at a unit.
  /// \param unit  relative to the team
  /// \throws exception::InvalidArgument if the team has no such unit
  /// \blocks while too many earlier batches have not been consumed, as rpc() does
  /// \cost a lock and a copy of the arguments; one message for each 4 KiB
  void operator()(int unit, const Args&... args) {
    const auto write = [&](OutputArchive& archive) { save(archive, args...); };
    const std::size_t nbytes = internal::count_bytes(write);
    if constexpr ((internal::CopiedAsBytes<Args> && ...)) {
      _batches.add(unit, nbytes, write);
    } else {
      // Functions of the application write outside of the lock.
      alignas(16) std::array<std::byte, 256> small;
      std::vector<std::byte> large(nbytes > small.size() ? nbytes : 0);
      std::byte* const bytes = large.empty() ? small.data() : large.data();
      OutputArchive archive(std::span(bytes, nbytes));
      write(archive);
      internal::check_written(archive.position(), nbytes);
      _batches.add(unit, nbytes, [&](OutputArchive& batch) { batch.write(bytes, nbytes); });
    }
  }

  /// Sends the calls that have been added. \blocks never
  void flush() { _batches.flush(~std::uint64_t{0}); }

 private:
  /// Writes the arguments of a call, as at least one byte: the end of the bytes is that of the batch.
  static void save(OutputArchive& archive, const Args&... args) {
    (internal::ArgumentOf<Args>::save(archive, args), ...);
    if (archive.position() == 0) archive.write("", 1);
  }

  template <class F, class... BoundArgs>
  static const internal::FunctionId& id() {
    static_assert(
        internal::check_handler<F, std::add_lvalue_reference_t<typename BoundArgs::Received>...,
                                typename internal::ArgumentOf<Args>::Received...>());
    return internal::id_of<&internal::execute_batch<F, internal::BoundArguments<BoundArgs...>,
                                                    internal::ArgumentOf<Args>...>>();
  }

  internal::Batches _batches;
};

}  // namespace dash
