// The collectives of a team, by meetings in which buffers of limited size are filled and read.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "teams/Team.h"
#include "dash/core/Settings.h"

namespace dash::dart {

namespace {

/// From here a reduction is worth being shared by the members of a node.
constexpr std::size_t shared_reduction = 8 * 1024;

/// Splits `total` in pieces of at most `piece` and calls f(offset, length).
template <class F>
void for_each_piece(std::size_t total, std::size_t piece, F f) {
  for (std::size_t offset = 0; offset < total; offset += piece) {
    f(offset, std::min(piece, total - offset));
  }
}

std::size_t index(int unit) {
  return static_cast<std::size_t>(unit);
}

/// memcpy, whose arguments may not be null even for no bytes.
void copy(void* to, const void* from, std::size_t nbytes) {
  if (nbytes != 0) std::memcpy(to, from, nbytes);
}

}  // namespace

void Team::bcast(void* buffer, std::size_t nbytes, int root) {
  const Entered entered(*this, "a broadcast in team {} from unit {}",
                        core::OperationKind::collective, nbytes, root);
  const bool root_on_node = _layout.slots[index(root)] >= 0;
  const std::size_t room = one_node()
                               ? _dimensions.contribution_bytes
                               : std::min(_dimensions.contribution_bytes, _dimensions.result_bytes);
  for_each_piece(nbytes, room, [&](std::size_t offset, std::size_t length) {
    char* const mine = static_cast<char*>(buffer) + offset;
    if (my_id() == root) copy(my_contribution(length), mine, length);
    meet([&] {
      if (one_node()) return;
      if (root_on_node) copy(result(length), contribution_of(root, length), length);
      _leaders.bcast(result(length), length, _layout.node_of[index(root)]);
    });
    if (my_id() != root) {
      copy(mine, one_node() ? contribution_of(root, length) : result(length), length);
    }
    ++_round;
  });
}

void Team::gather(const void* send, void* recv, std::size_t nbytes, int root) {
  const Entered entered(*this, "a gather in team {} to unit {}", core::OperationKind::collective,
                        nbytes, root);
  const char* const from = static_cast<const char*>(send);
  char* const to = static_cast<char*>(recv);
  const std::size_t room = one_node() ? _dimensions.contribution_bytes
                                      : std::min(_dimensions.contribution_bytes,
                                                 _dimensions.result_bytes / index(size()));
  for_each_piece(nbytes, room, [&](std::size_t offset, std::size_t length) {
    copy(my_contribution(length), from + offset, length);
    meet([&] {
      if (one_node()) return;
      give_to_all(length);
      _leaders.gather(result(length * index(size())), length, _layout.node_of[index(root)]);
    });
    for (int unit = 0; my_id() == root && unit < size(); ++unit) {
      copy(to + index(unit) * nbytes + offset, given_by(unit, length), length);
    }
    ++_round;
  });
}

void Team::scatter(const void* send, void* recv, std::size_t nbytes, int root) {
  const Entered entered(*this, "a scatter in team {} from unit {}", core::OperationKind::collective,
                        nbytes, root);
  const char* const from = static_cast<const char*>(send);
  char* const to = static_cast<char*>(recv);
  const std::size_t room = _dimensions.result_bytes / index(size());
  const auto place = [&](int unit) {
    return one_node() ? index(unit) : index(_layout.place[index(unit)]);
  };
  for_each_piece(nbytes, room, [&](std::size_t offset, std::size_t length) {
    const std::size_t total = length * index(size());
    for (int unit = 0; my_id() == root && unit < size(); ++unit) {
      copy(result(total) + place(unit) * length, from + index(unit) * nbytes + offset, length);
    }
    meet([&] {
      if (!one_node()) _leaders.scatter(result(total), length, _layout.node_of[index(root)]);
    });
    copy(to + offset, result(total) + place(my_id()) * length, length);
    ++_round;
  });
}

/// Gathers the node's contributions at their places in the result.
void Team::give_to_all(std::size_t nbytes) {
  char* const all = result(nbytes * index(size()));
  for (const std::int32_t unit : _layout.members) {
    copy(all + index(_layout.place[index(unit)]) * nbytes, contribution_of(unit, nbytes), nbytes);
  }
}

const char* Team::given_by(int unit, std::size_t nbytes) const noexcept {
  if (one_node()) return contribution_of(unit, nbytes);
  return result(nbytes * index(size())) + index(_layout.place[index(unit)]) * nbytes;
}

/// What every unit has, by way of the members' buffers and, between nodes, of the leaders, who
/// exchange what their nodes have.
/// \param longest       of what the units have
/// \param nbytes_of     what a unit has
/// \param place_of      where it belongs in `recv`
template <class NbytesOf, class PlaceOf>
void Team::exchange_pieces(const void* send, void* recv, std::size_t longest, NbytesOf nbytes_of,
                           PlaceOf place_of) {
  char* const to = static_cast<char*>(recv);
  const bool in_place = send == nullptr || send == recv;
  const char* const from = in_place ? to + place_of(my_id()) : static_cast<const char*>(send);
  const std::size_t room = one_node() ? _dimensions.contribution_bytes
                                      : std::min(_dimensions.contribution_bytes,
                                                 _dimensions.result_bytes / index(size()));
  for_each_piece(longest, room, [&](std::size_t offset, std::size_t length) {
    const auto part_of = [&](int unit) {  // of this piece
      return std::min(length, nbytes_of(unit) - std::min(nbytes_of(unit), offset));
    };
    copy(my_contribution(length), from + offset, part_of(my_id()));
    meet([&] {
      if (one_node()) return;
      give_to_all(length);
      _leaders.allgather(result(length * index(size())), length);
    });
    for (int unit = 0; unit < size(); ++unit) {
      if (in_place && unit == my_id()) continue;
      copy(to + place_of(unit) + offset, given_by(unit, length), part_of(unit));
    }
    ++_round;
  });
}

void Team::allgather(const void* send, void* recv, std::size_t nbytes) {
  const Entered entered(*this, "an allgather in team {}", core::OperationKind::collective, nbytes);
  exchange_all(send, recv, nbytes);
}

void Team::exchange_all(const void* send, void* recv, std::size_t nbytes) {
  exchange_pieces(
      send, recv, nbytes, [=](int /*unit*/) { return nbytes; },
      [=](int unit) { return index(unit) * nbytes; });
}

void Team::allgatherv(const void* send, void* recv, const std::size_t* nbytes,
                      const std::size_t* displacements) {
  const Entered entered(*this, "an allgather in team {}", core::OperationKind::collective,
                        nbytes[my_id()]);
  exchange_pieces(
      send, recv, *std::max_element(nbytes, nbytes + size()),
      [=](int unit) { return nbytes[unit]; }, [=](int unit) { return displacements[unit]; });
}

void Team::alltoall(const void* send, void* recv, std::size_t nbytes) {
  const Entered entered(*this, "an all-to-all in team {}", core::OperationKind::collective, nbytes);
  char* const to = static_cast<char*>(recv);
  const char* const from = send == nullptr ? to : static_cast<const char*>(send);
  // A contribution has a part for each unit, a result one for each pair of units of two nodes.
  const std::size_t pairs = index(_layout.largest_node) * index(_layout.largest_node);
  const std::size_t parts = _dimensions.contribution_bytes / index(size());
  const std::size_t room = one_node() ? parts : std::min(parts, _dimensions.result_bytes / pairs);
  // Each piece is read before its place is written, so that it may be the same.
  for_each_piece(nbytes, room, [&](std::size_t offset, std::size_t length) {
    alltoall_piece(from + offset, to + offset, nbytes, length);
  });
}

void Team::alltoall_piece(const char* send, char* recv, std::size_t nbytes, std::size_t length) {
  const std::size_t total = length * index(size());
  const std::uint32_t my_half = half();
  for (int unit = 0; unit < size(); ++unit) {
    copy(my_contribution(total) + index(unit) * length, send + index(unit) * nbytes, length);
  }
  meet([] {});
  for (const std::int32_t unit : _layout.members) {
    copy(recv + index(unit) * nbytes, contribution_of(unit, total) + index(my_id()) * length,
         length);
  }
  ++_round;
  for (int distance = 1; distance < _layout.nnodes(); ++distance) {
    alltoall_with_node(distance, my_half, recv, nbytes, length);
  }
}

/// The node `distance` further gets what our units have for its units, sorted by sender.
void Team::alltoall_with_node(int distance, std::uint32_t from_half, char* recv, std::size_t nbytes,
                              std::size_t length) {
  const int nnodes = _layout.nnodes();
  const int to_node = (_layout.node + distance) % nnodes;
  const int from_node = (_layout.node - distance + nnodes) % nnodes;
  const std::size_t total = length * index(size());
  const std::size_t senders = index(_layout.node_sizes[index(from_node)]);
  const std::size_t arriving = senders * index(_layout.node_size()) * length;
  meet([&] {
    std::vector<char> packed;
    packed.reserve(index(_layout.node_size() * _layout.node_sizes[index(to_node)]) * length);
    for (const std::int32_t member : _layout.members) {
      const char* const parts = contribution_of(member, total, from_half);
      for (int unit = 0; unit < size(); ++unit) {
        if (_layout.node_of[index(unit)] != to_node) continue;
        packed.insert(packed.end(), parts + index(unit) * length, parts + index(unit + 1) * length);
      }
    }
    _leaders.exchange(to_node, packed.data(), packed.size(), from_node, result(arriving), arriving);
  });
  const auto my_place = std::lower_bound(_layout.members.begin(), _layout.members.end(), my_id()) -
                        _layout.members.begin();
  const char* part = result(arriving) + static_cast<std::size_t>(my_place) * length;
  for (int unit = 0; unit < size(); ++unit) {
    if (_layout.node_of[index(unit)] != from_node) continue;
    copy(recv + index(unit) * nbytes, part, length);
    part += index(_layout.node_size()) * length;
  }
  ++_round;
}

void Team::allreduce(const void* send, void* recv, std::size_t nelem, const Reduction& reduce) {
  const Entered entered(*this, "a reduction in team {}", core::OperationKind::collective,
                        nelem * reduce.element_bytes());
  const std::size_t size = reduce.element_bytes();
  if (size == 0) return;  // a type of the user's, of no bytes
  const char* const from = static_cast<const char*>(send);
  char* const to = static_cast<char*>(recv);
  const bool in_order = !one_node() && (!reduce.commutes() || core::settings().reduce_order ==
                                                                  core::ReduceOrder::ascending);
  const std::size_t room = std::min(_dimensions.contribution_bytes, _dimensions.result_bytes);
  const std::size_t piece = room / size / reduce.granularity() * reduce.granularity();
  if (in_order || piece == 0) {
    allreduce_in_order(from, to, nelem, reduce);
    return;
  }
  for_each_piece(nelem, piece, [&](std::size_t offset, std::size_t length) {
    char* const into = to == nullptr ? nullptr : to + offset * size;
    if (length * size < shared_reduction) {
      allreduce_small(from + offset * size, into, length, reduce);
    } else {
      allreduce_large(from + offset * size, into, length, reduce);
    }
  });
}

/// Combined by one unit of each node: the same bits for everybody.
void Team::allreduce_small(const char* send, char* recv, std::size_t nelem,
                           const Reduction& reduce) {
  const std::size_t nbytes = nelem * reduce.element_bytes();
  copy(my_contribution(nbytes), send, nbytes);
  meet([&] {
    // From the last to the first, as the left operand is the one that is added.
    char* const total = result(nbytes);
    copy(total, contribution_of(_layout.members.back(), nbytes), nbytes);
    for (std::size_t i = _layout.members.size() - 1; i-- > 0;) {
      reduce(contribution_of(_layout.members[i], nbytes), total, nelem);
    }
    if (one_node()) return;
    // Nothing that may fail: the other leaders wait.
    alignas(std::max_align_t) std::array<char, shared_reduction> scratch;
    _leaders.allreduce(total, scratch.data(), nelem, reduce);
  });
  if (recv != nullptr) copy(recv, result(nbytes), nbytes);
  ++_round;
}

/// The members of a node share the work: each combines some of the elements, in the same order.
void Team::allreduce_large(const char* send, char* recv, std::size_t nelem,
                           const Reduction& reduce) {
  const std::size_t size = reduce.element_bytes();
  const std::size_t nbytes = nelem * size;
  copy(my_contribution(nbytes), send, nbytes);
  const std::uint32_t from_half = half();
  meet([] {});
  ++_round;
  const auto my_place = static_cast<std::size_t>(
      std::lower_bound(_layout.members.begin(), _layout.members.end(), my_id()) -
      _layout.members.begin());
  const auto first_of = [&](std::size_t place) {
    if (place == _layout.members.size()) return nelem;
    const std::size_t whole = nelem / reduce.granularity() * place / _layout.members.size();
    return whole * reduce.granularity();
  };
  const std::size_t begin = first_of(my_place);
  const std::size_t end = first_of(my_place + 1);
  const auto part_of = [&](int unit) {
    return contribution_of(unit, nbytes, from_half) + begin * size;
  };
  char* const total = result(nbytes);
  copy(total + begin * size, part_of(_layout.members.back()), (end - begin) * size);
  for (std::size_t i = _layout.members.size() - 1; i-- > 0;) {
    reduce(part_of(_layout.members[i]), total + begin * size, end - begin);
  }
  meet([&] {
    if (one_node()) return;
    std::vector<char> scratch(nbytes);
    _leaders.allreduce(total, scratch.data(), nelem, reduce);
  });
  if (recv != nullptr) copy(recv, result(nbytes), nbytes);
  ++_round;
}

/// Everybody gets all contributions and combines them in the order of the units, whatever their
/// nodes and however large an element is.
void Team::allreduce_in_order(const char* send, char* recv, std::size_t nelem,
                              const Reduction& reduce) {
  constexpr std::size_t batch_bytes = 1024 * 1024;
  const std::size_t size = reduce.element_bytes();
  const std::size_t batch =
      std::max(batch_bytes / (size * index(this->size())), std::size_t{1}) * reduce.granularity();
  std::vector<char> all;
  for_each_piece(nelem, batch, [&](std::size_t offset, std::size_t length) {
    const std::size_t nbytes = length * size;
    all.resize(nbytes * index(this->size()));
    exchange_all(send + offset * size, all.data(), nbytes);
    char* const total = all.data() + nbytes * index(this->size() - 1);
    for (int unit = this->size() - 1; unit-- > 0;) {
      reduce(all.data() + nbytes * index(unit), total, length);
    }
    if (recv != nullptr) copy(recv + offset * size, total, nbytes);
  });
}

}  // namespace dash::dart
