#pragma once

#include <algorithm>
#include <cstdint>

namespace scf {

/// Matrices of n x n elements in blocks of b x b. The last blocks may have fewer elements, but use
/// the same memory.
struct Problem {
  long n = 96;
  long b = 16;

  /// Number of elements of a block in memory.
  constexpr long area() const { return b * b; }
  /// Number of blocks in a direction.
  constexpr long blocks() const { return (n + b - 1) / b; }
  constexpr long tasks() const { return blocks() * blocks() * blocks() * blocks(); }
  constexpr long begin(long block) const { return block * b; }
  /// Number of rows or columns of a block.
  constexpr long size(long block) const { return std::min(b, n - block * b); }
};

/// \name Definitions of the matrices and integrals
/// @{
constexpr int density(long k, long l) {
  return static_cast<int>((7 * std::min(k, l) + 3 * std::max(k, l)) % 11) - 5;
}
constexpr int overlap(long i, long j) {
  return 1 + static_cast<int>((i + j) % 5);
}
constexpr int integral(long i, long j, long k, long l) {
  return static_cast<int>((3 * i + 5 * j + 7 * k + 11 * l) % 13) - 6;
}
/// Integrals with a smaller product of overlaps are skipped.
constexpr int min_overlap = 4;
/// @}

/// A task: the blocks of the four indices of its integrals.
struct Task {
  long i, j, k, l;
};

/// The task with a number; l varies fastest.
constexpr Task task_of(const Problem& problem, long number) {
  const long nb = problem.blocks();
  return {number / (nb * nb * nb), number / (nb * nb) % nb, number / nb % nb, number % nb};
}

/// Identifies a block of a matrix by its row and column of blocks.
struct BlockId {
  long row;
  long col;
};
enum Operand { s_ij, s_kl, d_kl, d_jl, num_operands };
enum Output { f_ij, f_ik, num_outputs };

constexpr BlockId block_of(const Task& task, Operand operand) {
  switch (operand) {
    case s_ij:
      return {task.i, task.j};
    case d_jl:
      return {task.j, task.l};
    default:
      return {task.k, task.l};
  }
}
constexpr BlockId block_of(const Task& task, Output output) {
  return output == f_ij ? BlockId{task.i, task.j} : BlockId{task.i, task.k};
}
constexpr bool is_overlap(Operand operand) {
  return operand == s_ij || operand == s_kl;
}

}  // namespace scf
