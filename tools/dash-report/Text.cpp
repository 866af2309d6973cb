#include "Text.h"

#include <fmt/format.h>

#include "Table.h"

namespace dash::report {

std::string text_of(const Results& results) {
  tools::Table table(
      {"<run", "<what", "size", "ours", "<twin", "twin's", "ratio", "twin/twin", "<bar", "<"});
  for (const Run& run : results.runs) {
    for (const Row& row : run.rows) {
      table.add({name_of(run), row.what, row.size, row.ours.text, row.twin ? row.twin->name : "",
                 row.twin ? row.twin->text : "", row.ratio.text, row.noise, row.bar,
                 row.met ? *row.met ? "met" : "NOT MET" : ""});
    }
  }
  std::string text = table.text();
  for (const Run& run : results.runs) {
    if (run.code != 0) text += fmt::format("{} failed with code {}\n", name_of(run), run.code);
    for (const std::string& failure : failures_in(run))
      text += fmt::format("  {}\n", failure);
  }
  const Bars bars = bars_of(results);
  return text + fmt::format("{} of {} bars met\n", bars.met, bars.all);
}

}  // namespace dash::report
