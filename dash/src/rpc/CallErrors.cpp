#include "rpc/CallErrors.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <typeindex>

#include "dash/Exception.h"
#include "dash/rpc/Calls.h"

namespace dash::internal {

namespace {

using MakeException = std::exception_ptr (*)(const char* text);

/// The registered types of exceptions. \threads thread-safe
class ExceptionTypes {
 public:
  static ExceptionTypes& instance() {
    static auto* const types = new ExceptionTypes();
    return *types;
  }

  void add(std::type_index type, const char* name, MakeException make) {
    std::lock_guard lock(_mutex);
    _names[type] = name;
    _makers[name] = make;
  }
  std::string name_of(const std::exception& error) {
    std::lock_guard lock(_mutex);
    const auto found = _names.find(typeid(error));
    return found == _names.end() ? std::string() : found->second;
  }
  MakeException maker_of(const std::string& name) {
    std::lock_guard lock(_mutex);
    const auto found = _makers.find(name);
    return found == _makers.end() ? nullptr : found->second;
  }

 private:
  template <class E>
  void add(const char* name) {
    add(typeid(E), name, [](const char* text) { return std::make_exception_ptr(E(text)); });
  }

  ExceptionTypes() {
    add<std::runtime_error>("std::runtime_error");
    add<std::range_error>("std::range_error");
    add<std::overflow_error>("std::overflow_error");
    add<std::underflow_error>("std::underflow_error");
    add<std::logic_error>("std::logic_error");
    add<std::domain_error>("std::domain_error");
    add<std::invalid_argument>("std::invalid_argument");
    add<std::length_error>("std::length_error");
    add<std::out_of_range>("std::out_of_range");
    add(typeid(std::bad_alloc), "std::bad_alloc",
        [](const char*) { return std::make_exception_ptr(std::bad_alloc()); });
    add<exception::RuntimeError>("dash::exception::RuntimeError");
    add<exception::InvalidArgument>("dash::exception::InvalidArgument");
    add<exception::OutOfRange>("dash::exception::OutOfRange");
    add<exception::NotImplemented>("dash::exception::NotImplemented");
    add<exception::Cancelled>("dash::exception::Cancelled");
    add<exception::AssertionFailed>("dash::exception::AssertionFailed");
  }

  std::mutex _mutex;  // guards the maps
  std::map<std::type_index, std::string> _names;
  std::map<std::string, MakeException, std::less<>> _makers;
};

}  // namespace

void add_exception_type(std::type_index type, const char* name, MakeException make) {
  ExceptionTypes::instance().add(type, name, make);
}

CallError describe_error(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return {ExceptionTypes::instance().name_of(caught), caught.what()};
  } catch (...) {
    return {{}, "an exception that is not derived from std::exception"};
  }
}

std::exception_ptr make_error(const CallError& error, int unit) {
  if (const MakeException make = ExceptionTypes::instance().maker_of(error.type))
    return make(error.text.c_str());
  return std::make_exception_ptr(
      exception::Remote(unit, fmt::format("unit {}: {}", unit, error.text)));
}

}  // namespace dash::internal
