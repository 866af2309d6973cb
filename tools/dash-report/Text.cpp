#include "Text.h"

#include <fmt/format.h>

#include "Table.h"

namespace dash::report {

namespace {

std::string verdict_of(const Row& row) {
  if (!row.met) return "";
  if (!*row.met) return "NOT MET";
  return row.by_interval ? "met by interval" : "met";
}

}  // namespace

std::string text_of(const Results& results) {
  tools::Table table(
      {"<run", "<what", "size", "ours", "<twin", "twin's", "ratio", "twin/twin", "<bar", "<"});
  for (const Run& run : results.runs) {
    for (const Row& row : run.rows) {
      table.add({name_of(run), row.what, row.size, row.ours.text, row.twin ? row.twin->name : "",
                 row.twin ? row.twin->text : "", row.ratio.text, row.noise, row.bar,
                 verdict_of(row)});
    }
  }
  std::string text = table.text();
  for (const Run& run : results.runs) {
    if (run.code != 0) text += fmt::format("{} failed with code {}\n", name_of(run), run.code);
    for (const std::string& failure : failures_in(run))
      text += fmt::format("  {}\n", failure);
  }
  return text + text_of(bars_of(results)) + "\n";
}

}  // namespace dash::report
