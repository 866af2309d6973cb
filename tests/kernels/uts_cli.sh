#!/usr/bin/env bash
source "$(dirname "$0")/../support/cli.sh"

common_cases --depth 4
refused "an unknown tree" 3 '--tree' "$ours" --tree T9
refused "a depth of zero" 3 '--depth' "$ours" --depth 0
refused "the depth of a binomial tree" 3 '--depth: T3 has no depth' "$ours" --tree T3 --depth 4
refused "the roots of a geometric tree" 3 '--roots: only for T3' "$ours" --tree T1 --roots 4
refused "no chunk" 2 '--chunk' "$baseline" --chunk 0
refused "no polls with messages" 2 '--no-polls: not with' "$baseline" --via two-sided --no-polls
refused "no interval" 2 '--interval' "$baseline" --interval 0
accepted "a tree of one node" 3 'tree +1 nodes, 1 leaves, depth 0$' "$ours" --depth 1 --seed 3
accepted "more units than nodes" 7 'verified +yes' "$ours" --depth 1
accepted "a chunk that no stack reaches" 3 'balance +0 steals' "$ours" --depth 5 --chunk 100000

exit "$bad"
