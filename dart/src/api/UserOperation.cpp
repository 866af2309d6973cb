#include "api/UserOperation.h"

#include <memory>
#include <mutex>
#include <unordered_map>

#include "api/Boundary.h"
#include "base/Types.h"
#include "dash/dart/if/dart_initialization.h"

namespace dash::dart {

namespace {

struct UserOperation {
  dart_operator_t function;
  void* user_data;
  bool commutes;
  dart_datatype_t type;
  bool owns_type;
};

/// The live operations by address, so that invalid handles are recognized.
class Registry {
 public:
  static Registry& instance() {
    static auto* const registry = new Registry();
    return *registry;
  }

  dart_operation_t add(const UserOperation& operation) {
    auto owned = std::make_unique<UserOperation>(operation);
    const auto handle = reinterpret_cast<dart_operation_t>(owned.get());
    const std::lock_guard lock(_mutex);
    _operations.emplace(handle, std::move(owned));
    return handle;
  }

  UserOperation find(dart_operation_t handle) {
    const std::lock_guard lock(_mutex);
    return *at(handle)->second;
  }

  UserOperation remove(dart_operation_t handle) {
    const std::lock_guard lock(_mutex);
    const auto found = at(handle);
    const UserOperation operation = *found->second;
    _operations.erase(found);
    return operation;
  }

 private:
  using Map = std::unordered_map<dart_operation_t, std::unique_ptr<UserOperation>>;

  Map::iterator at(dart_operation_t handle) {
    const auto found = _operations.find(handle);
    if (found == _operations.end()) {
      throw_error(DART_ERR_INVAL, "{} is neither a predefined operation nor from dart_op_create",
                  handle);
    }
    return found;
  }

  std::mutex _mutex;  // guards the map
  Map _operations;
};

}  // namespace

Reduction user_reduction(dart_operation_t op, dart_datatype_t type) {
  const UserOperation operation = Registry::instance().find(op);
  if (operation.type != type) {
    throw_error(DART_ERR_INVAL, "the operation was created for data type {}, not for {}",
                operation.type, type);
  }
  return {operation.function, operation.user_data, operation.commutes,
          Runtime::get().bytes_of(1, type)};
}

}  // namespace dash::dart

namespace dart = dash::dart;

extern "C" {

dart_ret_t dart_op_create(dart_operator_t op, void* userdata, bool commute, dart_datatype_t dtype,
                          bool dtype_is_tmp, dart_operation_t* new_op) noexcept {
  return dart::with_output(
      "dart_op_create", new_op, "new_op", DART_OP_UNDEFINED, [&](dart::Runtime& runtime) {
        if (op == nullptr) dart::throw_error(DART_ERR_INVAL, "op is NULL");
        if (!dart::is_basic_type(dtype)) runtime.bytes_of(1, dtype);
        *new_op = dart::Registry::instance().add({op, userdata, commute, dtype, dtype_is_tmp});
      });
}

dart_ret_t dart_op_destroy(dart_operation_t* op) noexcept {
  return dart::guarded("dart_op_destroy", [&] {
    if (op == nullptr) dart::throw_error(DART_ERR_INVAL, "op is NULL");
    dart::UserOperation operation = dart::Registry::instance().remove(*op);
    *op = DART_OP_UNDEFINED;
    // Outside of dart_init and dart_exit the type has been destroyed already.
    if (operation.owns_type && !dart::is_basic_type(operation.type) && dart_initialized()) {
      dart_type_destroy(&operation.type);
    }
  });
}

}  // extern "C"
