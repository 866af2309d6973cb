#!/usr/bin/env python3
"""Tests the modules of dash-report. bench.sh tests the command.

    dash_report_test.py <folder of the modules> [arguments of unittest...]
"""
import copy
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))

import charts  # noqa: E402
import page  # noqa: E402
import results as reader  # noqa: E402
import tables  # noqa: E402

try:
    plotter = page.Plotter()
except ImportError:
    plotter = None


def row(name, size, ours_ns, baseline_ns, baseline="baseline", goal="", met=None):
    ratio = ours_ns / baseline_ns
    return {"name": name, "size": size, "unit": "ns", "ours": {"text": "ours", "samples": [ours_ns] * 3},
            "baseline": {"name": baseline, "text": "its time", "samples": [baseline_ns] * 3},
            "ratio": {"text": "ratio", "low": ratio, "median": ratio, "high": ratio},
            "noise": "", "goal": goal, "met": met}


def goal(name, size, ours_ns, baseline_ns, met, **more):
    return row(name, size, ours_ns, baseline_ns, goal="<= 1.05", met=met, **more)


def run(rows, units=2, layout="node", program="bench_thing", **more):
    return {"program": program, "units": units, "layout": layout, "mode": "auto", "seconds": 10, "code": 0,
            "rows": rows, "notes": [], **more}


def file_of(*runs, **more):
    """The content of a file."""
    return {"format": "dash-bench 2", "began": "2026-01-02T03:04:05Z", "sampling": "full", "word": "",
            "seconds": 60, "machine": {"processors": 2, "memory_gib": 23.54, "load": 0.1},
            "versions": {"commit": {"id": "0123456789abcdef", "modified": False}}, "settings": {},
            "runs": list(runs), **more}


def read_text(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "results.json")
        path.write_text(text)
        return reader.read_results(str(path))


def read(*runs, **more):
    return read_text(json.dumps(file_of(*runs, **more)))


class Reading(unittest.TestCase):
    def test_run_names_leave_out_the_usual(self):
        self.assertEqual(reader.name_of_run(run([])), "thing, 2 units")
        self.assertEqual(reader.name_of_run(run([], layout="nolocal") | {"mode": "poll"}),
                         "thing, 2 units, nolocal, progress poll")
        self.assertEqual(reader.name_of_run(run([], units=0)), "thing")

    def test_indented_rows_belong_to_the_row_before(self):
        rows = [row("put", "8 B", 1, 2), row("  again", "8 B", 1, 2), row("get", "", 1, 2)]
        names = [each["full_name"] for each in read(run(rows))["runs"][0]["rows"]]
        self.assertEqual(names, ["put", "put: again", "get"])

    def test_settings_that_are_not_defaults_have_their_source(self):
        library = {"DART_BIND": {"value": "auto", "source": "default"},
                   "DART_SPIN_US": {"value": "7", "source": "environment"}}
        settings = {"DART_SPIN_US": "7", "UCX_LOG_LEVEL": "error"}
        self.assertEqual(read(settings=settings, library_settings=library)["settings"],
                         {"UCX_LOG_LEVEL": "error", "DART_SPIN_US": "7 (environment)"})

    def test_files_with_the_old_names_are_read(self):
        text = json.dumps(file_of(run([goal("put", "8 B", 1, 2, True)])))
        for old, new in (("what", "name"), ("twin", "baseline"), ("bar", "goal"), ("effort", "sampling")):
            text = text.replace(f'"{new}":', f'"{old}":')
        results = read_text(text.replace("dash-bench 2", "dash-bench 1"))
        self.assertEqual(tables.goals_text(reader.rows_of(results)), "1 of 1 goals met")

    def test_wrong_files_are_refused(self):
        for text, message in (("{", "is not JSON, or not complete"), ("[]", "was not written by ./dev bench"),
                              ('{"format": "other"}', "was not written by ./dev bench"),
                              ('{"format": "dash-bench 2"}', "differs from what ./dev bench writes")):
            with self.assertRaisesRegex(reader.Error, message):
                read_text(text)
        with self.assertRaisesRegex(reader.Error, "^missing.json cannot be read: No such file"):
            reader.read_results("missing.json")
        broken = file_of(run([row("put", "8 B", 1, 2)]))
        broken["runs"][0]["rows"][0]["ours"]["samples"][1] = None
        with self.assertRaisesRegex(reader.Error, "differs from what ./dev bench writes: TypeError"):
            read_text(json.dumps(broken))

    def test_parts_are_merged(self):
        first = read(run([row("put", "8 B", 1, 2)]), run([], layout="nolocal", program="bench_other"))
        second = read(run([row("put", "8 B", 3, 2)]), run([], units=4), began="2026-01-02T02:00:00Z")
        second["machine"]["load"] = "0.2"
        other = copy.deepcopy(second)
        both = reader.merge([copy.deepcopy(first), second])
        self.assertEqual([each["title"] for each in both["runs"]],
                         ["other, 2 units, nolocal", "thing, 2 units", "thing, 4 units"])
        self.assertEqual(both["runs"][1]["rows"][0]["ours"]["samples"][0], 3)
        self.assertEqual(both["seconds"], 30)
        self.assertEqual(both["began"], "2026-01-02T02:00:00Z")
        other["versions"]["commit"] = "1"
        with self.assertRaisesRegex(reader.Error, "cannot be merged: commit is 0123456789ab in the first"):
            reader.merge([first, other])


class Tables(unittest.TestCase):
    def test_rows_that_differ_in_size_are_one_line_of_markdown(self):
        text = tables.markdown(read(run([
            goal("put", "8 B", 50, 100, True), goal("put", "64 B", 120, 100, False),
            row("get | b", "8 B", 1, 2)])))
        self.assertIn("**1 of 2 goals met.**", text)
        self.assertIn("- machine: processors: 2; memory_gib: 23.5; load: 0.1\n"
                      "- versions: commit: 0123456789ab\n", text)
        self.assertIn("| thing, 2 units | put | 8 B to 64 B | baseline | 0.5 to 1.2 | <= 1.05 | "
                      "**1 of 2**, not 64 B |", text)
        self.assertIn("| thing, 2 units | get \\| b | 8 B | baseline | 0.5 |", text)

    def test_a_size_with_another_baseline_is_no_part_of_a_range(self):
        text = tables.markdown(read(run([goal("put", "8 B", 50, 100, True), row("get", "8 B", 1, 2),
                                         goal("put", "64 B", 50, 100, True, baseline="persistent"),
                                         goal("put", "4 KiB", 70, 100, True)])))
        self.assertIn("| put | 8 B, 4 KiB | baseline | 0.5 to 0.7 | <= 1.05 | 2 of 2 |", text)
        self.assertIn("| put | 64 B | persistent | 0.5 | <= 1.05 | met |", text)

    def test_goals_are_counted(self):
        results = read(run([goal("put", "8 B", 90, 100, True), goal("put", "64 B", 110, 100, False),
                            goal("get", "8 B", 90, 100, True)]))
        text = tables.markdown(results)
        for part in ("**2 of 3 goals met.**", "| **1 of 2**, not 64 B |", "| met |"):
            self.assertIn(part, text)
        for text in (tables.text_table(results), page.html_report(results, None)):
            self.assertIn("2 of 3 goals met", text)

    def test_failures_are_listed_without_the_other_notes(self):
        results = read(run([], layout="tcp", code=3, notes=["failed: a comparison", "5 rounds"]))
        for text, mark in ((tables.markdown(results), "- "), (tables.text_table(results), "  ")):
            self.assertIn("thing, 2 units, tcp failed with code 3", text)
            self.assertIn(f"{mark}failed: a comparison\n", text)
            self.assertNotIn("5 rounds", text)

    def test_csv_has_medians_and_full_names(self):
        text = tables.csv_table(read(run([row("put", "8 B", 1, 2), row("  again", "8 B", 1, 2)])))
        self.assertEqual(text.splitlines()[2],
                         '"thing, 2 units",put: again,8 B,ns,1.0,baseline,2.0,0.5,0.5,0.5,,,')

    def test_a_document_keeps_the_text_outside_of_the_marks(self):
        begin, end = tables.BEGIN_MARK, tables.END_MARK
        document = f"# A\n{begin}\nold\n{end}\nmore\n"
        self.assertEqual(tables.with_results(document, "new\n"), f"# A\n{begin}\n\nnew\n\n{end}\nmore\n")
        for wrong in ("# A\n", document + document, f"{end}\n{begin}\n"):
            with self.assertRaisesRegex(tables.Error, "was expected"):
                tables.with_results(wrong, "new")


class Charts(unittest.TestCase):
    def test_sizes_goals_and_labels(self):
        sizes = {"8 B": 8, "64 KiB": 65536, "4 MiB": 4194304, "1 MiB each": 0, "2 units": 0, "": 0}
        self.assertEqual({size: charts.bytes_in(size) for size in sizes}, sizes)
        goals = {"<= 1.05": 1.05, "speed >= 0.5": 2, "<= baseline + 5 ns": 0, "<= 30 us": 0}
        self.assertEqual({text: charts.ratio_in_goal(text) for text in goals}, goals)
        for quantity, value, label in (("bytes", 65536, "64 KiB"), ("ns", 1500, "1.5 us"),
                                       ("ns", 0.5, "0.5 ns"), ("GB/s", 12, "12 GB/s"),
                                       ("units", 4, "4 units"), ("ratio", 0.98, "0.98")):
            self.assertEqual(charts.label_of(quantity, value), label)

    def test_at_least_three_sizes_are_curves_of_latency_and_bandwidth(self):
        results = read(run([row("put", "4 KiB", 100, 200), row("put", "8 KiB", 150, 300),
                            row("put", "8 B", 10, 20), row("get", "8 B", 10, 20),
                            row("put", "64 KiB", 500, 1000)]))
        (latency,) = charts.latency_charts(results)
        self.assertEqual((latency["title"], latency["caption"]), ("put", "thing, 2 units"))
        self.assertEqual(list(latency["series"]), ["DASH", "baseline"])
        self.assertEqual([(x, median) for x, _, median, _ in latency["series"]["DASH"]],
                         [(8, 10), (4096, 100), (8192, 150), (65536, 500)])
        (bandwidth,) = charts.bandwidth_charts(results)
        self.assertEqual(len(bandwidth["series"]["DASH"]), 3)
        self.assertEqual(bandwidth["series"]["DASH"][0], (4096, 40.96, 40.96, 40.96))

    def test_points_contain_four_fifths_of_the_samples(self):
        self.assertEqual(charts.point_of(1, [9, 1, 2, 3, 4, 5, 6, 7, 8, 0, 10]), (1, 1, 5, 9))

    def test_overlap_has_curves_for_all_implementations(self):
        rows = [row("get and computation", "1 MiB", 110, 100), row("  MPI_Rget", "1 MiB", 150, 100),
                row("get and computation", "4 MiB", 101, 100), row("  MPI_Rget", "4 MiB", 180, 100)]
        for each in rows:
            each["baseline"]["name"] = "computation alone"
        results = read(run(rows))
        (chart,) = charts.overlap_charts(results)
        self.assertEqual(list(chart["series"]), ["DASH", "MPI_Rget"])
        self.assertEqual(chart["series"]["MPI_Rget"][1], (4194304, 1.8, 1.8, 1.8))
        self.assertEqual(charts.latency_charts(results), [])

    def test_several_numbers_of_units_are_a_curve(self):
        first, second = charts.scaling_charts(read(
            run([row("barrier", "2 units", 10, 20)]), run([row("barrier", "4 units", 30, 40)], units=4),
            run([row("barrier", "4 units", 90, 80)], units=4, layout="nolocal"),
            run([row("sum, 2 units", "1 MiB", 5, 6), row("sum, 8 units", "1 MiB", 3, 4)], units=0)))
        self.assertEqual((first["title"], first["series"]["DASH"][1]), ("barrier", (4, 30, 30, 30)))
        self.assertEqual((second["title"], second["series"]["DASH"][0]), ("sum, 1 MiB", (2, 5, 5, 5)))

    def test_scaling_has_ours_once_and_a_curve_for_each_baseline(self):
        rows = [row("LULESH", size, ours, theirs, baseline) for size, ours, theirs, baseline in (
            ("1 unit", 80, 81, "shared"), ("1 unit", 80, 82, "two-sided"), ("2 units", 40, 41, "shared"),
            ("2 units", 40, 42, "two-sided"), ("8 units", 20, 21, "shared"), ("8 units", 20, 40, "2 units"))]
        (chart,) = charts.scaling_charts(read(run(rows, units=0)))
        self.assertEqual(chart["title"], "LULESH")
        self.assertEqual({name: [x for x, *_ in points] for name, points in chart["series"].items()},
                         {"DASH": [1, 2, 8], "shared": [1, 2, 8], "two-sided": [1, 2]})

    def test_the_charts_of_the_documentation_are_found_by_run_and_benchmark(self):
        sizes = [f"{size} KiB" for size in (4, 8, 64)]
        overlap = [row("get and computation", size, 110, 100, "computation alone") for size in sizes]
        lulesh = [row("LULESH, 30,30,60", f"{n} units", 80, 81, "shared") for n in (2, 4)]
        runs = [run([row("blocking put", size, 10, 20) for size in sizes], program="bench_dart_rma", layout=layout)
                for layout in ("node", "nolocal")]
        runs += [run(overlap, program="bench_async_overlap"),
                 run(overlap, program="bench_async_overlap", layout="nolocal"),
                 run(lulesh, program="bench_apps_lulesh", units=0)]
        found = charts.charts_of_documentation(read(*runs))
        self.assertEqual(list(found), list(charts.PLOTS_OF_DOCUMENTATION))
        self.assertEqual(found["performance-put"]["caption"], "dart_rma, 2 units, nolocal")
        with self.assertRaisesRegex(tables.Error, "0 charts of 'LULESH, 30,30,60' in the run 'apps_lulesh'"):
            charts.charts_of_documentation(read(*runs[:-1]))


class Page(unittest.TestCase):
    def results(self):
        return read(run([goal("put & get", "8 B", 3, 2, False), row("put", "8 B", 1, 2),
                         row("put", "1 KiB", 1, 2), row("put", "1 MiB", 9, 2)]),
                    run([], layout="tcp", code=3, output="<nothing> works"))

    def check_page(self, text):
        for part in ("<!DOCTYPE html>", "0 of 1 goals met", "NOT MET", "put &amp; get",
                     "&lt;nothing&gt; works", "failed with code 3", "</html>"):
            self.assertIn(part, text)
        for part in ("<script", "<link", "http"):
            self.assertNotIn(part, text)

    def test_a_page_without_matplotlib_names_the_package(self):
        text = page.html_report(self.results(), None)
        self.check_page(text)
        self.assertIn("apt-get install python3-matplotlib", text)
        self.assertNotIn("<img", text)

    @unittest.skipUnless(plotter, "matplotlib is not installed")
    def test_a_page_contains_the_plots(self):
        text = page.html_report(self.results(), plotter)
        self.check_page(text)
        self.assertEqual(text.count("<figure>"), 1)
        # And the ratios of the first run.
        self.assertEqual(text.count('src="data:image/svg+xml;base64,'), 2)

    @unittest.skipUnless(plotter, "matplotlib is not installed")
    def test_an_image_depends_on_the_results_only(self):
        results = read(run([row("put", size, 10, 20) for size in ("8 B", "1 KiB", "1 MiB")]),
                       machine={"processor": "some processor"},
                       versions={"commit": {"id": "0123456789abcdef", "modified": False}})
        (chart,) = charts.latency_charts(results)
        image = plotter.svg_of_curves(chart, results)
        self.assertIn("2026-01-02T03:04:05Z", image)
        self.assertIn("some processor, 2026-01-02, commit 0123456789ab", image)
        self.assertEqual(image, plotter.svg_of_curves(chart, results))


if __name__ == "__main__":
    unittest.main()
