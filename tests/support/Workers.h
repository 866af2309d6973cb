#pragma once

#include "dash/async/Executor.h"

/// Sets the number of workers of each unit during the lifetime of the object.
class Workers {
 public:
  explicit Workers(int number) { dash::exec::set_executor_workers(number); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { dash::exec::set_executor_workers(_before); }

 private:
  int _before = dash::exec::executor_workers();
};
