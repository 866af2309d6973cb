#include "Markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace dash::report {

namespace {

/// Rows of one run that differ in size only.
struct Group {
  const Run* run = nullptr;
  std::vector<const Row*> rows;

  const Row& first() const { return *rows.front(); }
  bool takes(const Run& other, const Row& row) const {
    const auto twin = [](const Row& each) { return each.twin ? each.twin->name : ""; };
    return run == &other && first().full_name == row.full_name && first().bar == row.bar &&
           twin(first()) == twin(row);
  }
};

std::vector<Group> groups_of(const Results& results) {
  std::vector<Group> groups;
  for (const Run& run : results.runs) {
    for (const Row& row : run.rows) {
      const auto found = std::find_if(groups.begin(), groups.end(),
                                      [&](const Group& group) { return group.takes(run, row); });
      if (found == groups.end()) {
        groups.push_back({&run, {&row}});
      } else {
        found->rows.push_back(&row);
      }
    }
  }
  return groups;
}

/// Whether between the group's first and last row the run has no further size of the same.
bool is_whole(const Group& group) {
  const auto of_same = std::count_if(&group.first(), group.rows.back() + 1, [&](const Row& row) {
    return row.full_name == group.first().full_name && row.bar == group.first().bar;
  });
  return of_same == static_cast<std::ptrdiff_t>(group.rows.size());
}

std::string sizes_of(const Group& group) {
  if (group.first().size == group.rows.back()->size) return group.first().size;
  if (is_whole(group)) {
    return fmt::format("{} to {}", group.first().size, group.rows.back()->size);
  }
  std::vector<std::string_view> sizes;
  for (const Row* row : group.rows)
    sizes.push_back(row->size);
  return fmt::format("{}", fmt::join(sizes, ", "));
}

/// Of the medians.
std::string ratios_of(const Group& group) {
  double least = HUGE_VAL;
  double most = 0;
  for (const Row* row : group.rows) {
    if (!row->ratio.interval) continue;
    least = std::min(least, row->ratio.interval->median);
    most = std::max(most, row->ratio.interval->median);
  }
  if (most == 0) return group.rows.size() == 1 ? group.first().ratio.text : "";
  if (group.rows.size() == 1) return fmt::format("{:.3g}", most);
  return fmt::format("{:.3g} to {:.3g}", least, most);
}

/// What markdown would take for the end of a cell.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string met_of(const Group& group) {
  const auto met = std::count_if(group.rows.begin(), group.rows.end(),
                                 [](const Row* row) { return row->met.value_or(false); });
  const auto all = static_cast<std::ptrdiff_t>(group.rows.size());
  const auto by_interval = std::count_if(group.rows.begin(), group.rows.end(),
                                         [](const Row* row) { return row->by_interval; });
  if (all == 1) return met == 0 ? "**not met**" : by_interval == 0 ? "met" : "met by interval";
  std::string text = fmt::format("{} of {}", met, all);
  if (by_interval != 0) text += fmt::format(", {} by interval", by_interval);
  if (met == all) return text;
  std::vector<std::string_view> missed;
  for (const Row* row : group.rows) {
    if (!row->met.value_or(false)) missed.push_back(row->size);
  }
  return fmt::format("**{}**, not {}", text, fmt::join(missed, ", "));
}

std::string head_of(const Results& results) {
  const auto joined = [](const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::string text;
    for (const auto& [name, value] : pairs)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, value);
    return text;
  };
  std::string text =
      fmt::format("{}, {} effort, {} runs of programs in {:.0f} minutes{}. **{}.**\n\n",
                  results.began, results.effort, results.runs.size(), results.seconds / 60,
                  results.word.empty() ? "" : ", only " + results.word, text_of(bars_of(results)));
  text += fmt::format("- machine: {}\n- versions: {}\n", joined(results.machine),
                      joined(results.versions));
  if (!results.settings.empty()) text += fmt::format("- settings: {}\n", joined(results.settings));
  return text;
}

std::string failures_of(const Results& results) {
  std::string text;
  for (const Run& run : results.runs) {
    if (run.code != 0) text += fmt::format("\n{} failed with code {}.\n", name_of(run), run.code);
    for (const std::string& failure : failures_in(run))
      text += fmt::format("- {}\n", failure);
  }
  return text;
}

}  // namespace

std::string markdown_of(const Results& results) {
  std::string bars;
  std::string others;
  for (const Group& group : groups_of(results)) {
    const Row& row = group.first();
    const std::string line = fmt::format(
        "| {} | {} | {} | {} | {} |", cell(name_of(*group.run)), cell(row.full_name),
        cell(sizes_of(group)), cell(row.twin ? row.twin->name : ""), cell(ratios_of(group)));
    if (row.met) {
      bars += fmt::format("{} {} | {} |\n", line, cell(row.bar), met_of(group));
    } else {
      others += line + "\n";
    }
  }
  std::string text = head_of(results) + failures_of(results);
  if (!bars.empty()) {
    text +=
        "\n| run | what | size | twin | ratio | bar | |\n| --- | --- | --- | --- | --- | --- | --- "
        "|\n";
    text += bars;
  }
  if (!others.empty()) {
    text +=
        "\nWithout a bar:\n\n| run | what | size | twin | ratio |\n| --- | --- | --- | --- | --- "
        "|\n";
    text += others;
  }
  return text;
}

std::string with_results(const std::string& document, const std::string& text) {
  const auto place_of = [&](const std::string& mark) {
    const std::size_t place = document.find(mark);
    if (place == std::string::npos || document.find(mark, place + 1) != std::string::npos) {
      throw Error(fmt::format("the line {} was expected once", mark));
    }
    return place;
  };
  const std::size_t begin = place_of(begin_mark) + std::string_view(begin_mark).size();
  const std::size_t end = place_of(end_mark);
  if (end < begin) throw Error(fmt::format("{} was expected before {}", begin_mark, end_mark));
  return document.substr(0, begin) + "\n\n" + text + "\n" + document.substr(end);
}

}  // namespace dash::report
