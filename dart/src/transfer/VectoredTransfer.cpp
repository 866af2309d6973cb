// Transfers of many runs between native memory and the memory of one unit.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/Error.h"
#include "memory/GlobalMemory.h"
#include "api/Runtime.h"
#include "transfer/TypedTransfer.h"
#include "dash/core/Trace.h"
#include "dash/dart/Access.h"
#include "dash/dart/Transfer.h"

namespace dash::dart {

namespace {

/// A side of a transfer: where it begins, and its runs from there.
template <class Place>
struct Side {
  Place begin;
  StridedLayout layout;
};

/// Equal runs at equal distances, or none.
StridedLayout regular_layout(std::span<const StridedLayout::Block> blocks) noexcept {
  StridedLayout layout;
  layout.run = blocks[0].nbytes;
  layout.nruns = blocks.size();
  layout.stride = blocks.size() > 1 ? blocks[1].offset - blocks[0].offset : layout.run;
  if (blocks[0].offset != 0 || layout.stride < layout.run) return {};
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].nbytes != layout.run) return {};
    if (blocks[i].offset != i * layout.stride) return {};
  }
  layout.nbytes = layout.run * layout.nruns;
  layout.span = layout.stride * (layout.nruns - 1) + layout.run;
  return layout;
}

/// The layout of runs, by where place(run) says that they begin; those that follow each other there
/// become one.
template <class Runs, class PlaceOf>
auto side_of(const Runs& runs, PlaceOf place) -> Side<decltype(place(runs[0]))> {
  auto begin = place(runs[0]);
  for (const TransferRun& run : runs)
    begin = std::min(begin, place(run));
  auto blocks = std::make_shared<std::vector<StridedLayout::Block>>();
  std::size_t nbytes = 0;
  std::size_t span = 0;
  for (const TransferRun& run : runs) {
    const auto offset = static_cast<std::size_t>(place(run) - begin);
    if (!blocks->empty() && blocks->back().offset + blocks->back().nbytes == offset) {
      blocks->back().nbytes += run.nbytes;
    } else {
      blocks->push_back({offset, run.nbytes, nbytes});
    }
    nbytes += run.nbytes;
    span = std::max(span, offset + run.nbytes);
  }
  StridedLayout layout = regular_layout(*blocks);
  if (layout.nbytes == 0) {
    layout.nbytes = nbytes;
    layout.span = layout.extent = span;
    layout.repetitions = 1;
    layout.blocks = *blocks;
    layout.keeper = std::move(blocks);
  }
  return {begin, std::move(layout)};
}

template <class Start>
exec::Operation start(dart_gptr_t gptr, std::span<const TransferRun> runs, Start start_typed) {
  if (runs.empty()) return {};
  const auto native =
      side_of(runs, [](const TransferRun& run) { return static_cast<char*>(run.memory); });
  const auto global = side_of(runs, [](const TransferRun& run) { return run.offset; });
  gptr.addr_or_offs.offset = global.begin;
  return start_typed(native.begin, native.layout, gptr, global.layout);
}

/// A single long run among many short ones would make operations of all of them.
struct ByLength {
  std::vector<TransferRun> long_ones;
  std::vector<TransferRun> short_ones;
};
ByLength by_length(std::span<const TransferRun> runs) {
  ByLength parts;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t nbytes = runs[i].nbytes;
    std::size_t end = i + 1;
    while (end < runs.size() && runs[end].offset == runs[i].offset + nbytes)
      nbytes += runs[end++].nbytes;
    auto& part = nbytes >= rma_run() ? parts.long_ones : parts.short_ones;
    part.insert(part.end(), runs.begin() + static_cast<std::ptrdiff_t>(i),
                runs.begin() + static_cast<std::ptrdiff_t>(end));
    i = end;
  }
  return parts;
}

template <class Start>
void start_all(dart_gptr_t gptr, std::span<const TransferRun> runs,
               std::vector<exec::Operation>& operations, Start start_typed) {
  if (runs.empty()) return;
  std::uint64_t begin = runs[0].offset;
  std::uint64_t end = begin;
  for (const TransferRun& run : runs) {
    begin = std::min(begin, run.offset);
    end = std::max(end, run.offset + run.nbytes);
  }
  gptr.addr_or_offs.offset = begin;
  Runtime::get();
  GlobalMemory::check(gptr, end - begin);  // before any of it is started
  const auto add = [&](std::span<const TransferRun> part) {
    start_kept(operations, [&] { return start(gptr, part, start_typed); });
  };
  if (on_node_address(gptr, end - begin) != nullptr) return add(runs);
  const ByLength parts = by_length(runs);
  if (parts.short_ones.empty() || parts.long_ones.empty()) return add(runs);
  add(parts.long_ones);
  add(parts.short_ones);
}

void settle(std::span<exec::Operation> operations) noexcept {
  for (exec::Operation& operation : operations) {
    try {
      operation.wait();
    } catch (...) {  // NOLINT(bugprone-empty-catch): there is an exception on its way already
    }
  }
}

/// The operation that several are together. What has begun uses the caller's memory: an exception
/// leaves when it has ended.
template <class Begin>
exec::Operation as_one(Begin begin) {
  std::vector<exec::Operation> operations;
  try {
    begin(operations);
    return exec::when_all(operations);
  } catch (...) {
    settle(operations);
    throw;
  }
}

}  // namespace

void start_runs_get(dart_gptr_t src, std::span<const TransferRun> runs,
                    std::vector<exec::Operation>& operations) {
  start_all(src, runs, operations,
            [](char* native, const StridedLayout& native_layout, const dart_gptr_t& gptr,
               const StridedLayout& layout) {
              return start_typed_get(native, native_layout, gptr, layout, Caller::goes_on);
            });
}

void start_runs_put(dart_gptr_t dest, std::span<const TransferRun> runs,
                    std::vector<exec::Operation>& operations) {
  start_all(dest, runs, operations,
            [](const char* native, const StridedLayout& native_layout, const dart_gptr_t& gptr,
               const StridedLayout& layout) {
              return start_typed_put(gptr, layout, native, native_layout, Caller::goes_on);
            });
}

exec::Operation get_runs_async(const dart_gptr_t& src, std::span<const TransferRun> runs) {
  const core::TraceSpan span(core::TraceKind::call, "get_runs_async");
  return translated(
      [&] { return as_one([&](auto& operations) { start_runs_get(src, runs, operations); }); });
}

exec::Operation put_runs_async(const dart_gptr_t& dest, std::span<const TransferRun> runs) {
  const core::TraceSpan span(core::TraceKind::call, "put_runs_async");
  return translated(
      [&] { return as_one([&](auto& operations) { start_runs_put(dest, runs, operations); }); });
}

}  // namespace dash::dart
