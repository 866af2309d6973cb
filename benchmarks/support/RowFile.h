#pragma once

#include <string>
#include <vector>

#include "support/Table.h"

namespace dash::bench {

/// Adds rows and notes to a file of JSON lines, one object each:
///
///     {"what": "blocking put", "size": "8 B", "unit": "ns",
///      "ours": {"text": "6.1 ns", "samples": [...]},
///      "twin": {"name": "bare store", "text": "1.2 ns", "samples": [...], "again": [...]},
///      "ratio": {"text": "5.1 [5, 5.2]", "low": 5.0, "median": 5.1, "high": 5.2},
///      "noise": "1 [0.99, 1.01]", "bar": "<= twin + 5 ns", "met": true}
///     {"note": "The raw transfer is memcpy."}
///
/// `again` is the twin once more, where it was measured twice. Where a side is a program of its own, it has the
/// `command` that was started, and what the library of that program says of its `progress`. `twin` is null where
/// there is none, `low` to `high` where the median of the ratios, sample by sample, lies with 95 % certainty
/// (missing where that has no end), `met` null where nothing is asked. Where samples are medians of several
/// measurements, these are there, too, in the order in which they were made: `measured` of ours and of the twin,
/// `measured_again`.
/// \throws std::runtime_error if it cannot be written
void append_rows(const std::string& path, const std::vector<Row>& rows,
                 const std::vector<std::string>& notes);

}  // namespace dash::bench
