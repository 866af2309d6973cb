#pragma once

#include <string>
#include <vector>

namespace dash::tools {

/// Rows of text in columns as wide as they have to be.
class Table {
 public:
  /// \param head  of each column; one that begins with '<' has its text to the left
  explicit Table(std::vector<std::string> head);

  void add(std::vector<std::string> row) { _rows.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<bool> _left;
  std::vector<std::vector<std::string>> _rows;
};

}  // namespace dash::tools
