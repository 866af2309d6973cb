"""Reads the results that ./dev bench has written, and the properties of their runs and rows."""
import json
import pathlib

FORMAT = "dash-bench 2"
OLD_FORMAT = "dash-bench 1"  # differs in the names of members
OLD_NAMES = {"what": "name", "twin": "baseline", "bar": "goal", "effort": "sampling"}


class Error(Exception):
    """The message says what is wrong with a file or an argument."""


def text_of_value(value):
    if isinstance(value, float):
        return f"{value:.3g}"
    return value if isinstance(value, str) else json.dumps(value)


def name_of_run(run):
    """dart_rma, 2 units, nolocal, progress poll: the usual layout and mode are left out."""
    parts = [run["program"].removeprefix("bench_")]
    if run["units"] > 0:
        parts.append(f"{run['units']} units")
        if run["layout"] != "node":
            parts.append(run["layout"])
    if run["mode"] != "auto":
        parts.append(f"progress {run['mode']}")
    return ", ".join(parts)


def complete_run(run):
    """Adds the title of the run and the full names of its rows; checks that samples are numbers.

    A row whose name is indented belongs to the last one whose name is not.
    """
    run["title"] = name_of_run(run)
    lead = ""
    for row in run["rows"]:
        short = row["name"].lstrip(" ")
        if short == row["name"]:
            lead = short
        row["full_name"] = short if short == row["name"] else f"{lead}: {short}"
        for side in filter(None, (row["ours"], row["baseline"])):
            side["samples"] = [float(sample) for sample in side["samples"]]


def settings_of(results):
    """Settings of the environment, and those of the library that are not defaults, with their source."""
    settings = {name: text_of_value(value) for name, value in results["settings"].items()}
    for name, setting in results.get("library_settings", {}).items():
        settings.pop(name, None)
        if setting["source"] != "default":
            settings[name] = f"{setting['value']} ({setting['source']})"
    return settings


def complete(results, path):
    results["file"] = path
    results["settings"] = settings_of(results)
    commit = results["versions"]["commit"]
    results["versions"]["commit"] = "unknown" if commit is None else (
        commit["id"][:12] + (", modified" if commit["modified"] else ""))
    for group in ("machine", "versions"):
        results[group] = {name: text_of_value(value) for name, value in results[group].items()}
    for run in results["runs"]:
        complete_run(run)
    return results


def read_text(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise Error(f"{path} cannot be read: {error.strerror}") from error


def read_results(path):
    def with_present_names(members):
        return {OLD_NAMES.get(name, name): value for name, value in members.items()}

    try:
        results = json.loads(read_text(path), object_hook=with_present_names)
    except ValueError as error:
        raise Error(f"{path} is not JSON, or not complete: {error}") from error
    if not isinstance(results, dict) or results.get("format") not in (FORMAT, OLD_FORMAT):
        raise Error(f'{path} was not written by ./dev bench: "format" is not "{FORMAT}"')
    try:
        return complete(results, path)
    except (KeyError, TypeError, AttributeError) as error:
        raise Error(f"{path} differs from what ./dev bench writes: {error!r}") from error


def merge(parts):
    """Combines results that were measured in parts. Of a run that occurs twice the later one counts.

    Raises Error if the parts differ in sampling, machine, versions or settings; the load may differ.
    """
    first = parts[0]
    for part in parts[1:]:
        pairs = [("sampling", first["sampling"], part["sampling"])]
        for group in ("machine", "versions", "settings"):
            names = {**first[group], **part[group]}
            pairs += [(name, first[group].get(name), part[group].get(name)) for name in names
                      if name != "load"]
        for name, value, other in pairs:
            if value != other:
                raise Error(f"{first['file']} and {part['file']} cannot be merged: {name} is "
                            f"{value or 'not set'} in the first, {other or 'not set'} in the second")
        replaced = {run["title"] for run in part["runs"]}
        first["runs"] = [run for run in first["runs"] if run["title"] not in replaced] + part["runs"]
        first["began"] = min(first["began"], part["began"])
        if first["word"] != part["word"]:
            first["word"] = ""
    if len(parts) > 1:
        first["runs"].sort(key=lambda run: run["program"])
        first["seconds"] = sum(run["seconds"] for run in first["runs"])
    return first


def rows_of(results):
    return [row for run in results["runs"] for row in run["rows"]]


def baseline_name(row):
    return row["baseline"]["name"] if row["baseline"] else ""


def ratio_median(row):
    """None if there are too few samples for an interval."""
    return (row["ratio"] or {}).get("median")


def failures_of(run):
    """The comparisons that failed: their rows and goals are missing."""
    return [note for note in run["notes"] if note.startswith("failed: ")]


def quantile(samples, q):
    return sorted(samples)[int(q * (len(samples) - 1) + 0.5)]
