#include "PutCalibration.h"

#include <algorithm>
#include <array>
#include <limits>
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

/// From here the transfer outweighs the confirmation, and MPI's lock would be held for it.
constexpr std::size_t largest_flushed = std::size_t{64} << 10;

constexpr RmaDriver::PutWays all_by_message{Message::max_payload, 0, Message::max_payload};
constexpr RmaDriver::PutWays all_by_flush{0, largest_flushed, 0};
constexpr RmaDriver::PutWays all_by_rma{0, 0, 0};

/// The lower quartile: whoever else runs on the machine can only make it longer.
std::uint64_t typical(std::vector<std::uint64_t>& times) {
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

struct Times {
  std::uint64_t by_message;
  std::uint64_t by_rma;
  std::uint64_t by_flush;  // never the least where it may not be chosen
};

/// All ways in turns.
Times measure(RmaDriver& driver, const RemotePlace& place, std::size_t nbytes, bool may_flush) {
  const std::array<std::byte, Message::max_payload> zeros{};
  std::vector<std::uint64_t> by_message;
  std::vector<std::uint64_t> by_rma;
  std::vector<std::uint64_t> by_flush;
  const auto put = [&](const RmaDriver::PutWays& way, std::vector<std::uint64_t>& times) {
    driver.set_put_ways(way);
    const std::uint64_t begin = core::now_ns();
    driver.put_blocking(place, zeros.data(), nbytes);
    times.push_back(core::now_ns() - begin);
  };
  const auto put_all_ways = [&](std::size_t times) {
    const std::uint64_t end = core::now_ns() + longest_ns;
    for (std::size_t i = 0; i == 0 || (i < times && core::now_ns() < end); ++i) {
      put(all_by_message, by_message);
      put(all_by_rma, by_rma);
      if (may_flush) put(all_by_flush, by_flush);
    }
  };
  put_all_ways(warm_up_rounds);
  by_message.clear();
  by_rma.clear();
  by_flush.clear();
  put_all_ways(rounds);
  return {typical(by_message), typical(by_rma),
          may_flush ? typical(by_flush) : std::numeric_limits<std::uint64_t>::max()};
}

RmaDriver::PutWays calibrate(const Session& session, RmaDriver& driver, bool may_flush) {
  const Layout& layout = session.layout();
  const auto other = std::find_if(layout.node_of.begin(), layout.node_of.end(),
                                  [&](std::int32_t node) { return node != layout.node; });
  RemotePlace place;
  place.unit = place.rank = static_cast<int>(other - layout.node_of.begin());
  place.window = session.window();
  place.displacement = place.place = HeapPlan::scratch;
  RmaDriver::PutWays chosen = all_by_rma;
  bool still_messages = true;
  for (const std::size_t nbytes : {std::size_t{8}, std::size_t{512}, Message::max_payload}) {
    const Times times = measure(driver, place, nbytes, may_flush);
    still_messages &= worth_a_message(times.by_message, std::min(times.by_rma, times.by_flush));
    if (still_messages) {
      chosen.blocking_message = nbytes;
      if (worth_starting_by_message(times.by_message, times.by_rma)) {
        chosen.started_message = nbytes;
      }
    } else if (times.by_flush < times.by_rma) {
      chosen.blocking_flush = largest_flushed;
    }
  }
  return chosen;
}

}  // namespace

RmaDriver::PutWays choose_put_ways(const Session& session, RmaDriver& driver, Team& all) {
  RmaDriver::PutWays chosen;
  if (session.layout().nnodes == 1) return chosen;
  if (all.my_id() == 0) {
    switch (core::settings().put_protocol) {
      case core::PutProtocol::rma:
        chosen = all_by_rma;
        break;
      case core::PutProtocol::message:
        chosen = all_by_message;
        break;
      case core::PutProtocol::flush:
        chosen = all_by_flush;
        break;
      case core::PutProtocol::automatic:
        // Of all units, as the environment and the level of MPI are.
        if (!session.oversubscribed()) {
          const bool threads = exec::Engine::instance().has_thread() && session.multiple();
          chosen = calibrate(session, driver, threads);
        }
        break;
    }
  }
  all.bcast(&chosen, sizeof chosen, 0);
  return chosen;
}

}  // namespace dash::dart
