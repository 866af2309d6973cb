"""Results as tables: for a terminal, as comma-separated values, and as Markdown."""
import csv
import io

from results import Error, baseline_name, failures_of, quantile, ratio_median, rows_of

HEAD = ("run", "benchmark", "size", "ours", "baseline", "baseline's", "ratio", "noise", "goal", "result")
LEFT_ALIGNED = ("run", "benchmark", "baseline", "goal", "result")
BEGIN_MARK = "<!-- results: begin -->"
END_MARK = "<!-- results: end -->"


def goals_text(rows):
    goals = [row for row in rows if row["met"] is not None]
    return f"{sum(row['met'] for row in goals)} of {len(goals)} goals met"


def result_of(row):
    if row["met"] is None:
        return ""
    return "met" if row["met"] else "NOT MET"


def cells_of(run, row, name="name"):
    baseline, ratio = row["baseline"] or {"name": "", "text": ""}, row["ratio"] or {"text": ""}
    return (run["title"], row[name], row["size"], row["ours"]["text"], baseline["name"], baseline["text"],
            ratio["text"], row["noise"], row["goal"], result_of(row))


def text_table(results):
    lines = [HEAD] + [cells_of(run, row) for run in results["runs"] for row in run["rows"]]
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ""
    for line in lines:
        cells = (cell.ljust(width) if title in LEFT_ALIGNED else cell.rjust(width)
                 for cell, width, title in zip(line, widths, HEAD))
        text += "  ".join(cells).rstrip() + "\n"
    for run in results["runs"]:
        if run["code"] != 0:
            text += f"{run['title']} failed with code {run['code']}\n"
        text += "".join(f"  {failure}\n" for failure in failures_of(run))
    return text + goals_text(rows_of(results)) + "\n"


def csv_table(results):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "benchmark", "size", "unit", "ours", "baseline", "baseline's", "ratio",
                     "ratio low", "ratio high", "noise", "goal", "result"])
    for run in results["runs"]:
        for row in run["rows"]:
            ours, baselines = (quantile(side["samples"], 0.5) if side and side["samples"] else ""
                               for side in (row["ours"], row["baseline"]))
            ratio = [(row["ratio"] or {}).get(key, "") for key in ("median", "low", "high")]
            writer.writerow([run["title"], row["full_name"], row["size"], row["unit"], ours,
                             baseline_name(row), baselines, *ratio, row["noise"], row["goal"],
                             result_of(row)])
    return text.getvalue()


def sizes_text(run, group):
    first, last = group[0], group[-1]
    if first["size"] == last["size"]:
        return first["size"]
    between = run["rows"][run["rows"].index(first):run["rows"].index(last) + 1]
    same = [row for row in between if (row["full_name"], row["goal"]) == (first["full_name"], first["goal"])]
    if len(same) > len(group):  # a range would include sizes that have another baseline
        return ", ".join(row["size"] for row in group)
    return f"{first['size']} to {last['size']}"


def ratios_text(group):
    medians = [ratio_median(row) for row in group if ratio_median(row) is not None]
    if len(group) == 1:
        return f"{medians[0]:.3g}" if medians else (group[0]["ratio"] or {}).get("text", "")
    return f"{min(medians):.3g} to {max(medians):.3g}" if medians else ""


def result_of_group(group):
    missed = [row["size"] for row in group if not row["met"]]
    if len(group) == 1:
        return "**not met**" if missed else result_of(group[0])
    text = f"{len(group) - len(missed)} of {len(group)}"
    return f"**{text}**, not {', '.join(missed)}" if missed else text


def markdown_table(head, lines):
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *escaped])


def markdown_tables(results):
    """Rows that differ only in size are one line; those without a goal have another table."""
    head = ["run", "benchmark", "size", "baseline", "ratio"]
    goals, others = [], []
    for run in results["runs"]:
        groups = {}
        for row in run["rows"]:
            groups.setdefault((row["full_name"], row["goal"], baseline_name(row)), []).append(row)
        for (name, goal, baseline), group in groups.items():
            line = [run["title"], name, sizes_text(run, group), baseline, ratios_text(group)]
            if group[0]["met"] is None:
                others.append(line)
            else:
                goals.append(line + [goal, result_of_group(group)])
    text = "\n" + markdown_table(head + ["goal", "result"], goals) if goals else ""
    return text + ("\nWithout a goal:\n\n" + markdown_table(head, others) if others else "")


def markdown(results):
    def joined(pairs):
        return "; ".join(f"{name}: {value}" for name, value in pairs.items())

    word = f", only {results['word']}" if results["word"] else ""
    text = (f"{results['began']}, {results['sampling']} sampling, {len(results['runs'])} runs of programs in "
            f"{results['seconds'] / 60:.0f} minutes{word}. **{goals_text(rows_of(results))}.**\n\n"
            f"- machine: {joined(results['machine'])}\n- versions: {joined(results['versions'])}\n")
    if results["settings"]:
        text += f"- settings: {joined(results['settings'])}\n"
    for run in results["runs"]:
        if run["code"] != 0:
            text += f"\n{run['title']} failed with code {run['code']}.\n"
        text += "".join(f"- {failure}\n" for failure in failures_of(run))
    return text + markdown_tables(results)


def with_results(document, text):
    """The document with the text between its marks replaced."""
    for mark in (BEGIN_MARK, END_MARK):
        if document.count(mark) != 1:
            raise Error(f"the line {mark} was expected once")
    begin, end = document.index(BEGIN_MARK) + len(BEGIN_MARK), document.index(END_MARK)
    if end < begin:
        raise Error(f"{BEGIN_MARK} was expected before {END_MARK}")
    return f"{document[:begin]}\n\n{text}\n{document[end:]}"
