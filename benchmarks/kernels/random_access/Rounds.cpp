#include "Rounds.h"

namespace random_access {

RoundsUpdater::RoundsUpdater(const Distribution& distribution)
    : _distribution(distribution),
      _messages(static_cast<std::size_t>(distribution.units), _own.data()),
      _ends(_messages) {}

void RoundsUpdater::run(const Share& share, kernels::Stopwatch& communication) {
  Word x = element(share.begin);
  const std::size_t first = _round;
  for (std::uint64_t done = 0; done < share.largest; done += batch_size, ++_round) {
    communication.time([&] { prepare(_round); });
    generate_round(x, updates_in_batch(share, done, batch_size));
    communication.time([&] { send(_round); });
    apply(_own.data(), _distribution, local().data());
    if (_round == first) continue;
    communication.time([&] { receive(_round - 1); });
    apply_round(_round - 1);
  }
  communication.time([&] { receive(_round - 1); });
  apply_round(_round - 1);
  communication.time([&] { complete(); });
}

void RoundsUpdater::generate_round(Word& x, std::size_t n) {
  for_other_units([&](int to) { _messages[static_cast<std::size_t>(to)] = outgoing(to, _round); });
  generate(x, n, _distribution, _messages, _ends);
}

void RoundsUpdater::apply_round(std::size_t round) {
  for_other_units([&](int from) { apply(incoming(from, round), _distribution, local().data()); });
}

}  // namespace random_access
