// The names that programs for DASH 0.4 use, as a list: each of them exists.

#include <libdash.h>

#include <dash/Domain.h>
#include <dash/pattern/internal/PatternLogging.h>

namespace names_in_dash {
using dash::accumulate;
using dash::addressof;
using dash::allocate_unique;
using dash::allocator_traits;
using dash::Array;
using dash::Atomic;
using dash::barrier;
using dash::begin;
using dash::bit_xor;
using dash::block;
using dash::BLOCKCYCLIC;
using dash::BLOCKED;
using dash::BlockPattern;
using dash::blocks;
using dash::broadcast;
using dash::CartesianIndexSpace;
using dash::check_pattern_constraints;
using dash::Coarray;
using dash::Coevent;
using dash::COL_MAJOR;
using dash::Comutex;
using dash::copy;
using dash::copy_async;
using dash::CSRPattern;
using dash::CYCLIC;
using dash::dart_datatype;
using dash::dart_punned_datatype;
using dash::dart_storage;
using dash::default_extent_t;
using dash::default_index_t;
using dash::default_size_t;
using dash::dim_t;
using dash::distance;
using dash::DistributionSpec;
using dash::Domain;
using dash::domain;
using dash::end;
using dash::EpochSynchronizedAllocator;
using dash::equal;
using dash::fill;
using dash::finalize;
using dash::find;
using dash::for_each;
using dash::for_each_with_index;
using dash::Future;
using dash::generate;
using dash::generate_with_index;
using dash::get_default_memory_space;
using dash::get_value;
using dash::global_unit_t;
using dash::GlobalAllocator;
using dash::GlobAsyncRef;
using dash::GlobHeapMem;
using dash::GlobIter;
using dash::GlobMemAllocPtr;
using dash::GlobRef;
using dash::GlobStaticMem;
using dash::gptrdiff_t;
using dash::HBWSpace;
using dash::HostSpace;
using dash::index;
using dash::init;
using dash::intersect;
using dash::is_atomic;
using dash::is_atomic_compatible;
using dash::is_container_compatible;
using dash::is_initialized;
using dash::is_multithreaded;
using dash::is_range;
using dash::List;
using dash::LoadBalancePattern;
using dash::local;
using dash::local_begin;
using dash::local_index_range;
using dash::local_range;
using dash::make_pair;
using dash::make_pattern;
using dash::make_range;
using dash::make_team_spec;
using dash::make_view;
using dash::Matrix;
using dash::max;
using dash::max_element;
using dash::memalloc;
using dash::memfree;
using dash::memory_domain_local;
using dash::memory_space_traits;
using dash::min;
using dash::min_element;
using dash::mmult;
using dash::multiply;
using dash::Mutex;
using dash::myid;
using dash::NArray;
using dash::NONE;
using dash::origin;
using dash::Pair;
using dash::Pattern;
using dash::pattern_layout_traits;
using dash::pattern_mapping_traits;
using dash::pattern_partitioning_traits;
using dash::plus;
using dash::prevent_opt_elimination;
using dash::reduce;
using dash::ROW_MAJOR;
using dash::SeqTilePattern;
using dash::Shared;
using dash::SharedCounter;
using dash::ShiftTilePattern;
using dash::SimpleMemoryPoolResource;
using dash::size;
using dash::SizeSpec;
using dash::sort;
using dash::sub;
using dash::summa;
using dash::summa_pattern_layout_constraints;
using dash::summa_pattern_mapping_constraints;
using dash::summa_pattern_partitioning_constraints;
using dash::swap;
using dash::Team;
using dash::team_unit_t;
using dash::TeamSpec;
using dash::TILE;
using dash::TilePattern;
using dash::transform;
using dash::typestr;
using dash::UniversalMember;
using dash::UnorderedMap;
using dash::view_traits;
using dash::ViewSpec;
}  // namespace names_in_dash

namespace names_in_atomic {
using dash::atomic::add;
using dash::atomic::load;
using dash::atomic::multiply;
using dash::atomic::sub;
}  // namespace names_in_atomic

namespace names_in_ce {
using dash::ce::accumulate;
using dash::ce::append;
using dash::ce::drop;
using dash::ce::head;
using dash::ce::plus;
using dash::ce::replace_nth;
using dash::ce::reverse;
using dash::ce::split;
using dash::ce::tail;
using dash::ce::take;
}  // namespace names_in_ce

namespace names_in_detail {
using dash::detail::has_type_domain_type;
}

namespace names_in_exception {
using dash::exception::InvalidArgument;
using dash::exception::OutOfRange;
using dash::exception::RuntimeError;
}  // namespace names_in_exception

namespace names_in_halo {
using dash::halo::GlobalBoundarySpec;
using dash::halo::HaloMatrixWrapper;
using dash::halo::StencilOperator;
using dash::halo::StencilPoint;
using dash::halo::StencilSpec;
}  // namespace names_in_halo

namespace names_in_internal {
using dash::internal::copy_impl;
using dash::internal::dart_reduce_operation;
using dash::internal::is_dash_copyable;
using dash::internal::print_pattern_mapping;
}  // namespace names_in_internal

namespace names_in_internal_logging {
using dash::internal::logging::disable_log;
using dash::internal::logging::enable_log;
}  // namespace names_in_internal_logging

namespace names_in_launch {
using dash::launch::async;
}

namespace names_in_math {
using dash::math::balance_extents;
using dash::math::div_ceil;
using dash::math::drand;
using dash::math::factorize;
using dash::math::max;
using dash::math::sigma;
}  // namespace names_in_math

namespace names_in_tools {
using dash::tools::PatternVisualizer;
}

namespace names_in_util {
using dash::util::BenchmarkParams;
using dash::util::Config;
using dash::util::DashConfig;
using dash::util::LocalityDomain;
using dash::util::LocalityJSONPrinter;
using dash::util::PatternMetrics;
using dash::util::TeamLocality;
using dash::util::Timer;
using dash::util::Trace;
using dash::util::UnitLocality;
}  // namespace names_in_util

namespace names_in_c {
using ::dart_accumulate;
using ::dart_allgather;
using ::dart_allocator_alloc;
using ::dart_allocator_destroy;
using ::dart_allocator_free;
using ::dart_allocator_new;
using ::dart_allocator_t;
using ::dart_allreduce;
using ::dart_barrier;
using ::dart_bcast;
using ::dart_compare_and_swap;
using ::dart_datatype_t;
using ::dart_domain_clone;
using ::dart_domain_destroy;
using ::dart_domain_exclude;
using ::dart_domain_find;
using ::dart_domain_group;
using ::dart_domain_locality_t;
using ::dart_domain_scope_domains;
using ::dart_domain_team_locality;
using ::dart_exit;
using ::dart_flush_all;
using ::dart_get;
using ::dart_get_blocking;
using ::dart_get_handle;
using ::dart_global_unit_t;
using ::dart_gptr_getaddr;
using ::dart_gptr_incaddr;
using ::dart_gptr_setunit;
using ::dart_gptr_t;
using ::dart_handle_t;
using ::dart_init;
using ::dart_locality_scope_t;
using ::dart_lock_acquire;
using ::dart_lock_release;
using ::dart_lock_t;
using ::dart_lock_try_acquire;
using ::dart_memalloc;
using ::dart_memfree;
using ::dart_myid;
using ::dart_op_create;
using ::dart_op_destroy;
using ::dart_operation_t;
using ::dart_put;
using ::dart_put_blocking;
using ::dart_recv;
using ::dart_reduce;
using ::dart_ret_t;
using ::dart_send;
using ::dart_sendrecv;
using ::dart_size;
using ::dart_team_lock_destroy;
using ::dart_team_lock_init;
using ::dart_team_memalloc_aligned;
using ::dart_team_memalloc_aligned_full;
using ::dart_team_memfree;
using ::dart_team_myid;
using ::dart_team_unit_t;
using ::dart_type_create_custom;
using ::dart_type_create_indexed;
using ::dart_type_create_strided;
using ::dart_type_destroy;
using ::dart_unit_locality;
using ::dart_unit_locality_t;
using ::dart_unit_t;
using ::dart_waitall;
using ::dart_waitall_local;
}  // namespace names_in_c

namespace names_of_members {

using Local = dash::Array<int>::local_type;
using Params = dash::util::BenchmarkParams::config_params_type;
using Clock = dash::util::Timer<dash::util::TimeMeasure::Clock>;

void use() {
  (void)&dash::Team::All;
  (void)&dash::Team::GlobalUnitID;
  (void)&dash::internal::MemorySpaceRegistry::GetInstance;
  (void)&dash::util::Locality::NumNodes;
  (void)dash::util::Locality::Scope::Core;
  (void)dash::util::Locality::Scope::NUMA;
  (void)dash::halo::BoundaryProp::CUSTOM;
  (void)dash::halo::BoundaryProp::CYCLIC;
  (void)dash::halo::RegionPos::PRE;
  (void)dash::halo::RegionPos::POST;
  dash::util::TraceStore::on();
  dash::util::TraceStore::off();
  dash::util::TraceStore::clear();
  dash::util::TraceStore::write(std::cout);
  dash::util::Config::set("NAME", 1);
  (void)dash::util::Config::get<int>("NAME");
  (void)dash::util::Config::is_set("NAME");
}

}  // namespace names_of_members
