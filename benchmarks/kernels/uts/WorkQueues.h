#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Search.h"

namespace uts {

/// The nodes that a unit offers to the others, as one word: their number, and the number of claims.
///
/// A unit that claims adds one to the claims, atomically. The first claim gets half of the nodes, the second
/// half of the rest, and so on. So one atomic addition tells a unit which nodes it gets, if any (after
/// Cartier, Dinan and Larkins, ICPP 2021).
class Section {
 public:
  /// Addition of this value to the word is a claim.
  static constexpr std::uint64_t claim = std::uint64_t{1} << 32;

  struct Range {
    std::uint64_t begin;
    std::uint64_t count;
  };

  explicit Section(std::uint64_t word) : _count(word % claim), _claims(word / claim) {}
  static std::uint64_t word_of(std::uint64_t count) { return count; }

  /// The nodes of the next claim; none if all nodes are claimed.
  Range next() const;
  bool has_nodes() const { return next().count > 0; }
  std::uint64_t count() const { return _count; }

 private:
  std::uint64_t _count;
  std::uint64_t _claims;
};

/// Memory of all units, which the programs access in different ways.
class QueueAccess {
 public:
  enum class Word {
    section,  // see Section
    copied,   // number of nodes of the section that other units have copied
    idle      // of unit 0: number of units that have no nodes
  };
  static constexpr std::size_t num_words = 3;

  QueueAccess() = default;
  QueueAccess(const QueueAccess&) = delete;
  QueueAccess& operator=(const QueueAccess&) = delete;
  virtual ~QueueAccess() = default;

  virtual int unit() const = 0;
  virtual int units() const = 0;
  /// Number of nodes for which each unit has memory.
  virtual std::size_t capacity() const = 0;
  virtual Node* own_nodes() = 0;

  /// Atomic operations. They have sequentially consistent order.
  /// @{
  virtual std::uint64_t load(Word word, int unit) = 0;
  virtual std::uint64_t fetch_add(Word word, int unit, std::uint64_t value) = 0;
  virtual std::uint64_t exchange_own(Word word, std::uint64_t value) = 0;
  /// Need not be complete when it returns.
  virtual void start_add(Word word, int unit, std::uint64_t value) = 0;
  /// @}
  /// Copies nodes of a unit.
  virtual void get(int unit, std::size_t begin, std::size_t count, Node* out) = 0;
  /// Completes all start_add().
  virtual void complete() {}
  /// Makes progress for other units.
  virtual void progress() {}
};

/// Work stealing with memory that all units access: a unit publishes its oldest nodes as a section; a unit
/// without nodes claims some and copies them.
class WorkQueues final : public Balancer {
 public:
  WorkQueues(std::unique_ptr<QueueAccess> access, const BalancerOptions& options);

  void reset() override;
  void offer(NodeStack& stack) override;
  bool refill(NodeStack& stack) override;

 private:
  using Word = QueueAccess::Word;
  bool take_back(NodeStack& stack);
  bool steal_from_any(NodeStack& stack);
  bool steal(int unit, NodeStack& stack);
  void set_own(Word word, std::uint64_t value) { _access->exchange_own(word, value); }

  std::unique_ptr<QueueAccess> _access;
  const BalancerOptions _options;
  std::uint64_t _claimed = 0;  // nodes of the last section that other units have claimed
  std::vector<Node> _copy;
  std::minstd_rand _random;
};

}  // namespace uts
