#pragma once

/// \file
/// The number of samples that the programs take: all of them, or fewer for a quick run.

namespace dash::bench {

enum class Sampling { full, quick };

/// Reads the environment variable DASH_BENCH_SAMPLING: full (default) or quick.
/// \throws std::runtime_error for any other value
Sampling sampling();

/// \returns the number of rounds to take instead of `full`: a third of it with quick sampling, but at least
///          three
int scaled_rounds(int full);

/// \returns the time to measure for instead of `full`: a fifth of it with quick sampling
double scaled_seconds(double full);

}  // namespace dash::bench
