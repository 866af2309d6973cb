#pragma once

/// \file
/// How much time measuring may take.

namespace dash::bench {

enum class Effort { full, quick };

/// As the environment variable DASH_BENCH_EFFORT says: full (default) or quick.
/// \throws std::runtime_error if it is something else
Effort effort();

/// So many rounds of so many at full effort: a third if it has to be quick, but three.
int rounds_at_effort(int full);

/// The part of a time that is for measuring: a fifth if it has to be quick.
double seconds_at_effort(double full);

}  // namespace dash::bench
