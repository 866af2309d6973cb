#include "Html.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "Chart.h"
#include "Plots.h"
#include "Style.h"
#include "dash/core/Xml.h"

namespace dash::report {

namespace {

using core::xml_escaped;
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr const char* head =
    "<tr><th>what</th><th class=\"number\">size</th><th class=\"number\">ours</th><th>twin</th>"
    "<th class=\"number\">twin's</th><th>ratio</th><th>1/8 to 8</th><th>twin/twin</th>"
    "<th>bar</th><th></th></tr>\n";

std::string verdict(const Row& row) {
  if (!row.met) return "";
  if (!*row.met) return "<span class=\"missed\">NOT MET</span>";
  return row.by_interval ? "<span class=\"met\">met by interval</span>"
                         : "<span class=\"met\">met</span>";
}

std::string strip(const Row& row) {
  if (!row.ratio.interval) return "";
  const auto& [low, median, high] = *row.ratio.interval;
  return draw_ratio(low, median, high, ratio_in_bar(row.bar));
}

/// \param run  its name, for tables of several
std::string line(const Row& row, const std::string& run = "") {
  std::string text = "<tr>";
  if (!run.empty()) text += fmt::format("<td>{}</td>", xml_escaped(run));
  text += fmt::format("<td class=\"what\">{}</td><td class=\"number\">{}</td>",
                      xml_escaped(run.empty() ? row.what : row.full_name), xml_escaped(row.size));
  text += fmt::format("<td class=\"number\">{}</td><td>{}</td><td class=\"number\">{}</td>",
                      xml_escaped(row.ours.text), xml_escaped(row.twin ? row.twin->name : ""),
                      xml_escaped(row.twin ? row.twin->text : ""));
  text += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                      xml_escaped(row.ratio.text), strip(row), xml_escaped(row.noise),
                      xml_escaped(row.bar), verdict(row));
  return text;
}

std::string list_of(const Pairs& pairs) {
  std::string text = "<dl>\n";
  for (const auto& [name, value] : pairs)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml_escaped(name), xml_escaped(value));
  return text + "</dl>\n";
}

std::string tile(const std::string& number, const std::string& what) {
  return fmt::format("<div class=\"tile\"><b>{}</b>{}</div>\n", xml_escaped(number),
                     xml_escaped(what));
}

std::string top(const Results& results) {
  const Bars bars = bars_of(results);
  std::size_t rows = 0;
  std::size_t failed = 0;
  for (const Run& run : results.runs) {
    rows += run.rows.size();
    if (run.code != 0) ++failed;
  }
  std::string text = "<h1>DASH, measured</h1>\n";
  text += fmt::format(
      "<p class=\"soft\">{}, {} effort{}. Each row is a contest with a twin (plain memory, MPI), "
      "taken in turns; the ratio is ours over the twin's, with the interval that holds its median "
      "with 95 % certainty. Below 1 ours is faster.</p>\n",
      xml_escaped(results.began), xml_escaped(results.effort),
      results.word.empty() ? "" : ", only " + xml_escaped(results.word));
  text += "<div class=\"tiles\">\n";
  text += tile(fmt::format("{} of {}", bars.met, bars.all), "bars met");
  if (bars.by_interval != 0)
    text += tile(fmt::format("{}", bars.by_interval), "of them by the interval only");
  text += tile(fmt::format("{}", rows), "rows");
  text += tile(fmt::format("{}", results.runs.size()), "runs of programs");
  if (failed != 0) text += tile(fmt::format("{}", failed), "runs failed");
  text += tile(fmt::format("{:.0f} min", results.seconds / 60), "in all");
  text += "</div>\n" + list_of(results.machine) + list_of(results.versions);
  return text;
}

std::string missed_bars(const Results& results) {
  std::string lines;
  for (const Run& run : results.runs) {
    for (const Row& row : run.rows) {
      if (row.met == false) lines += line(row, name_of(run));
    }
  }
  std::string text = "<h2>Bars not met</h2>\n";
  if (lines.empty()) return text + "<p>None.</p>\n";
  return text + "<div class=\"wide\"><table>\n<tr><th>run</th>" + (head + 4) + lines +
         "</table></div>\n";
}

std::string figures(const char* title, const char* text, const std::vector<Chart>& charts) {
  if (charts.empty()) return "";
  std::string html = fmt::format("<h2>{}</h2>\n<p class=\"soft\">{}</p>\n", title, text);
  html += "<div class=\"charts\">\n";
  for (const Chart& chart : charts) {
    html += fmt::format("<figure><h3>{}</h3><figcaption>{}</figcaption>{}</figure>\n",
                        xml_escaped(chart.title), xml_escaped(chart.caption), draw(chart));
  }
  return html + "</div>\n";
}

std::string section(const Run& run) {
  const Bars bars = bars_of(run);
  std::string text = "<details><summary>" + xml_escaped(name_of(run));
  if (bars.all != 0) {
    text += fmt::format(" <span class=\"{}\">{}</span>", bars.met == bars.all ? "met" : "missed",
                        text_of(bars));
  }
  if (run.code != 0)
    text += fmt::format(" <span class=\"missed\">failed, code {}</span>", run.code);
  text += fmt::format(" <span class=\"soft\">{:.0f} s</span></summary>\n", run.seconds);
  if (!run.rows.empty()) {
    text += std::string("<div class=\"wide\"><table>\n") + head;
    for (const Row& row : run.rows)
      text += line(row);
    text += "</table></div>\n";
  }
  for (const std::string& note : run.notes)
    text += fmt::format("<p class=\"soft\">{}</p>\n", xml_escaped(note));
  if (!run.output.empty()) text += fmt::format("<pre>{}</pre>\n", xml_escaped(run.output));
  return text + "</details>\n";
}

}  // namespace

std::string html_of(const Results& results) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>DASH, measured {}</title>\n<style>{}</style>\n</head>\n<body>\n",
      xml_escaped(results.began), style);
  html += top(results);
  html += missed_bars(results);
  html += figures("Overlap",
                  "Communication and computation together, over the computation alone: "
                  "1 is perfect. Lines up and down: 95 % interval of the median.",
                  overlap_plots(results));
  html +=
      figures("Latency over size", "Medians; lines up and down hold four fifths of the samples.",
              latency_plots(results));
  html += figures("Bandwidth over size", "The same as bytes in a time.", bandwidth_plots(results));
  html += figures(
      "Scaling",
      "The time with more units on the same machine; of kernels and LULESH, for the same problem.",
      scaling_plots(results));
  html +=
      "<h2>Every run</h2>\n<p class=\"soft\">The strip shows the ratio on a logarithmic scale "
      "from 1/8 to 8, the line being 1 and the mark the bar.</p>\n";
  for (const Run& run : results.runs)
    html += section(run);
  if (!results.settings.empty()) {
    html += "<h2>Settings that are no defaults</h2>\n" + list_of(results.settings);
  }
  return html + "</body>\n</html>\n";
}

}  // namespace dash::report
