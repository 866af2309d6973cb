#include <algorithm>
#include <map>
#include <vector>

#include "Search.h"
#include "Sha1.h"
#include "Tree.h"
#include "WorkQueues.h"
#include "support/Catch.h"

using namespace uts;

namespace {

/// The queues of several units in this process.
class LocalQueues {
 public:
  explicit LocalQueues(int units, std::size_t capacity)
      : _capacity(capacity),
        _words(static_cast<std::size_t>(units)),
        _nodes(static_cast<std::size_t>(units), std::vector<Node>(capacity)) {}

  class Access final : public QueueAccess {
   public:
    Access(LocalQueues& queues, int unit) : _queues(queues), _unit(unit) {}
    int unit() const override { return _unit; }
    int units() const override { return static_cast<int>(_queues._words.size()); }
    std::size_t capacity() const override { return _queues._capacity; }
    Node* own_nodes() override { return nodes(_unit).data(); }
    std::uint64_t load(Word word, int unit) override { return at(word, unit); }
    std::uint64_t fetch_add(Word word, int unit, std::uint64_t value) override {
      return std::exchange(at(word, unit), at(word, unit) + value);
    }
    std::uint64_t exchange_own(Word word, std::uint64_t value) override {
      return std::exchange(at(word, _unit), value);
    }
    void start_add(Word word, int unit, std::uint64_t value) override { at(word, unit) += value; }
    void get(int unit, std::size_t begin, std::size_t count, Node* out) override {
      REQUIRE(begin + count <= _queues._capacity);
      std::copy_n(nodes(unit).data() + begin, count, out);
    }

   private:
    std::uint64_t& at(Word word, int unit) {
      return _queues._words[static_cast<std::size_t>(unit)][word];
    }
    std::vector<Node>& nodes(int unit) { return _queues._nodes[static_cast<std::size_t>(unit)]; }

    LocalQueues& _queues;
    int _unit;
  };

  std::uint64_t& word(QueueAccess::Word word, int unit) {
    return _words[static_cast<std::size_t>(unit)][word];
  }
  WorkQueues of(int unit, std::size_t chunk) {
    return WorkQueues(std::make_unique<Access>(*this, unit), BalancerOptions{.chunk = chunk});
  }

 private:
  std::size_t _capacity;
  std::vector<std::map<QueueAccess::Word, std::uint64_t>> _words;
  std::vector<std::vector<Node>> _nodes;
};

/// Nodes whose depth is their number.
NodeStack numbered(std::uint32_t begin, std::uint32_t end) {
  NodeStack stack;
  for (std::uint32_t i = begin; i < end; ++i)
    stack.push(Node{{}, i});
  return stack;
}

std::vector<std::uint32_t> numbers(NodeStack stack) {
  std::vector<std::uint32_t> all;
  while (!stack.empty())
    all.push_back(stack.pop().depth);
  std::sort(all.begin(), all.end());
  return all;
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("sha1: the digests of the standard's examples and of messages of whole words") {
  const std::uint32_t abcd = 0x61626364;  // "abcd"
  CHECK(sha1(nullptr, 0) == Sha1Digest{0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709});
  CHECK(sha1(&abcd, 1) == Sha1Digest{0x81fe8bfe, 0x87576c3e, 0xcb22426f, 0x8e578473, 0x82917acf});
  // "abcdbcdecdefdefgefghfghighijhijk"
  const std::vector<std::uint32_t> longer = {0x61626364, 0x62636465, 0x63646566, 0x64656667,
                                             0x65666768, 0x66676869, 0x6768696a, 0x68696a6b};
  CHECK(sha1(longer.data(), longer.size()) ==
        Sha1Digest{0x37bc5221, 0xade3bc09, 0xcad15e47, 0x84f3c705, 0x1454b1b3});
}

TEST_CASE("count_serially: a small binomial tree has the counts of earlier versions") {
  // Whole sample trees, with published counts, are in the full set: kernels.uts.t1, t2 and t3.
  Tree::Parameters parameters = Tree::sample("T3");
  parameters.root_children = 40;
  CHECK(count_serially(Tree(parameters), 10000) == Counts{6521, 5710, 67});
}

TEST_CASE("known_counts: the published counts of the sample trees, and of no other tree") {
  CHECK(Tree(Tree::sample("T3")).known_counts() == Counts{4112897, 3599034, 1572});
  Tree::Parameters parameters = Tree::sample("T3");
  ++parameters.seed;
  CHECK_FALSE(Tree(parameters).known_counts().has_value());
}

TEST_CASE("count_serially: ends at the limit") {
  Tree::Parameters parameters = Tree::sample("T1");
  parameters.depth = 4;
  const Tree tree(parameters);
  CHECK_FALSE(tree.known_counts().has_value());
  const auto counts = count_serially(tree, 1000000);
  REQUIRE(counts.has_value());
  CHECK(counts->depth == 4);
  CHECK(count_serially(tree, counts->nodes) == counts);
  CHECK_FALSE(count_serially(tree, counts->nodes - 1).has_value());
}

TEST_CASE("Tree: geometric trees have no children at the final depth, binomial ones all or none") {
  const Tree geometric(Tree::sample("T1"));
  CHECK(geometric.num_children(Node{{0, 0, 0, 0, 0x7fffffff}, 10}) == 0);
  CHECK(geometric.num_children(Node{{0, 0, 0, 0, 0x7fffffff}, 9}) > 0);
  const Tree binomial(Tree::sample("T3"));
  CHECK(binomial.num_children(binomial.root()) == 2000);
  CHECK(binomial.num_children(Node{{0, 0, 0, 0, 0}, 5}) == 8);
  CHECK(binomial.num_children(Node{{0, 0, 0, 0, 0x7fffffff}, 5}) == 0);
}

TEST_CASE("NodeStack: gives the newest to its unit and the oldest to others") {
  NodeStack stack = numbered(0, 10);
  std::vector<Node> taken(4);
  stack.take_oldest(4, taken.data());
  CHECK(taken[0].depth == 0);
  CHECK(taken[3].depth == 3);
  CHECK(stack.size() == 6);
  CHECK(stack.pop().depth == 9);
  stack.take_oldest(4, taken.data());
  CHECK(taken[0].depth == 4);
  CHECK(numbers(stack) == Numbers{8});
}

TEST_CASE("Section: claims divide all nodes") {
  for (std::uint64_t count = 0; count <= 40; ++count) {
    std::uint64_t word = Section::word_of(count);
    std::uint64_t given = 0;
    while (Section(word).has_nodes()) {
      const Section::Range range = Section(word).next();
      CHECK(range.begin == given);
      CHECK(range.count == (count - given + 1) / 2);
      given += range.count;
      word += Section::claim;
    }
    CHECK(given == count);
    CHECK(Section(word + 5 * Section::claim).next().count == 0);
    CHECK(Section(word).count() == count);
  }
}

TEST_CASE("WorkQueues: a unit steals half of the offered nodes, its owner takes back the rest") {
  LocalQueues queues(2, 100);
  WorkQueues owner = queues.of(0, 4);
  WorkQueues thief = queues.of(1, 4);
  NodeStack owned = numbered(0, 20);
  NodeStack stolen;
  owner.offer(owned);
  CHECK(numbers(owned) == Numbers{10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  CHECK(thief.refill(stolen));
  CHECK(numbers(stolen) == Numbers{0, 1, 2, 3, 4});
  CHECK(thief.activity.steals == 1);
  CHECK(thief.activity.stolen_nodes == 5);
  CHECK(queues.word(QueueAccess::Word::idle, 0) == 0);
  owned.clear();
  CHECK(owner.refill(owned));
  CHECK(numbers(owned) == Numbers{5, 6, 7, 8, 9});
}

TEST_CASE("WorkQueues: a unit offers nothing while others copy, or if it would keep too little") {
  LocalQueues queues(2, 6);
  WorkQueues owner = queues.of(0, 4);
  WorkQueues thief = queues.of(1, 4);
  NodeStack few = numbered(0, 7);
  owner.offer(few);
  CHECK(few.size() == 7);

  NodeStack owned = numbered(0, 20);
  NodeStack stolen;
  owner.offer(owned);
  CHECK(owned.size() == 14);  // the capacity is 6
  owner.offer(owned);
  CHECK(owned.size() == 14);
  for (int i = 0; i < 3; ++i)
    CHECK(thief.refill(stolen));
  // All nodes are claimed, but the last unit has not copied yet.
  --queues.word(QueueAccess::Word::copied, 0);
  owner.offer(owned);
  CHECK(owned.size() == 14);
  ++queues.word(QueueAccess::Word::copied, 0);
  owner.offer(owned);
  CHECK(owned.size() == 8);
}

TEST_CASE("WorkQueues: the search ends when all units are idle") {
  LocalQueues queues(3, 10);
  WorkQueues last = queues.of(2, 4);
  NodeStack stack;
  queues.word(QueueAccess::Word::idle, 0) = 2;
  CHECK_FALSE(last.refill(stack));
  CHECK(queues.word(QueueAccess::Word::idle, 0) == 3);
  CHECK(stack.empty());
}

TEST_CASE("search: the counts of one unit with an own queue are those of the serial search") {
  Tree::Parameters parameters = Tree::sample("T5");
  parameters.depth = 6;
  const Tree tree(parameters);
  LocalQueues queues(1, 100);
  WorkQueues balancer = queues.of(0, 2);
  NodeStack stack;
  stack.push(tree.root());
  kernels::Stopwatch waiting;
  CHECK(search(tree, 1, stack, balancer, waiting) == count_serially(tree, 1000000));
  CHECK(waiting.was_used());
}
