#include <mpi.h>

#include "Baseline.h"

namespace npb_dt {

namespace {

class TwoSided final : public Exchange {
 public:
  TwoSided(const Problem& problem, const Placement& placement)
      : Exchange(problem, placement),
        _stream_buffers(
            std::make_unique_for_overwrite<double[]>(placement.max_streams() * longest())),
        _receive_buffers(
            std::make_unique_for_overwrite<double[]>(remote_arcs().size() * longest())) {
    set_stream_buffers(_stream_buffers.get());
  }

  void prepare() override {
    poison_stream_buffers();
    poison({_receive_buffers.get(), remote_arcs().size() * longest()});
    // The tag is the arc.
    _receives.clear();
    for (std::size_t i = 0; i < remote_arcs().size(); ++i) {
      const int arc = remote_arcs()[i];
      MPI_Irecv(receive_buffer(i), static_cast<int>(longest()), MPI_DOUBLE,
                placement().unit_of(problem().graph.arc(arc).from), arc, MPI_COMM_WORLD,
                &_receives.emplace_back());
    }
  }

  void publish(int node, std::size_t length) override {
    for (const int number : problem().graph.node(node).out) {
      const Arc& arc = problem().graph.arc(number);
      if (placement().is_within_unit(arc)) continue;
      MPI_Isend(stream_buffer(node).data(), static_cast<int>(length), MPI_DOUBLE,
                placement().unit_of(arc.to), number, MPI_COMM_WORLD, &_sends.emplace_back());
    }
  }

  std::optional<Arrival> poll() override {
    complete_sends();
    int i = MPI_UNDEFINED;
    int flag = 0;
    MPI_Status status;
    MPI_Testany(static_cast<int>(_receives.size()), _receives.data(), &i, &flag, &status);
    if (flag == 0 || i == MPI_UNDEFINED) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &length);
    const auto position = static_cast<std::size_t>(i);
    return Arrival{remote_arcs()[position],
                   {receive_buffer(position), static_cast<std::size_t>(length)}};
  }

  void end() override {
    while (!complete_sends())
      back_off();
  }

 private:
  /// Tests the sends. \returns whether all are complete
  bool complete_sends() {
    if (_sends.empty()) return true;
    int flag = 0;
    MPI_Testall(static_cast<int>(_sends.size()), _sends.data(), &flag, MPI_STATUSES_IGNORE);
    if (flag != 0) _sends.clear();
    return flag != 0;
  }
  double* receive_buffer(std::size_t i) const { return _receive_buffers.get() + i * longest(); }

  std::unique_ptr<double[]> _stream_buffers;
  std::unique_ptr<double[]> _receive_buffers;
  std::vector<MPI_Request> _receives;
  std::vector<MPI_Request> _sends;
};

}  // namespace

std::unique_ptr<Exchange> make_two_sided_exchange(const Problem& problem,
                                                  const Placement& placement) {
  return std::make_unique<TwoSided>(problem, placement);
}

}  // namespace npb_dt
