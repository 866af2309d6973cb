"""An HTML report that needs no other file. Matplotlib draws its plots; without it there are none."""
import base64
import html
import io

from charts import bandwidth_charts, label_of, latency_charts, overlap_charts, ratio_in_goal, scaling_charts
from results import ratio_median, rows_of
from tables import HEAD, cells_of, goals_text

NO_MATPLOTLIB = ("no plots, because matplotlib is not installed "
                 "(Debian and Ubuntu: apt-get install python3-matplotlib)")


class Plotter:
    """Draws with matplotlib; returns images as HTML elements that contain their data.

    The constructor raises ImportError if matplotlib is not installed.
    """

    def __init__(self):
        import matplotlib.figure
        import matplotlib.ticker
        self.new_figure = matplotlib.figure.Figure
        self.ticker = matplotlib.ticker
        # The salt makes the identifiers in an image depend on its content only.
        matplotlib.rcParams.update({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "dash-report"})

    @staticmethod
    def image_of(figure):
        data = io.BytesIO()
        figure.savefig(data, format="svg")
        text = base64.b64encode(data.getvalue()).decode()
        return f'<img alt="" src="data:image/svg+xml;base64,{text}">\n'

    def figure_of_curves(self, chart):
        figure = self.new_figure(figsize=(5, 3.1), layout="constrained")
        axes = figure.add_subplot(title=chart["title"])
        for name, points in chart["series"].items():
            x, low, median, high = zip(*points)
            below = [m - value for m, value in zip(median, low)]
            above = [value - m for m, value in zip(median, high)]
            axes.errorbar(x, median, yerr=[below, above], marker="s", markersize=4, label=name)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(self.ticker.LogLocator(2, numticks=8))
        axes.xaxis.set_major_formatter(lambda value, _: label_of(chart["x"], value))
        if chart["y"] == "ratio":
            axes.axhline(1, color="black", linewidth=0.8)
        else:
            axes.set_yscale("log")
            least, most = axes.get_ylim()
            if most < 5 * least:  # powers of ten alone would leave the axis without labels
                axes.yaxis.set_major_locator(self.ticker.MaxNLocator(5))
            elif most < 100 * least:
                axes.yaxis.set_major_locator(self.ticker.LogLocator(10, subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(self.ticker.NullLocator())
        axes.yaxis.set_major_formatter(lambda value, _: label_of(chart["y"], value))
        axes.grid(axis="y")
        axes.legend(frameon=False)
        return figure

    def curves(self, chart):
        image = self.image_of(self.figure_of_curves(chart))
        return f"<figure>{image}<figcaption>{html.escape(chart['caption'])}</figcaption></figure>\n"

    def svg_of_curves(self, chart, results):
        """The text of an SVG file. It states the processor, the date and the commit of the results."""
        figure = self.figure_of_curves(chart)
        origin = (results["machine"]["processor"], results["began"][:10], "commit " + results["versions"]["commit"])
        figure.supxlabel(", ".join(origin), fontsize=6, color="gray")
        data = io.StringIO()
        figure.savefig(data, format="svg", metadata={"Date": results["began"], "Creator": None})
        return data.getvalue()

    def ratios(self, run):
        """The ratio of each row with its interval and its goal, on a logarithmic axis from 1/8 to 8."""
        rows = [row for row in run["rows"] if ratio_median(row) is not None]
        if not rows:
            return ""
        figure = self.new_figure(figsize=(9, 0.9 + 0.2 * len(rows)), layout="constrained")
        axes = figure.add_subplot(xscale="log", xlim=(1 / 8, 8), ylim=(len(rows) - 0.5, -0.5))
        for y, row in enumerate(rows):
            low, median, high = (min(max(row["ratio"][key], 1 / 8), 8) for key in ("low", "median", "high"))
            color = "green" if row["ratio"]["high"] < 1 else "red" if row["ratio"]["low"] > 1 else "gray"
            axes.plot([low, median, high], [y] * 3, color=color, linewidth=3, marker="s", markevery=[1])
            axes.plot(ratio_in_goal(row["goal"]), y, "|", color="black", markersize=9)
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_xticks([1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8], ["1/8", "1/4", "1/2", "1", "2", "4", "8"])
        axes.set_xticks([], minor=True)
        axes.set_yticks(range(len(rows)), [f"{row['full_name']} {row['size']}" for row in rows])
        axes.grid(axis="x")
        return self.image_of(figure)


HEADER = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>DASH benchmarks</title>
<style>
body { margin: 2em auto; max-width: 1200px; padding: 0 1em; font: 15px/1.5 sans-serif; color: #222; }
table { border-collapse: collapse; font-size: 13.5px; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid #ddd; white-space: pre; }
figure { display: inline-block; margin: 0 1em 1em 0; }
figcaption { text-align: center; }
details { border: 1px solid #ddd; margin: 8px 0; padding: 8px 14px; overflow-x: auto; }
</style>
</head>
<body>
<h1>DASH benchmarks</h1>
"""
EXPLANATION = """\
Each row compares DASH with a baseline (plain memory, MPI); the two are sampled alternately. The ratio is
our time over that of the baseline: below 1 ours is faster. The interval after it contains the median of the
ratio with a confidence of 95 %. The plots of ratios show both, and the goal as a black line. Settings are
listed if they are not defaults."""


def html_table(head, lines):
    """No table if there are no lines."""
    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>\n"

    body = "".join(row("td", line) for line in lines)
    return f"<table>\n{row('th', head)}{body}</table>\n" if lines else ""


def html_run(run, plotter):
    text = f"<details><summary>{html.escape(run['title'])}: {goals_text(run['rows'])}"
    if run["code"] != 0:
        text += f", failed with code {run['code']}"
    text += f", {run['seconds']:.0f} s</summary>\n"
    text += html_table(HEAD[1:], [cells_of(run, row)[1:] for row in run["rows"]])
    if plotter:
        text += plotter.ratios(run)
    text += "".join(f"<p>{html.escape(note)}</p>\n" for note in run["notes"])
    if run.get("output"):
        text += f"<pre>{html.escape(run['output'])}</pre>\n"
    return text + "</details>\n"


def html_plots(results, plotter):
    text = ""
    for title, comment, charts in (
            ("Overlap", "Communication with computation, over the computation alone: 1 is perfect. Error "
             "bars: 95 % confidence interval of the median.", overlap_charts(results)),
            ("Latency", "Medians. Error bars contain four fifths of the samples.", latency_charts(results)),
            ("Bandwidth", "Bytes over time, of the same samples.", bandwidth_charts(results)),
            ("Scaling", "Time with more units on the same machine; for kernels and LULESH, of the same "
             "problem.", scaling_charts(results))):
        if charts:
            text += f"<h2>{title}</h2>\n<p>{comment}</p>\n" + "".join(map(plotter.curves, charts))
    return text


def html_report(results, plotter):
    rows = rows_of(results)
    summary = (f"{results['began']}, {results['sampling']} sampling{', only ' * bool(results['word'])}"
               f"{results['word']}: {len(rows)} rows of {len(results['runs'])} runs of programs in "
               f"{results['seconds'] / 60:.0f} minutes. {goals_text(rows)}.")
    missed = [cells_of(run, row, "full_name") for run in results["runs"] for row in run["rows"]
              if row["met"] is False]
    text = HEADER + f"<p>{html.escape(summary)}</p>\n<p>{EXPLANATION}</p>\n"
    for group in ("machine", "versions", "settings"):
        text += html_table((group, ""), list(results[group].items()))
    text += "<h2>Goals not met</h2>\n" + (html_table(HEAD, missed) or "<p>None.</p>\n")
    text += html_plots(results, plotter) if plotter else f"<p>{NO_MATPLOTLIB}</p>\n"
    text += "<h2>All runs</h2>\n" + "".join(html_run(run, plotter) for run in results["runs"])
    return text + "</body>\n</html>\n"
