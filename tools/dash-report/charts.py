"""The data of plots: curves over the size of the data and over the number of units."""
import re

from results import Error, baseline_name, name_of_run, quantile, ratio_median

OURS = "DASH"
FEWEST_SIZES = 3
LEAST_BYTES_FOR_BANDWIDTH = 4096
UNITS_OF_MEASURE = {"bytes": [(2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")],
                    "ns": [(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")]}


def label_of(quantity, value):
    """64 KiB, 1.5 us, 12 GB/s, 4 units"""
    for factor, unit in UNITS_OF_MEASURE.get(quantity, []):
        if value >= 0.9995 * factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value:.3g}" if quantity == "ratio" else f"{value:.3g} {quantity}"


def bytes_in(size):
    """64 KiB as a number of bytes; 0 for any other text."""
    found = re.fullmatch(r"(\d+) (B|KiB|MiB|GiB)", size)
    return int(found[1]) * {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[found[2]] if found else 0


def ratio_in_goal(goal):
    """The largest ratio that `<= 1.05` or `speed >= 0.9` allows; 0 if the goal limits something else."""
    found = re.fullmatch(r"(<=|speed >=) ([0-9.]+)", goal)
    return 0 if not found else float(found[2]) if found[1] == "<=" else 1 / float(found[2])


def point_of(x, samples):
    """The median, and the range that contains four fifths of the samples."""
    return (x, quantile(samples, 0.1), quantile(samples, 0.5), quantile(samples, 0.9))


def chart_of(title, caption, x, y, series):
    """series: for each name the points (x, low, median, high)."""
    return {"title": title, "caption": caption, "x": x, "y": y, "series": series}


def is_overlap(row):
    return baseline_name(row) == "computation alone" and ratio_median(row) is not None


def is_time(row):
    return row["unit"] == "ns" and bool(row["ours"]["samples"]) and not is_overlap(row)


def latency_charts(results):
    """Time over size, of each benchmark with at least three sizes."""
    charts = []
    for run in results["runs"]:
        benchmarks = {}
        for row in run["rows"]:
            if bytes_in(row["size"]) and is_time(row):
                benchmarks.setdefault(row["name"], []).append(row)
        for name, rows in benchmarks.items():
            rows.sort(key=lambda row: bytes_in(row["size"]))
            if len({row["size"] for row in rows}) < FEWEST_SIZES:
                continue
            series = {OURS: [point_of(bytes_in(row["size"]), row["ours"]["samples"]) for row in rows]}
            others = [row for row in rows if row["baseline"] and row["baseline"]["samples"]]
            if others:
                names = {baseline_name(row) for row in others}
                series[names.pop() if len(names) == 1 else "the best baseline"] = [
                    point_of(bytes_in(row["size"]), row["baseline"]["samples"]) for row in others]
            charts.append(chart_of(name.strip(), run["title"], "bytes", "ns", series))
    return charts


def bandwidth_charts(results):
    charts = []
    for chart in latency_charts(results):
        series = {name: [(x, x / high, x / median, x / low) for x, low, median, high in points
                         if x >= LEAST_BYTES_FOR_BANDWIDTH and low > 0]
                  for name, points in chart["series"].items()}
        if len(series[OURS]) >= FEWEST_SIZES:
            charts.append({**chart, "y": "GB/s", "series": series})
    return charts


def overlap_charts(results):
    """Communication with computation, as a multiple of the computation alone."""
    charts = {}
    for run in results["runs"]:
        for row in run["rows"]:
            if not bytes_in(row["size"]) or not is_overlap(row):
                continue
            # Other implementations follow ours, indented; then the next size.
            name, ratio = row["name"].strip(), row["ratio"]
            if name == row["name"]:
                title, name = name, OURS
            chart = charts.setdefault((run["title"], title), chart_of(
                title, f"{run['title']}, over the computation alone", "bytes", "ratio", {}))
            chart["series"].setdefault(name, []).append(
                (bytes_in(row["size"]), ratio["low"], ratio["median"], ratio["high"]))
    return list(charts.values())


def units_of(run, row):
    """The number of units of a row, and the name of the row without it."""
    name = row["name"].strip() + (f", {row['size']}" if row["size"] else "")
    found = re.search(r"(\d+) units?(, )?", name)
    if not found:
        return run["units"], name
    return int(found[1]), (name[:found.start()] + name[found.end():]).rstrip(" ,")


def scaling_charts(results):
    """Time over the number of units, of each side of a comparison with at least two numbers of units."""
    samples = {}  # benchmark -> side -> number of units -> samples
    for run in results["runs"]:
        where = name_of_run({**run, "units": 0}) + ("" if run["layout"] == "node" else f", {run['layout']}")
        for row in run["rows"]:
            units, name = units_of(run, row)
            if units < 1 or not is_time(row):
                continue
            for side_name, side in ((OURS, row["ours"]), (baseline_name(row), row["baseline"])):
                if side and side["samples"]:
                    sides = samples.setdefault((where, name), {})
                    sides.setdefault(side_name, {}).setdefault(units, []).extend(side["samples"])
    charts = []
    for (where, name), sides in samples.items():
        series = {side: [point_of(units, all_of[units]) for units in sorted(all_of)]
                  for side, all_of in sides.items() if len(all_of) >= 2}
        if OURS in series:
            charts.append(chart_of(name, where, "units", "ns", series))
    return charts


# The plots of docs/reference/performance.md: the kind of curves, the run, and the benchmark.
PLOTS_OF_DOCUMENTATION = {
    "performance-put": (latency_charts, "dart_rma, 2 units, nolocal", "blocking put"),
    "performance-overlap-node": (overlap_charts, "async_overlap, 2 units", "get and computation"),
    "performance-overlap-nodes": (overlap_charts, "async_overlap, 2 units, nolocal", "get and computation"),
    "performance-lulesh": (scaling_charts, "apps_lulesh", "LULESH, 30,30,60"),
}


def charts_of_documentation(results):
    """The charts by the names of their files. Raises Error if the results lack one."""
    charts = {}
    for file, (charts_of, run, benchmark) in PLOTS_OF_DOCUMENTATION.items():
        found = [chart for chart in charts_of(results) if chart["title"] == benchmark
                 and chart["caption"] in (run, f"{run}, over the computation alone")]
        if len(found) != 1:
            raise Error(f"the results have {len(found)} charts of '{benchmark}' in the run '{run}'; expected one: "
                        "run ./dev bench without a word, or with each of async_overlap, dart_rma and apps_lulesh")
        charts[file] = found[0]
    return charts
