#include "transfer/PendingOperations.h"

#include <array>
#include <utility>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/async/Watch.h"
#include "dash/core/Pooled.h"
#include "network/rma/RmaDriver.h"

namespace dash::dart {

namespace {

/// Operations that a flush takes from the lists at a time.
constexpr std::size_t batch = 64;
/// Messages to a unit after which a reply is requested even without a flush: it makes them count as
/// in flight, and the number of operations in flight is limited.
constexpr std::uint32_t max_unacknowledged = 64;

using Count = UnacknowledgedMessages::Count;

/// The reply that acknowledges messages. They are in flight together with it.
class Acknowledgement final : public Request {
 public:
  Acknowledgement(FlowControl& flow, std::uint32_t messages)
      : Request(Parts{1}), _flow(flow), _messages(messages) {
    set_source_parts(all_parts);
    _flow.add_unacknowledged(_messages);
  }

 private:
  void finish() noexcept override { _flow.remove_unacknowledged(_messages); }

  FlowControl& _flow;
  std::uint32_t _messages;
};

constexpr auto any = [](const exec::State&) { return true; };
constexpr auto wait_for_completion = [](exec::StatePtr<exec::State> state) {
  exec::Operation(std::move(state)).wait();
};

}  // namespace

/// Keeps an operation in the lists until it is complete.
class PendingOperations::Registration::Follower final : public exec::Continuation,
                                                        public core::Pooled {
 public:
  Follower() noexcept : Continuation(Where::inline_) {}

  void run() noexcept override {
    entry.remove();
    delete this;
  }

  PendingList::Entry entry;
};

PendingOperations::Registration::Registration(PendingOperations& pending_operations)
    : _pending_operations(pending_operations), _follower(std::make_unique<Follower>()) {}

PendingOperations::Registration::~Registration() = default;

void PendingOperations::Registration::add(const exec::Operation& operation, std::int16_t segment,
                                          std::int32_t unit) noexcept {
  if (operation.done()) return;
  Follower* const follower = _follower.release();  // run() deletes it
  _pending_operations.add(follower->entry, *operation.state(), segment, unit);
  if (!operation.state()->attach(*follower)) follower->run();
}

void PendingOperations::add_unacknowledged(std::int16_t segment, std::int32_t unit, int target,
                                           bool of_unit) {
  if (_unacknowledged.add(segment, unit, target, of_unit) < max_unacknowledged) return;
  request_acknowledgements([=](const Count& count) { return count.is_of(segment, unit, of_unit); });
}

template <class Matches>
void PendingOperations::request_acknowledgements(const Matches& matches) {
  if (_unacknowledged.empty()) return;
  exec::StatePtr<Acknowledgement> acknowledgement;
  int target = 0;
  bool of_unit = false;
  const auto replace = [&](const Count& count) {
    acknowledgement =
        exec::StatePtr<Acknowledgement>::adopt(new Acknowledgement(_driver.flow(), count.messages));
    target = count.target;
    of_unit = count.of_unit;
    add(acknowledgement->pending_entry, *acknowledgement, count.segment, count.unit);
  };
  for (std::size_t list = 0; _unacknowledged.take(list, matches, replace);) {
    try {
      _driver.starter().request_acknowledgement(*acknowledgement, target, of_unit);
    } catch (...) {
      acknowledgement->give_up();
      throw;
    }
  }
}

/// Waits for matching operations. An operation leaves the lists, or no longer matches, when the
/// wait for it ends, so each batch begins in the list where the previous one has ended. The error
/// of one that has failed is thrown after the wait for all others.
template <class Matches, class Wait>
void PendingOperations::flush_matching(std::size_t first_list, std::size_t end_list,
                                       Matches matches, Wait wait) {
  if (size() == 0) return;
  std::array<exec::StatePtr<exec::State>, batch> states;
  std::exception_ptr failure;
  const std::uint64_t before = _list.next_serial();
  for (std::size_t list = first_list; list < end_list;) {
    const std::size_t count = _list.collect(states, list, end_list, before, matches);
    for (std::size_t i = 0; i < count; ++i) {
      const exec::StatePtr<exec::State> state = std::exchange(states[i], {});
      try {
        wait(state);
      } catch (...) {
        if (!state->done()) throw;  // the wait has failed, not the operation
        if (!failure) failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

template <class Matches, class Wait>
void PendingOperations::flush_unit(std::int16_t segment, std::int32_t unit, Matches matches,
                                   Wait wait) {
  using Entry = PendingList::Entry;
  if (unit == any_unit) {
    flush_matching(
        0, PendingList::num_lists,
        [=](const Entry& entry) { return entry.segment() == segment && matches(entry.state()); },
        wait);
    return;
  }
  const auto flush_list = [&](std::int32_t listed) {
    const std::size_t list = PendingList::list_of(segment, listed);
    flush_matching(
        list, list + 1,
        [=](const Entry& entry) {
          return entry.segment() == segment && entry.unit() == listed && matches(entry.state());
        },
        wait);
  };
  flush_list(unit);
  if (_list.has_any_unit()) flush_list(any_unit);
}

void PendingOperations::flush(std::int16_t segment, std::int32_t unit) {
  request_acknowledgements([=](const Count& count) {
    return count.segment == segment && (unit == any_unit || count.unit == unit);
  });
  flush_unit(segment, unit, any, wait_for_completion);
}

std::exception_ptr PendingOperations::try_flush(std::int16_t segment) noexcept {
  try {
    flush(segment, any_unit);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void PendingOperations::flush_local(std::int16_t segment, std::int32_t unit) {
  flush_unit(
      segment, unit, [](const exec::State& state) { return !state.source_done(); },
      [](const exec::StatePtr<exec::State>& state) {
        const exec::Activity activity(*state);
        exec::Engine::instance().wait_until([&] { return state->source_done(); });
      });
}

void PendingOperations::flush_all() {
  request_acknowledgements([](const Count&) { return true; });
  flush_matching(
      0, PendingList::num_lists, [](const PendingList::Entry&) { return true; },
      wait_for_completion);
}

exec::Operation PendingOperations::settled() {
  request_acknowledgements([](const Count&) { return true; });
  if (size() == 0) return {};
  std::vector<exec::Operation> operations;
  _list.for_each_state(
      [&](exec::StatePtr<exec::State> state) { operations.emplace_back(std::move(state)); });
  return exec::when_all_settled(operations);
}

}  // namespace dash::dart
