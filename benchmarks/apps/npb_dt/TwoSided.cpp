#include <mpi.h>

#include "Twin.h"

namespace npb_dt {

namespace {

class TwoSided final : public Exchange {
 public:
  TwoSided(const Problem& problem, const Placement& placement)
      : Exchange(problem, placement),
        _rooms(std::make_unique_for_overwrite<double[]>(placement.most_streams() * longest())),
        _inbox(std::make_unique_for_overwrite<double[]>(foreign_arcs().size() * longest())) {
    set_rooms(_rooms.get());
  }

  void prepare() override {
    poison_rooms();
    poison({_inbox.get(), foreign_arcs().size() * longest()});
    // The tag is the arc.
    _receives.clear();
    for (std::size_t i = 0; i < foreign_arcs().size(); ++i) {
      const int arc = foreign_arcs()[i];
      MPI_Irecv(inbox(i), static_cast<int>(longest()), MPI_DOUBLE,
                placement().unit_of(problem().graph.arc(arc).from), arc, MPI_COMM_WORLD,
                &_receives.emplace_back());
    }
  }

  void publish(int node, std::size_t length) override {
    for (const int number : problem().graph.node(node).out) {
      const Arc& arc = problem().graph.arc(number);
      if (placement().is_within_unit(arc)) continue;
      MPI_Isend(room_for(node).data(), static_cast<int>(length), MPI_DOUBLE,
                placement().unit_of(arc.to), number, MPI_COMM_WORLD, &_sends.emplace_back());
    }
  }

  std::optional<Arrival> look() override {
    send();
    int i = MPI_UNDEFINED;
    int flag = 0;
    MPI_Status status;
    MPI_Testany(static_cast<int>(_receives.size()), _receives.data(), &i, &flag, &status);
    if (flag == 0 || i == MPI_UNDEFINED) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &length);
    const auto position = static_cast<std::size_t>(i);
    return Arrival{foreign_arcs()[position], {inbox(position), static_cast<std::size_t>(length)}};
  }

  void end() override {
    while (!send())
      pause();
  }

 private:
  /// \returns whether all that is to be sent has been
  bool send() {
    if (_sends.empty()) return true;
    int flag = 0;
    MPI_Testall(static_cast<int>(_sends.size()), _sends.data(), &flag, MPI_STATUSES_IGNORE);
    if (flag != 0) _sends.clear();
    return flag != 0;
  }
  double* inbox(std::size_t i) const { return _inbox.get() + i * longest(); }

  std::unique_ptr<double[]> _rooms;
  std::unique_ptr<double[]> _inbox;
  std::vector<MPI_Request> _receives;
  std::vector<MPI_Request> _sends;
};

}  // namespace

std::unique_ptr<Exchange> make_two_sided_exchange(const Problem& problem,
                                                  const Placement& placement) {
  return std::make_unique<TwoSided>(problem, placement);
}

}  // namespace npb_dt
