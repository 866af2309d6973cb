#include "transfer/TransferCalibration.h"

#include <algorithm>
#include <span>
#include <vector>

#include "dash/async/Engine.h"
#include "dash/core/Clock.h"
#include "dash/core/Settings.h"
#include "teams/Agreement.h"

namespace dash::dart {

namespace {

using Protocols = TransferProtocols;

constexpr std::size_t rounds = 15;
/// Rounds that are not counted: connections are set up, caches and predictors are cold.
constexpr std::size_t warm_up_rounds = 60;
constexpr std::uint64_t max_measurement_ns =
    2'000'000;  // of each size, for the warm-up and for the rounds
constexpr std::uint64_t max_overlap_measurement_ns = 8'000'000;  // for the rounds
/// Rounds that are measured even if they take longer.
constexpr std::size_t min_rounds = 3;

// How much faster a protocol must be than the alternative to be chosen.

/// Starting a put that no caller waits for costs less by RMA than by a message. So a message has to
/// save that difference, as it does on networks with a high latency.
constexpr bool is_faster_message_start(std::uint64_t by_message, std::uint64_t by_rma) {
  return by_rma > by_message + 5000 && by_rma > by_message * 3 / 2;
}

/// A message has to be clearly faster: the other protocols suffer less if the scheduler later moves
/// the processes to processors that do not share a cache.
constexpr bool is_faster_message(std::uint64_t by_message, std::uint64_t otherwise) {
  return by_message < otherwise - otherwise / 8;
}

/// A two-sided transfer takes two messages, and polls of both units. If RMA needs polls, too, it
/// needs more of them, one for each fragment, and MPI copies more data in the call that starts it.
/// A sixteenth is more than the usual error.
constexpr bool is_faster_two_sided(std::uint64_t two_sided, std::uint64_t by_rma) {
  return two_sided < by_rma - by_rma / 16;
}

/// Larger blocking transfers do not fit the caches, and take longer than by RMA. Started ones have
/// less effect on a computation than RMA at any size.
constexpr std::size_t max_blocking_two_sided = std::size_t{32} << 20;

/// Larger puts take longer than their completion get, and a flush would hold MPI's lock for as
/// long.
constexpr std::size_t max_flushed = std::size_t{64} << 10;

/// A size to measure, and the smallest size of the range that it represents.
struct SizeRange {
  std::size_t measured;
  std::size_t min;
};
constexpr SizeRange blocking_sizes[] = {{std::size_t{128} << 10, (std::size_t{64} << 10) + 1},
                                        {std::size_t{32} << 10, (std::size_t{16} << 10) + 1},
                                        {std::size_t{8} << 10, Message::max_payload + 1}};
constexpr std::size_t large_size = blocking_sizes[0].measured;
/// Bounds of the size of a transfer that is measured during a computation. Shorter ones end before
/// the progress thread polls often enough to show a difference.
constexpr std::size_t min_overlapped = (std::size_t{256} << 10) + 1;
constexpr std::size_t max_overlapped = std::size_t{4} << 20;
/// The time that it should take at most without a computation, so that programs start soon on slow
/// networks, too.
constexpr std::uint64_t overlapped_ns = 1'000'000;

constexpr Protocols all_by_rma() {
  Protocols protocols;
  protocols.blocking_put_message_max = 0;
  return protocols;
}

constexpr Protocols all_by_flush() {
  Protocols protocols = all_by_rma();
  protocols.blocking_put_flush_max = max_flushed;
  return protocols;
}

constexpr Protocols two_sided_from(std::size_t min) {
  Protocols protocols = all_by_rma();
  protocols.blocking_put_two_sided_min = protocols.blocking_get_two_sided_min = min;
  protocols.put_two_sided_min = protocols.get_two_sided_min = min;
  return protocols;
}

constexpr Protocols all_by_message() {
  Protocols protocols = two_sided_from(Message::max_payload + 1);
  protocols.blocking_put_message_max = protocols.put_message_max = Message::max_payload;
  return protocols;
}

/// The lower quartile, because other processes on the machine can only increase a time.
std::uint64_t typical(std::vector<std::uint64_t>& times) {
  const auto quartile = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), quartile, times.end());
  return *quartile;
}

/// Times of a transfer with each of the candidates, which are measured in turn.
template <class Transfer>
std::vector<std::uint64_t> measure(RmaDriver& driver, std::span<const Protocols> candidates,
                                   Transfer transfer, std::uint64_t max_ns = max_measurement_ns) {
  std::vector<std::vector<std::uint64_t>> times(candidates.size());
  const auto run_rounds = [&](std::size_t min, std::size_t max, std::uint64_t limit_ns) {
    const std::uint64_t end = core::now_ns() + limit_ns;
    for (std::size_t round = 0; round < min || (round < max && core::now_ns() < end); ++round) {
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        driver.set_protocols(candidates[i]);
        const std::uint64_t begin = core::now_ns();
        transfer();
        times[i].push_back(core::now_ns() - begin);
      }
    }
  };
  run_rounds(1, warm_up_rounds, max_measurement_ns);
  for (std::vector<std::uint64_t>& of_candidate : times)
    of_candidate.clear();
  run_rounds(min_rounds, rounds, max_ns);
  std::vector<std::uint64_t> result;
  for (std::vector<std::uint64_t>& of_candidate : times)
    result.push_back(typical(of_candidate));
  return result;
}

void choose_small(RmaDriver& driver, const RemoteAddress& remote, std::span<std::byte> own,
                  bool may_flush, Protocols& chosen) {
  std::vector<Protocols> candidates{all_by_message(), all_by_rma()};
  if (may_flush) candidates.push_back(all_by_flush());
  bool is_message_faster = true;
  for (const std::size_t nbytes : {std::size_t{8}, std::size_t{512}, Message::max_payload}) {
    const std::vector<std::uint64_t> times =
        measure(driver, candidates, [&] { driver.blocking().put(remote, own.data(), nbytes); });
    const std::uint64_t by_rma = times[1];
    const std::uint64_t otherwise = std::min(by_rma, times.back());
    is_message_faster &= is_faster_message(times[0], otherwise);
    if (is_message_faster) {
      chosen.blocking_put_message_max = nbytes;
      if (is_faster_message_start(times[0], by_rma)) chosen.put_message_max = nbytes;
    } else if (otherwise < by_rma) {
      chosen.blocking_put_flush_max = max_flushed;
    }
  }
}

/// Compares blocking two-sided transfers with others.
struct Comparison {
  std::size_t min = Protocols::never;  // size from which on two-sided ones are faster
  std::uint64_t large_ns = 0;          // time of large_size by the other protocol
};

/// \param otherwise  the protocols of smaller transfers
template <class Transfer>
Comparison compare_two_sided(RmaDriver& driver, const Protocols& otherwise, Transfer transfer) {
  Comparison result;
  for (const SizeRange& size : blocking_sizes) {
    const Protocols candidates[] = {two_sided_from(size.min), otherwise};
    const std::vector<std::uint64_t> times =
        measure(driver, candidates, [&] { transfer(size.measured); });
    if (size.measured == large_size) result.large_ns = times[1];
    if (!is_faster_two_sided(times[0], times[1])) break;
    result.min = size.min;
  }
  return result;
}

/// The smallest size of nonblocking two-sided transfers. A large one is measured while the caller
/// computes. Smaller ones hardly differ then, so the comparison of the blocking ones decides.
/// \param computation_ns  length of the computation; 0 if no thread polls in the meantime
/// \param blocking_min    the smallest size of blocking two-sided transfers
/// \param start           starts a large transfer as parts of a request
template <class Start>
std::size_t min_nonblocking_two_sided(RmaDriver& driver, std::uint64_t computation_ns,
                                      std::size_t blocking_min, Start start) {
  const Protocols candidates[] = {two_sided_from(min_overlapped), all_by_rma()};
  const auto transfer_and_compute = [&] {
    driver.poller().start_and_wait([&](Request& request) {
      start(request);
      const std::uint64_t end = core::now_ns() + computation_ns;
      while (core::now_ns() < end) {
      }
    });
  };
  const std::vector<std::uint64_t> times =
      measure(driver, candidates, transfer_and_compute, max_overlap_measurement_ns);
  return is_faster_two_sided(times[0], times[1]) ? std::min(blocking_min, min_overlapped)
                                                 : Protocols::never;
}

/// The smallest size of deferred puts. Puts are deferred if starting them takes most of their time,
/// because MPI then copies the data in the call.
std::size_t min_deferred(RmaDriver& driver, const RemoteAddress& remote,
                         std::span<const std::byte> own) {
  own = own.first(large_size);
  driver.set_protocols(all_by_rma());
  std::vector<std::uint64_t> starts;
  std::vector<std::uint64_t> totals;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto request = exec::StatePtr<Request>::adopt(new Request(Request::Parts{2}));
    const std::uint64_t begin = core::now_ns();
    driver.starter().put_chunk(*request, remote, own.data(), own.size());
    starts.push_back(core::now_ns() - begin);
    driver.poller().wait(*request);
    totals.push_back(core::now_ns() - begin);
  }
  return typical(starts) > typical(totals) / 2 ? own.size() : Protocols::never;
}

void choose_large(RmaDriver& driver, const RemoteAddress& remote, std::span<std::byte> own,
                  bool thread_polls, Protocols& chosen) {
  Protocols otherwise = all_by_rma();
  otherwise.blocking_put_flush_max = chosen.blocking_put_flush_max;
  const Comparison puts = compare_two_sided(driver, otherwise, [&](std::size_t nbytes) {
    driver.blocking().put(remote, own.data(), nbytes);
  });
  const Comparison gets = compare_two_sided(driver, otherwise, [&](std::size_t nbytes) {
    driver.blocking().get(own.data(), remote, nbytes);
  });
  chosen.blocking_put_two_sided_min = puts.min;
  chosen.blocking_get_two_sided_min = gets.min;
  const std::uint64_t large_ns = std::max<std::uint64_t>(gets.large_ns, 1);
  const std::size_t size =
      std::clamp<std::size_t>(large_size * overlapped_ns / large_ns, min_overlapped, own.size());
  const std::uint64_t computation_ns = thread_polls ? 2 * large_ns * size / large_size : 0;
  chosen.put_two_sided_min = min_nonblocking_two_sided(
      driver, computation_ns, chosen.blocking_put_two_sided_min,
      [&](Request& request) { driver.starter().put(request, remote, own.data(), size); });
  chosen.get_two_sided_min = min_nonblocking_two_sided(
      driver, computation_ns, chosen.blocking_get_two_sided_min,
      [&](Request& request) { driver.starter().get(request, own.data(), remote, size); });
}

/// Memory at the same offset in the heaps of all units.
struct Scratch {
  std::uint64_t offset;
  std::size_t nbytes;
};

Protocols calibrate(const Session& session, RmaDriver& driver, const Scratch& scratch,
                    bool targets_are_polled) {
  const Layout& layout = session.layout();
  const auto other = std::find_if(layout.node_of.begin(), layout.node_of.end(),
                                  [&](std::int32_t node) { return node != layout.node; });
  const RemoteAddress remote =
      heap_address(session.first_window(),
                   static_cast<std::int32_t>(other - layout.node_of.begin()), scratch.offset);
  std::vector<std::byte> own(scratch.nbytes);
  Protocols chosen = all_by_rma();
  chosen.put_batched_max = TransferBatches::max_nbytes;
  chosen.blocking_two_sided_max = max_blocking_two_sided;
  choose_small(driver, remote, own, targets_are_polled, chosen);
  const bool thread_polls = targets_are_polled && driver.poller().thread_may_poll();
  choose_large(driver, remote, own, thread_polls, chosen);
  // The next poll starts a deferred put: only useful if the progress thread polls.
  if (thread_polls) chosen.put_deferred_min = min_deferred(driver, remote, own);
  return chosen;
}

/// The choice of unit 0.
Protocols choose(const Session& session, RmaDriver& driver, const Scratch& scratch) {
  Protocols chosen;
  switch (core::settings().put_protocol) {
    case core::PutProtocol::rma:
      return all_by_rma();
    case core::PutProtocol::flush:
      return all_by_flush();
    case core::PutProtocol::message:
      chosen = all_by_message();
      break;
    case core::PutProtocol::automatic:
      // The environment and the thread level of MPI are the same on all units.
      if (!session.oversubscribed() && session.first_window() != nullptr) {
        const bool targets_are_polled =
            session.processes().has_progress_processes ||
            (exec::Engine::instance().has_thread() && session.has_thread_multiple());
        chosen = calibrate(session, driver, scratch, targets_are_polled);
      }
      break;
  }
  chosen.put_batched_max = TransferBatches::max_nbytes;
  return chosen;
}

}  // namespace

TransferProtocols choose_transfer_protocols(const Session& session, RmaDriver& driver,
                                            GlobalMemory& memory, Team& all) {
  Protocols chosen;
  if (session.layout().nnodes == 1) return chosen;
  // A small heap has less memory for large transfers.
  const HeapPlan& plan = session.plan();
  const std::size_t nbytes =
      std::min<std::uint64_t>(max_overlapped, (plan.pool_end - plan.registered_pool_begin) / 2);
  // The first allocation of each unit, so it has the same offset in all heaps.
  dart_gptr_t memory_of_unit = DART_GPTR_NULL;
  run_on_all_or_throw(all, "dart_init", [&] { memory_of_unit = memory.allocate_local(nbytes); });
  const Scratch scratch{plan.pool_begin + memory_of_unit.addr_or_offs.offset, nbytes};
  run_on_all_or_throw(all, "dart_init", [&] {
    if (all.my_id() == 0) chosen = choose(session, driver, scratch);
  });
  all.bcast(&chosen, sizeof chosen, 0);
  memory.free_local(memory_of_unit);
  return chosen;
}

}  // namespace dash::dart
