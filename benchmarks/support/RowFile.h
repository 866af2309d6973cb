#pragma once

#include <string>
#include <vector>

#include "support/Table.h"

namespace dash::bench {

/// Appends rows and notes to a file of JSON lines, one object each:
///
///     {"name": "blocking put", "size": "8 B", "unit": "ns",
///      "ours": {"text": "6.1 ns", "samples": [...]},
///      "baseline": {"name": "plain store", "text": "1.2 ns", "samples": [...], "repeated": [...]},
///      "ratio": {"text": "5.1 [5, 5.2]", "low": 5.0, "median": 5.1, "high": 5.2},
///      "noise": "1 [0.99, 1.01]", "goal": "<= baseline + 5 ns", "met": true}
///     {"note": "The raw transfer is memcpy."}
///
/// - `baseline`: null if there is none. `repeated` is its second measurement, if it was measured twice.
/// - `command`, `progress` (of ours or of the baseline, if it is a separate program): the command
///   that was started, and the progress mode that the program reports.
/// - `low` to `high`: the 95 % confidence interval of the median of the ratios, sample by sample; absent if
///   it has an infinite end.
/// - `met`: null if there is no goal.
/// - `measured` (of ours and of the baseline), `measured_repeated`: if samples are medians of several
///   measurements, those measurements in the order in which they were made.
/// \throws std::runtime_error if the file cannot be written
void append_rows(const std::string& path, const std::vector<Row>& rows,
                 const std::vector<std::string>& notes);

}  // namespace dash::bench
