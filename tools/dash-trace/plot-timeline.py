#!/usr/bin/env python3
"""Draws a part of a timeline that DART_TRACE=FILE has recorded, for a document. Needs matplotlib.

To look at a timeline, open it in https://ui.perfetto.dev or https://www.speedscope.app instead.
"""
import argparse
import collections
import json

from matplotlib.figure import Figure

COLORS = {"task": "#0072b2", "call": "#8a8a8a", "wait": "#e69f00", "progress": "#56b4e9", "flight": "#009e73",
          "collective": "#cc79a7"}
LABELS = {"call": "call of the library", "wait": "wait", "task": "task", "progress": "poll that made progress",
          "flight": "transfer in flight", "collective": "collective"}
KINDS = {"call": "call", "wait": "wait", "task": "task", "progress": "progress", "operation": "flight",
         "copy": "flight", "collective": "collective"}


def rows_of(events):
    """For each unit and thread, and for the flights of each unit: kind -> [(begin, duration)], in microseconds."""
    names, begins = {}, {}
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    # By time: the end of a flight may precede its begin in the file, if another thread recorded it.
    for event in sorted(events, key=lambda event: event.get("ts", float("-inf"))):
        unit, kind = event.get("pid"), KINDS.get(event.get("cat"))
        if event["name"] == "thread_name":
            names[unit, event["tid"]] = event["args"]["name"]
        elif event["ph"] == "X" and kind and event["name"] not in ("sleeping", "sleep"):
            rows[unit, event["tid"]][kind].append((event["ts"], event["dur"]))
        elif event["ph"] == "b" and kind in ("flight", "collective"):
            begins[unit, event["cat"], event["id2"]["local"]] = event["ts"]
        elif event["ph"] == "e" and (unit, event["cat"], event["id2"]["local"]) in begins:
            begin = begins.pop((unit, event["cat"], event["id2"]["local"]))
            rows[unit, "in flight"][kind].append((begin, event["ts"] - begin))
    return names, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", metavar="FILE.json")
    parser.add_argument("--from", dest="begin", type=float, default=0, metavar="MS", help="begin, in milliseconds")
    parser.add_argument("--to", dest="end", type=float, required=True, metavar="MS", help="end, in milliseconds")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.svg")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        names, rows = rows_of(json.load(file))

    places = sorted(rows, key=lambda place: (place[0], str(place[1])))
    figure = Figure(figsize=(11, 1.2 + 0.35 * len(places)), layout="constrained")
    axes = figure.add_subplot(xlabel="ms", xlim=(options.begin, options.end), ylim=(len(places), 0))
    for y, place in enumerate(places):
        for kind in COLORS:  # in this order: a wait covers the call or the task that contains it
            spans = [(begin / 1e3, duration / 1e3) for begin, duration in rows[place][kind]
                     if begin / 1e3 < options.end and (begin + duration) / 1e3 > options.begin]
            axes.broken_barh(spans, (y + 0.1, 0.8), color=COLORS[kind])
    axes.set_yticks([y + 0.5 for y in range(len(places))],
                    [f"unit {unit}, {names.get((unit, thread), thread)}" for unit, thread in places])
    for kind, color in COLORS.items():
        axes.bar(0, 0, color=color, label=LABELS[kind])
    axes.legend(ncols=len(COLORS), loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
    figure.savefig(options.output)


if __name__ == "__main__":
    main()
