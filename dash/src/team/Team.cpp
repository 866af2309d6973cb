#include "dash/Team.h"

#include <exception>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "dash/Collectives.h"
#include "dash/Exception.h"
#include "dash/async/Engine.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/Collective.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"
#include "dash/internal/team/CallQueue.h"
#include "dash/internal/team/NodeWork.h"
#include "dash/internal/team/StepRunner.h"

namespace dash {

namespace {

/// The existing sub-teams by id, for Team::Get().
template <class Node>
class Registry {
 public:
  static Registry& instance() {
    // Never destroyed: teams with static storage duration may be destroyed later.
    static Registry& registry = *new Registry;
    return registry;
  }
  void add(Node& node) {
    const std::lock_guard lock(_mutex);
    _nodes[node.dart_id] = &node;
  }
  void remove(const Node& node) {
    const std::lock_guard lock(_mutex);
    _nodes.erase(node.dart_id);
  }
  Node* find(dart_team_t id) {
    const std::lock_guard lock(_mutex);
    const auto found = _nodes.find(id);
    return found == _nodes.end() ? nullptr : found->second;
  }

 private:
  std::mutex _mutex;
  std::unordered_map<dart_team_t, Node*> _nodes;
};

}  // namespace

static void (*end_hook)(dart_team_t id) = nullptr;

void Team::set_end_hook(void (*hook)(dart_team_t id)) noexcept {
  end_hook = hook;
}

// Never destroyed, because containers with static storage duration refer to them until the process
// ends.

Team& Team::All() {
  static Team& team = *new Team(DART_TEAM_ALL);
  return team;
}

Team& Team::Null() {
  static Team& team = *new Team(DART_TEAM_NULL);
  return team;
}

Team& Team::Get(dart_team_t id) {
  if (id == DART_TEAM_ALL) return All();
  if (id == DART_TEAM_NULL) return Null();
  const Node* node = Registry<Node>::instance().find(id);
  if (node == nullptr) {
    DASH_THROW(
        exception::InvalidArgument,
        "dash::Team::Get: the caller has no team with the id "
            << id
            << "; expected the id of Team::All() or of a sub-team that has not been destroyed");
  }
  return *node->self;
}

bool Team::exists(dart_team_t id) {
  return id == DART_TEAM_ALL || Registry<Node>::instance().find(id) != nullptr;
}

Team::Team(dart_team_t static_team) : _node(std::make_shared<Node>()) {
  _node->dart_id = static_team;
  _node->collectives = std::make_shared<dart::TeamCollectives>();
  _node->num_siblings = static_team == DART_TEAM_ALL ? 1 : 0;
  _node->self = this;
}

Team::Team(std::shared_ptr<Node> node) noexcept : _node(std::move(node)), _owner(true) {
  _node->self = this;
}

Team::Team(Team&& other) noexcept : _node(other._node), _owner(std::exchange(other._owner, false)) {
  if (_owner) _node->self = this;
}

Team& Team::operator=(Team&& other) noexcept {
  if (this == &other || _node == other._node) {
    // Two objects of the same team: only the ownership moves.
    if (this != &other && other._owner) {
      _owner = std::exchange(other._owner, false);
      _node->self = this;
    }
    return *this;
  }
  destroy_owned();
  _node = other._node;
  _owner = std::exchange(other._owner, false);
  if (_owner) _node->self = this;
  return *this;
}

Team::~Team() {
  destroy_owned();
}

void Team::destroy_owned() noexcept {
  if (!_owner || is_null()) return;
  try {
    end(*_node);
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error, std::string("destruction of a team failed: ") + error.what());
  }
}

void Team::end(Node& node) {
  internal::StepRunner steps;
  node.calls.reset();
  node.work_tables = {};
  while (!node.children.empty())
    steps.run([&] { end(*node.children.back()); });  // removes it from the list
  steps.run([&] { node.self->free(); });
  Registry<Node>::instance().remove(node);
  if (node.parent != nullptr) std::erase(node.parent->children, &node);
  node.parent = nullptr;
  dart_team_t id = std::exchange(node.dart_id, DART_TEAM_NULL);
  node.myid = UNDEFINED_TEAM_UNIT_ID;
  node.size = 0;
  node.grid.clear();
  node.owned.clear();
  if (end_hook != nullptr) end_hook(id);  // before any unit can use the id again
  steps.run([&] { internal::check(dart_team_destroy(&id), "destruction of a team"); });
  steps.finish();
}

void Team::bind(Node& node, dart_team_t id) {
  dart_team_unit_t myid;
  std::size_t size = 0;
  internal::check(dart_team_myid(id, &myid), "dart_team_myid");
  internal::check(dart_team_size(id, &size), "dart_team_size");
  node.collectives = dart::collectives_of(id);
  node.dart_id = id;
  node.myid = myid;
  node.size = size;
}

Team& Team::make_part(dart_group_t group, std::size_t position, std::size_t num_siblings) {
  dart_team_t id = DART_TEAM_NULL;
  internal::check(dart_team_create(dart_id(), group, &id), "split");
  return adopt(id, position, num_siblings);
}

Team& Team::adopt(dart_team_t id, std::size_t position, std::size_t num_siblings) {
  auto node = std::make_shared<Node>();
  bind(*node, id);
  node->position = position;
  node->num_siblings = num_siblings;
  node->parent = _node.get();
  _node->owned.emplace_back(new Team(node));
  _node->children.push_back(node.get());
  Registry<Node>::instance().add(*node);
  exec::Engine::instance().completed();  // remote calls may wait for the team
  return *node->self;
}

Team Team::clone() const {
  dart_team_t id = DART_TEAM_NULL;
  internal::check(dart_team_clone(dart_id(), &id), "clone of a team");
  auto node = std::make_shared<Node>();
  bind(*node, id);
  return Team(std::move(node));
}

internal::CallQueue& Team::call_queue(const char* called) const {
  if (!_node->calls) {
    internal::collective_team(*this, called);
    _node->calls = std::make_shared<internal::CallQueue>(*this);
  }
  return *_node->calls;
}

internal::NodeWorkTable& Team::node_work_table(const char* called, bool for_tasks) const {
  auto& table = _node->work_tables[for_tasks ? 1 : 0];
  if (!table) {
    internal::collective_team(*this, called);
    table = std::make_shared<internal::NodeWorkTable>(*_node->self);
  }
  return *table;
}

Team& Team::parent() const noexcept {
  return _node->parent == nullptr ? Null() : *_node->parent->self;
}

Team& Team::sub(std::size_t level) const noexcept {
  const Node* node = _node.get();
  for (; level > 0 && !node->children.empty(); --level)
    node = node->children.back();
  return *node->self;
}

Team& Team::bottom() const noexcept {
  const Node* node = _node.get();
  while (!node->children.empty())
    node = node->children.back();
  return *node->self;
}

global_unit_t Team::GlobalUnitID() noexcept {
  return global_unit_t(All().myid().id);
}

void Team::initialize() {
  bind(*All()._node, DART_TEAM_ALL);
}

void Team::finalize() {
  Node& all = *All()._node;
  internal::StepRunner steps;
  all.calls.reset();
  all.work_tables = {};
  while (!all.children.empty())
    steps.run([&] { end(*all.children.back()); });
  steps.run([&] { all.self->free(); });
  all.owned.clear();
  all.myid = UNDEFINED_TEAM_UNIT_ID;
  all.size = 0;
  steps.finish();
}

void Team::barrier() const {
  if (size() == 0) return;
  // Other units wait for this one, so it must enter the barrier even if one of its transfers has
  // failed.
  internal::StepRunner steps;
  steps.run([] { dart::complete_all(); });
  steps.run([this] { collectives().barrier(); });
  steps.finish();
}

Future<void> Team::barrier_async() const {
  if (size() == 0) return make_ready_future();
  return internal::collective_future<void>(
      [this](dart::Done done, auto&) { dart::start_barrier(std::move(done), dart_id(), true); });
}

namespace internal {

dart_team_t collective_team(const Team& team, const char* called) {
  if (team.size() == 0) {
    DASH_THROW(exception::InvalidArgument,
               "dash::" << called << ": the team has no units ("
                        << (team.is_null() ? "Team::Null(), or a team that has been destroyed"
                                           : "dash::init has not been called")
                        << ")");
  }
  return team.dart_id();
}

}  // namespace internal

team_unit_t Team::relative_id(internal::GlobalUnitArgument global_id) const {
  dart_team_unit_t local_id;
  if (size() == 0 || dart_team_unit_g2l(dart_id(), global_id, &local_id) != DART_OK) {
    return UNDEFINED_TEAM_UNIT_ID;
  }
  return local_id;
}

global_unit_t Team::global_id(internal::TeamUnitArgument local_id) const {
  dart_global_unit_t global_id;
  if (const auto ret = dart_team_unit_l2g(dart_id(), local_id, &global_id); ret != DART_OK) {
    dart::throw_last_error(ret, "dart_team_unit_l2g");
  }
  return global_id;
}

bool Team::is_on_node(team_unit_t unit) const {
  return dart::is_on_node(global_id(unit).id);
}

void Team::register_deallocator(void* object, deallocator dealloc) {
  _node->deallocators.push_back({object, std::move(dealloc)});
}

void Team::unregister_deallocator(void* object, const deallocator&) {
  std::erase_if(_node->deallocators,
                [object](const Registration& entry) { return entry.object == object; });
}

void Team::free() {
  internal::StepRunner steps;
  while (!_node->deallocators.empty()) {
    // Removed before the call, because the function may unregister itself.
    const Registration last = std::move(_node->deallocators.back());
    _node->deallocators.pop_back();
    steps.run([&] {
      barrier();
      if (last.dealloc) last.dealloc();
    });
  }
  steps.finish();
}

}  // namespace dash
