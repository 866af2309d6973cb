#include "dash/DistObject.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/async/Watch.h"

namespace dash::internal {

namespace {

/// The distributed objects of this unit.
class Objects {
 public:
  static Objects& instance() {
    static auto* const objects = new Objects();
    return *objects;
  }

  void add(const ObjectKey& key, void* object) {
    std::lock_guard lock(_mutex);
    _objects[key] = object;
    std::uint32_t& next = _next[key.team];
    if (key.number == 0 || next <= key.number) next = key.number + 1;
  }
  /// Without effect if the team of the object has ended.
  void remove(const ObjectKey& key, const void* object) {
    std::lock_guard lock(_mutex);
    const auto found = _objects.find(key);
    if (found != _objects.end() && found->second == object) _objects.erase(found);
  }
  void forget(std::int32_t team) {
    std::lock_guard lock(_mutex);
    std::erase_if(_objects, [team](const auto& entry) { return entry.first.team == team; });
    _next.erase(team);
  }
  void* find(const ObjectKey& key) {
    std::lock_guard lock(_mutex);
    const auto found = _objects.find(key);
    return found == _objects.end() ? nullptr : found->second;
  }
  /// Whether this unit has constructed the object, and destroyed it since.
  bool is_destroyed(const ObjectKey& key) {
    std::lock_guard lock(_mutex);
    const auto next = _next.find(key.team);
    return next != _next.end() && key.number < next->second && !_objects.contains(key);
  }

 private:
  std::mutex _mutex;  // guards the maps
  std::map<ObjectKey, void*> _objects;
  std::map<std::int32_t, std::uint32_t> _next;  // by team: the number of the next object
};

}  // namespace

ObjectKey next_object_key(const Team& team) {
  if (team.is_null()) {
    throw exception::InvalidArgument(
        "a distributed object needs a team with units, but the team has none");
  }
  return {team.dart_id(), team.next_object_number()};
}

void add_object(const ObjectKey& key, void* object) {
  Objects::instance().add(key, object);
  exec::Engine::instance().completed();  // calls may wait for the object
}

void remove_object(const ObjectKey& key, const void* object) noexcept {
  Objects::instance().remove(key, object);
}

void forget_objects(std::int32_t team) noexcept {
  Objects::instance().forget(team);
}

void wait_for_object(const ObjectKey& key) noexcept {
  Objects& objects = Objects::instance();
  const exec::Purpose purpose("the construction of distributed object {} of team {}", key.number,
                              key.team);
  exec::Engine::instance().wait_until(
      [&] { return objects.find(key) != nullptr || objects.is_destroyed(key); });
}

void* find_object(const ObjectKey& key) {
  Objects& objects = Objects::instance();
  if (void* const object = objects.find(key)) return object;
  if (!objects.is_destroyed(key)) throw MissingObject{key};
  throw exception::RuntimeError(fmt::format(
      "distributed object {} of team {} has been destroyed at this unit; synchronize the "
      "units before its destructor",
      key.number, key.team));
}

}  // namespace dash::internal
