#include "DashQueues.h"

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Init.h>

#include <array>

namespace uts {

namespace {

class DashQueues final : public QueueAccess {
 public:
  explicit DashQueues(std::size_t capacity)
      : _capacity(capacity),
        _nodes(capacity * dash::size(), dash::BLOCKED),
        _words{Words(dash::size()), Words(dash::size()), Words(dash::size())} {}

  int unit() const override { return dash::myid().id; }
  int units() const override { return static_cast<int>(dash::size()); }
  std::size_t capacity() const override { return _capacity; }
  Node* own_nodes() override { return _nodes.lbegin(); }

  std::uint64_t load(Word word, int unit) override { return words(word)[unit].load(); }
  std::uint64_t fetch_add(Word word, int unit, std::uint64_t value) override {
    return words(word)[unit].fetch_add(value);
  }
  std::uint64_t exchange_own(Word word, std::uint64_t value) override {
    return words(word)[unit()].exchange(value);
  }
  void start_add(Word word, int unit, std::uint64_t value) override {
    words(word).async[unit].add(value);
  }
  void get(int unit, std::size_t begin, std::size_t count, Node* out) override {
    const auto first = _nodes.begin() + (static_cast<std::size_t>(unit) * _capacity + begin);
    dash::copy(first, first + count, out);
  }
  void progress() override { dash::progress(); }
  void complete() override {
    for (Words& words : _words)
      words.async.flush();
  }

 private:
  using Words = dash::Array<dash::Atomic<std::uint64_t>>;  // one element for each unit
  Words& words(Word word) { return _words[static_cast<std::size_t>(word)]; }

  std::size_t _capacity;
  dash::Array<Node> _nodes;
  std::array<Words, num_words> _words;
};

}  // namespace

std::unique_ptr<Balancer> make_dash_balancer(const std::string&, const BalancerOptions& options) {
  return std::make_unique<WorkQueues>(std::make_unique<DashQueues>(BalancerOptions::capacity),
                                      options);
}

}  // namespace uts
