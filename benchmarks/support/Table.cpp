#include "support/Table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "support/RowFile.h"

namespace dash::bench {

namespace {

constexpr std::size_t columns = 9;
using Cells = std::array<std::string, columns>;

std::string verdict_of(const Row& row) {
  if (!row.met) return "";
  return *row.met ? "met" : "NOT MET";
}

Cells cells_of(const Row& row) {
  return {row.name,  row.size,  row.ours, row.baseline_name, row.baseline,
          row.ratio, row.noise, row.goal, verdict_of(row)};
}

/// Names are left-aligned, numbers right-aligned.
bool is_left_aligned(std::size_t column) {
  return column == 0 || column == 3 || column >= 7;
}

}  // namespace

std::string format_duration(double ns) {
  const double size = std::abs(ns);
  if (size < 1e3) return fmt::format("{:.3g} ns", ns);
  if (size < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  if (size < 1e9) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.3g} s", ns / 1e9);
}

std::string format_size(std::size_t nbytes) {
  constexpr std::size_t kib = 1024;
  if (nbytes >= kib * kib) return fmt::format("{} MiB", nbytes / (kib * kib));
  if (nbytes >= kib) return fmt::format("{} KiB", nbytes / kib);
  return fmt::format("{} B", nbytes);
}

std::string format_bandwidth(std::size_t nbytes, double ns) {
  return fmt::format("{:.3g} GB/s", ns > 0 ? static_cast<double>(nbytes) / ns : 0);
}

std::string format_ratio(const Spread& spread) {
  return fmt::format("{:.3g} ({:.3g}..{:.3g})", spread.median, spread.low, spread.high);
}

Row with_figures(Row row, Figures figures) {
  row.figures = std::move(figures);
  return row;
}

void Table::add(Row row) {
  _rows.push_back(std::move(row));
}
void Table::add_note(std::string text) {
  _notes.push_back(std::move(text));
}

void Table::flush() {
  const char* const path = std::getenv("DASH_BENCH_ROWS");
  if (path == nullptr) return;
  append_rows(path, {_rows.begin() + static_cast<std::ptrdiff_t>(_num_flushed_rows), _rows.end()},
              {_notes.begin() + static_cast<std::ptrdiff_t>(_num_flushed_notes), _notes.end()});
  _num_flushed_rows = _rows.size();
  _num_flushed_notes = _notes.size();
}

void Table::print() {
  std::vector<Cells> lines{
      {"benchmark", "size", "ours", "baseline", "its result", "ratio", "noise", "goal", ""}};
  for (const Row& row : _rows)
    lines.push_back(cells_of(row));
  std::array<std::size_t, columns> widths{};
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < columns; ++i)
      widths[i] = std::max(widths[i], line[i].size());
  }
  for (const Cells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < columns; ++i) {
      text += is_left_aligned(i) ? fmt::format("{:<{}}  ", line[i], widths[i])
                                 : fmt::format("{:>{}}  ", line[i], widths[i]);
    }
    fmt::print("{}\n", text.substr(0, text.find_last_not_of(' ') + 1));
  }
  const auto goals =
      std::count_if(_rows.begin(), _rows.end(), [](const Row& row) { return row.met.has_value(); });
  const auto met = std::count_if(_rows.begin(), _rows.end(),
                                 [](const Row& row) { return row.met.value_or(false); });
  for (const std::string& text : _notes)
    fmt::print("{}\n", text);
  fmt::print("{} of {} goals met\n", met, goals);
  std::fflush(stdout);
  flush();
}

}  // namespace dash::bench
