#include "transfer/TransferCalibration.h"

#include <algorithm>
#include <span>
#include <vector>

#include "dash/core/Clock.h"
#include "dash/core/Settings.h"

namespace dash::dart {

namespace {

constexpr std::size_t rounds = 15;
/// The first ones are not counted: connections are made, caches and predictors are cold.
constexpr std::size_t warm_up_rounds = 60;
constexpr std::uint64_t longest_ns = 2'000'000;  // for each size, twice
/// What is started and not waited for costs its starter less by RMA; so a message has to save that
/// much, as it does where each message of the network takes long.
constexpr bool worth_starting_by_message(std::uint64_t by_message, std::uint64_t by_rma) {
  return by_rma > by_message + 5000 && by_rma > by_message * 3 / 2;
}

/// A message has to be clearly faster: where processors move between caches, the other ways suffer
/// less from its being far.
constexpr bool worth_a_message(std::uint64_t by_message, std::uint64_t otherwise) {
  return by_message < otherwise - otherwise / 8;
}

/// The more so for data that is sent: two messages, where memory takes a fifth of the time that it
/// takes where processors are far from each other.
constexpr bool worth_sending(std::uint64_t sent, std::uint64_t by_rma) {
  return sent < by_rma - by_rma / 3;
}

/// What is only started is polled for by whoever comes by, which a matched message needs less of than
/// RMA of many fragments; and MPI copies less of it in the call that starts it.
constexpr bool worth_starting_to_send(std::uint64_t sent, std::uint64_t by_rma) {
  return sent < by_rma - by_rma / 8;
}

/// From here the transfer outweighs the confirmation, and MPI's lock would be held for it.
constexpr std::size_t largest_flushed = std::size_t{64} << 10;

/// What is looked at to find from which size on data is sent, and what is the first of its range.
struct SentSize {
  std::size_t measured;
  std::size_t from;
};
constexpr SentSize sent_sizes[] = {{std::size_t{1} << 20, (std::size_t{256} << 10) + 1},
                                   {std::size_t{128} << 10, (std::size_t{64} << 10) + 1},
                                   {std::size_t{32} << 10, (std::size_t{16} << 10) + 1},
                                   {std::size_t{8} << 10, Message::max_payload + 1}};
/// Who waits polls as MPI does for itself; there is nothing to find out beyond the second.
constexpr std::span<const SentSize> blocking_sizes = std::span(sent_sizes).subspan(1);
constexpr std::size_t largest = sent_sizes[0].measured;
constexpr std::size_t large = blocking_sizes[0].measured;

using Ways = RmaDriver::TransferWays;
constexpr Ways all_by_message{Message::max_payload,     0,
                              Message::max_payload,     Message::max_payload + 1,
                              Message::max_payload + 1, Message::max_payload + 1,
                              Message::max_payload + 1};
constexpr Ways all_by_flush{0, largest_flushed, 0};
constexpr Ways all_by_rma{0, 0, 0};

/// The lower quartile: whoever else runs on the machine can only make it longer.
std::uint64_t typical(std::vector<std::uint64_t>& times) {
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

/// How long a transfer takes in each of the ways, which take turns.
template <class Transfer>
std::vector<std::uint64_t> measure(RmaDriver& driver, std::span<const Ways> ways,
                                   Transfer transfer) {
  std::vector<std::vector<std::uint64_t>> times(ways.size());
  const auto take_turns = [&](std::size_t turns) {
    const std::uint64_t end = core::now_ns() + longest_ns;
    for (std::size_t turn = 0; turn == 0 || (turn < turns && core::now_ns() < end); ++turn) {
      for (std::size_t i = 0; i < ways.size(); ++i) {
        driver.set_ways(ways[i]);
        const std::uint64_t begin = core::now_ns();
        transfer();
        times[i].push_back(core::now_ns() - begin);
      }
    }
  };
  take_turns(warm_up_rounds);
  for (std::vector<std::uint64_t>& of_way : times)
    of_way.clear();
  take_turns(rounds);
  std::vector<std::uint64_t> result;
  for (std::vector<std::uint64_t>& of_way : times)
    result.push_back(typical(of_way));
  return result;
}

void choose_small(RmaDriver& driver, const RemoteAddress& place, std::span<std::byte> own,
                  bool may_flush, Ways& chosen) {
  std::vector<Ways> ways{all_by_message, all_by_rma};
  if (may_flush) ways.push_back(all_by_flush);
  bool still_messages = true;
  for (const std::size_t nbytes : {std::size_t{8}, std::size_t{512}, Message::max_payload}) {
    const std::vector<std::uint64_t> times =
        measure(driver, ways, [&] { driver.put_blocking(place, own.data(), nbytes); });
    const std::uint64_t by_rma = times[1];
    const std::uint64_t otherwise = std::min(by_rma, times.back());
    still_messages &= worth_a_message(times[0], otherwise);
    if (still_messages) {
      chosen.blocking_message = nbytes;
      if (worth_starting_by_message(times[0], by_rma)) chosen.started_message = nbytes;
    } else if (otherwise < by_rma) {
      chosen.blocking_flush = largest_flushed;
    }
  }
}

/// From which size on a transfer by data that is sent is worth it: at that size and at all larger ones.
template <class Worth, class Transfer>
std::size_t smallest_sent(RmaDriver& driver, std::span<const SentSize> sizes, Worth worth,
                          Transfer transfer) {
  std::size_t from = RmaDriver::never;
  for (const SentSize& size : sizes) {
    Ways sent = all_by_rma;
    sent.put_sent = sent.get_sent = sent.started_put_sent = sent.started_get_sent = size.from;
    const Ways ways[] = {sent, all_by_rma};
    const std::vector<std::uint64_t> times =
        measure(driver, ways, [&] { transfer(size.measured); });
    if (!worth(times[0], times[1])) break;
    from = size.from;
  }
  return from;
}

/// From which size on puts that are only started are worth handing to a thread: where starting takes
/// most of the time of a put, MPI copies in the call.
std::size_t smallest_handed(RmaDriver& driver, const RemoteAddress& place,
                            std::span<const std::byte> own) {
  own = own.first(large);
  driver.set_ways(all_by_rma);
  std::vector<std::uint64_t> starts;
  std::vector<std::uint64_t> wholes;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto request = exec::StatePtr<Request>::adopt(new Request(Request::TwoParts{}));
    const std::uint64_t begin = core::now_ns();
    driver.put_piece(*request, place, own.data(), own.size());
    starts.push_back(core::now_ns() - begin);
    driver.wait(*request);
    wholes.push_back(core::now_ns() - begin);
  }
  return typical(starts) > typical(wholes) / 2 ? own.size() : RmaDriver::never;
}

void choose_large(RmaDriver& driver, const RemoteAddress& place, std::span<std::byte> own,
                  Ways& chosen) {
  chosen.put_sent = smallest_sent(driver, blocking_sizes, worth_sending, [&](std::size_t nbytes) {
    driver.put_blocking(place, own.data(), nbytes);
  });
  chosen.get_sent = smallest_sent(driver, blocking_sizes, worth_sending, [&](std::size_t nbytes) {
    driver.get_blocking(own.data(), place, nbytes);
  });
  chosen.started_put_sent =
      smallest_sent(driver, sent_sizes, worth_starting_to_send, [&](std::size_t nbytes) {
        const auto request = exec::StatePtr<Request>::adopt(new Request(Request::TwoParts{}));
        driver.put_piece(*request, place, own.data(), nbytes);
        driver.wait(*request);
      });
  chosen.started_get_sent =
      smallest_sent(driver, sent_sizes, worth_starting_to_send, [&](std::size_t nbytes) {
        const auto request = exec::StatePtr<Request>::adopt(new Request());
        {
          const Start start(*request);
          driver.get(*request, own.data(), place, nbytes);
        }
        driver.wait(*request);
      });
}

Ways calibrate(const Session& session, RmaDriver& driver, std::uint64_t scratch, bool threads) {
  const Layout& layout = session.layout();
  const auto other = std::find_if(layout.node_of.begin(), layout.node_of.end(),
                                  [&](std::int32_t node) { return node != layout.node; });
  RemoteAddress place;
  place.unit = place.rank = static_cast<int>(other - layout.node_of.begin());
  place.window = session.window();
  place.displacement = place.place = scratch;
  std::vector<std::byte> own(largest);
  Ways chosen = all_by_rma;
  chosen.put_bundled = TransferBatches::max_nbytes;
  choose_small(driver, place, own, threads, chosen);
  choose_large(driver, place, own, chosen);
  if (threads) chosen.put_handed = smallest_handed(driver, place, own);
  return chosen;
}

}  // namespace

Ways choose_transfer_ways(const Session& session, RmaDriver& driver, GlobalMemory& memory,
                          Team& all) {
  Ways chosen;
  if (session.layout().nnodes == 1) return chosen;
  // The first allocation of each unit, so that it is at the same place of all heaps.
  const dart_gptr_t scratch = memory.allocate_local(largest);
  all.barrier();
  if (all.my_id() == 0) {
    switch (core::settings().put_protocol) {
      case core::PutProtocol::rma:
        chosen = all_by_rma;
        break;
      case core::PutProtocol::message:
        chosen = all_by_message;
        chosen.put_bundled = TransferBatches::max_nbytes;
        break;
      case core::PutProtocol::flush:
        chosen = all_by_flush;
        break;
      case core::PutProtocol::automatic:
        chosen.put_bundled = TransferBatches::max_nbytes;
        // Of all units, as the environment and the level of MPI are.
        if (!session.oversubscribed()) {
          const bool threads = exec::Engine::instance().has_thread() && session.multiple();
          chosen = calibrate(session, driver,
                             session.plan().pool_begin + scratch.addr_or_offs.offset, threads);
        }
        break;
    }
  }
  all.bcast(&chosen, sizeof chosen, 0);
  memory.free_local(scratch);
  return chosen;
}

}  // namespace dash::dart
