#include "Table.h"

#include <fmt/format.h>

#include <algorithm>

namespace dash::tools {

Table::Table(std::vector<std::string> head) {
  for (std::string& each : head) {
    _left.push_back(each.starts_with('<'));
    if (_left.back()) each.erase(0, 1);
  }
  _rows.push_back(std::move(head));
}

std::string Table::text() const {
  std::vector<std::size_t> widths(_left.size(), 0);
  for (const auto& row : _rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : _rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) line += "  ";
      line += _left[i] ? fmt::format("{:<{}}", row[i], widths[i])
                       : fmt::format("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace dash::tools
