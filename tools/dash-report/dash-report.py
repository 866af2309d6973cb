#!/usr/bin/env python3
"""Presents the results of ./dev bench: as a table, as CSV, as Markdown or as an HTML report with plots.

Needs only Python, and matplotlib for the plots.
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True  # the modules are in the source tree

from charts import charts_of_documentation  # noqa: E402
from page import NO_MATPLOTLIB, Plotter, html_report  # noqa: E402
from results import Error, merge, read_results, read_text  # noqa: E402
from tables import BEGIN_MARK, END_MARK, csv_table, markdown, text_table, with_results  # noqa: E402


def write(path, text):
    try:
        pathlib.Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Error(f"{path} cannot be written: {error.strerror}") from error


def write_report(path, results):
    plotter = None
    try:
        plotter = Plotter()
    except ImportError:
        print(f"dash-report: {NO_MATPLOTLIB}", file=sys.stderr)
    write(path, html_report(results, plotter))


def write_plots(folder, results):
    try:
        plotter = Plotter()
    except ImportError:
        raise Error(NO_MATPLOTLIB) from None
    for name, chart in charts_of_documentation(results).items():
        write(pathlib.Path(folder, f"{name}.svg"), plotter.svg_of_curves(chart, results))


def update(path, text):
    document = read_text(path)
    try:
        write(path, with_results(document, text))
    except Error as error:
        raise Error(f"{path}: {error}") from error


def main():
    parser = argparse.ArgumentParser(prog="dash-report", description="Presents the results of ./dev bench.")
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help="results.json as ./dev bench writes it. Several files of the same commit and "
                        "machine, each with a part of the programs, are merged; of a run that occurs twice "
                        "the later one counts")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true",
                      help="print Markdown; rows that differ only in size are one line")
    form.add_argument("--csv", action="store_true", help="print comma-separated values")
    parser.add_argument("-o", "--output", metavar="FILE.html",
                        help="write an HTML report that needs no other file")
    parser.add_argument("--update", metavar="FILE.md",
                        help=f"write the Markdown into a document, between the lines {BEGIN_MARK} and "
                        f"{END_MARK}")
    parser.add_argument("--plots", metavar="FOLDER",
                        help="write the plots of the page on performance, as SVG files; needs the results of "
                        "async_overlap, dart_rma and apps_lulesh")
    options = parser.parse_args()
    try:
        if options.output in options.files:
            raise Error(f"{options.output} contains the results: give the report another name")
        results = merge([read_results(file) for file in options.files])
        form_of = markdown if options.markdown else csv_table if options.csv else text_table
        print(form_of(results), end="")
        if options.output:
            write_report(options.output, results)
        if options.update:
            update(options.update, markdown(results))
        if options.plots:
            write_plots(options.plots, results)
    except Error as error:
        sys.exit(f"dash-report: {error}")


if __name__ == "__main__":
    main()
