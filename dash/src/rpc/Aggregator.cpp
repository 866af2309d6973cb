#include "dash/Aggregator.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/core/Clock.h"
#include "dash/core/Log.h"
#include "dash/dart/if/dart.h"
#include "rpc/BatchRegistry.h"
#include "rpc/CallCounts.h"

namespace dash::internal {

namespace {

/// Size of a batch: that of the largest message between nodes that needs no rendezvous.
constexpr std::size_t batch_bytes = 4096;
/// The number of batches of an aggregator, so that their memory does not grow with the number of units.
constexpr std::size_t max_open = 256;
/// Batches that are older are sent although no caller waits.
constexpr std::uint64_t old_ns = 200'000;

/// See open_batches().
class Registry final : public dart::MessageBatches {
 public:
  static Registry& instance() {
    static auto* const registry = new Registry();
    return *registry;
  }

  void add(Batches& batches) {
    std::lock_guard lock(_mutex);
    _batches.push_back(&batches);
  }
  void remove(Batches& batches) {
    std::lock_guard lock(_mutex);
    std::erase(_batches, &batches);
  }
  /// Relaxed: a thread that misses a batch sends it later.
  void count_open(std::ptrdiff_t change) noexcept {
    if (_num_open.fetch_add(static_cast<std::size_t>(change), std::memory_order_relaxed) == 0)
      exec::Engine::instance().notify_soon();
  }

  bool empty() const noexcept override { return _num_open.load(std::memory_order_relaxed) == 0; }
  bool flush(bool caller_waits) noexcept override {
    const std::uint64_t begun_before = caller_waits ? ~std::uint64_t{0} : core::now_ns() - old_ns;
    std::unique_lock lock(_mutex, std::try_to_lock);
    bool any = false;
    if (!lock.owns_lock()) return any;
    try {
      for (Batches* const batches : _batches)
        any |= batches->flush(begun_before);
    } catch (const std::exception& error) {
      core::log(core::LogLevel::error,
                std::string("the calls of an aggregator are lost: ") + error.what());
      dart_abort(DART_EXIT_ABORT);
    }
    return any;
  }

 private:
  std::mutex _mutex;  // guards _batches
  std::vector<Batches*> _batches;
  std::atomic<std::size_t> _num_open{0};
};

}  // namespace

dart::MessageBatches& open_batches() {
  return Registry::instance();
}

/// A message in preparation. It counts as one call.
struct Batches::Batch {
  Batch(int to, int global_unit, std::size_t nbytes)
      : unit(to),
        message(global_unit, nbytes, dart::MessageRole::one_way),
        begun_ns(core::now_ns()) {}

  int unit;  // relative to the team
  dart::OutgoingMessage message;
  Space space;  // of a batch that is not open
  std::uint64_t begun_ns;
};

Batches::Batches(const OnTeam& team, const FunctionId& function,
                 exec::FunctionRef<void(OutputArchive&)> write_prefix)
    : _team(team), _function(function) {
  static_cast<void>(call_target(CallUnit(0), {.team = team.team}));  // checks that there is a team
  const Team& members =
      team.team == DART_TEAM_ALL ? Team::All() : Team::Get(static_cast<dart_team_t>(team.team));
  _spaces.resize(members.size());
  _open.reserve(max_open);
  _prefix.resize(count_bytes(write_prefix));
  OutputArchive archive(_prefix);
  write_prefix(archive);
  Registry::instance().add(*this);
}

Batches::~Batches() {
  Registry::instance().remove(*this);
  flush(~std::uint64_t{0});
}

/// Waits, if the target has not consumed enough earlier messages, so the lock must not be held.
std::unique_ptr<Batches::Batch> Batches::make_batch(int unit, std::size_t nbytes) const {
  const CallTarget target = call_target(CallUnit(unit), {.team = _team.team});
  CallHeader header;
  header.function = _function;
  header.team = _team.team;
  header.kind = CallKind::handler;
  const std::size_t needed = sizeof header + _prefix.size() + nbytes;
  auto batch = std::make_unique<Batch>(unit, target.unit, std::max(needed, batch_bytes));
  const std::span<std::byte> bytes = batch->message.bytes();
  OutputArchive archive(bytes);
  archive.write(&header, sizeof header);
  archive.write(_prefix.data(), _prefix.size());
  batch->space = {bytes.data() + archive.position(), bytes.data() + bytes.size()};
  return batch;
}

void Batches::send(std::unique_ptr<Batch> batch) {
  dart::OutgoingMessage& message = batch->message;
  message.shrink(static_cast<std::size_t>(batch->space.next - message.bytes().data()));
  try {
    message.send();
  } catch (...) {
    CallCounts::of_team(_team.team).count_ended();
    throw;
  }
}

/// Removes a batch from the open ones. \pre the lock is held
std::unique_ptr<Batches::Batch> Batches::take(std::size_t index) noexcept {
  std::unique_ptr<Batch> batch = std::move(_open[index]);
  _open[index] = std::move(_open.back());
  _open.pop_back();
  batch->space = std::exchange(_spaces[static_cast<std::size_t>(batch->unit)], {});
  Registry::instance().count_open(-1);
  return batch;
}

/// Opens a batch in place of one that is full. If there are too many, sends the first one.
/// \pre the lock is held   \post the same; it has been released in between
void Batches::open_batch(int unit, std::size_t nbytes, std::unique_lock<core::SpinLock>& lock) {
  lock.unlock();
  std::unique_ptr<Batch> batch = make_batch(unit, nbytes);
  CallCounts& counts = CallCounts::of_team(_team.team);
  lock.lock();
  // From here to the end of the lock, nothing throws.
  const auto found = std::find_if(_open.begin(), _open.end(),
                                  [unit](const auto& open) { return open->unit == unit; });
  std::unique_ptr<Batch> old;
  if (found != _open.end()) {
    old = take(static_cast<std::size_t>(found - _open.begin()));
  } else if (_open.size() == max_open) {
    old = take(0);
  }
  _spaces[static_cast<std::size_t>(unit)] = batch->space;
  counts.count_sent();
  _open.push_back(std::move(batch));
  Registry::instance().count_open(1);
  if (old == nullptr) return;
  lock.unlock();
  send(std::move(old));
  lock.lock();
}

bool Batches::flush(std::uint64_t begun_before_ns) {
  bool any = false;
  std::unique_lock lock(_lock);
  // From the last one: take() moves the last one to the place of the one that it removes.
  for (std::size_t i = _open.size(); i-- != 0;) {
    if (i >= _open.size() || _open[i]->begun_ns >= begun_before_ns) continue;
    std::unique_ptr<Batch> batch = take(i);
    lock.unlock();
    send(std::move(batch));
    any = true;
    lock.lock();
  }
  return any;
}

}  // namespace dash::internal
