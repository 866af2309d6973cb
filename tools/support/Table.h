#pragma once

#include <string>
#include <vector>

namespace dash::tools {

/// A table of text with aligned columns.
class Table {
 public:
  /// \param head  titles of the columns. A title that begins with '<' aligns its column to the left; the others are
  ///              aligned to the right. The '<' is not printed
  explicit Table(std::vector<std::string> head);

  void add(std::vector<std::string> row) { _rows.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<bool> _left;
  std::vector<std::vector<std::string>> _rows;
};

}  // namespace dash::tools
