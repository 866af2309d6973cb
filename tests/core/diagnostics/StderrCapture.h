#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

/// Captures the output of the process to standard error, from construction to `text`.
class StderrCapture {
 public:
  StderrCapture() : _file(std::tmpfile()) {
    std::fflush(stderr);
    _saved = dup(STDERR_FILENO);
    if (_file == nullptr || _saved < 0 || dup2(fileno(_file), STDERR_FILENO) < 0) {
      std::abort();
    }
  }
  StderrCapture(const StderrCapture&) = delete;
  StderrCapture& operator=(const StderrCapture&) = delete;
  ~StderrCapture() {
    restore();
    std::fclose(_file);
  }

  /// Ends the capture. \returns the output
  std::string text() {
    restore();
    std::string result;
    std::rewind(_file);
    for (int c = std::fgetc(_file); c != EOF; c = std::fgetc(_file)) {
      result.push_back(static_cast<char>(c));
    }
    return result;
  }

 private:
  void restore() {
    if (_saved >= 0) {
      std::fflush(stderr);
      dup2(_saved, STDERR_FILENO);
      close(_saved);
      _saved = -1;
    }
  }

  std::FILE* _file;
  int _saved = -1;
};
