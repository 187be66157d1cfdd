#!/usr/bin/env python3
"""heat.py: heat maps: one hour and one day of samples at 99 Hz on 2 CPUs, against what
was asked of them, and the hour beside trace2heatmap.pl and flamescope.

The hour is kept in BUILD/bench/ (170 MB).  The day (4 GB) and what the peers read are made
in $TMPDIR, once, and removed.

  HEAT_ROUNDS         turns of each                     [ROUNDS, at most 5]
  FLAMESCOPE_ROUNDS   turns of flamescope; 0: none      [1]
"""
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

import run
from run import BUILD, DIR, HERE, PYROGRAPH, Run

ROUNDS = int(os.environ.get("HEAT_ROUNDS", min(run.ROUNDS, 5)))
FLAMESCOPE_ROUNDS = int(os.environ.get("FLAMESCOPE_ROUNDS", 1))
FLAMESCOPE = os.environ.get("FLAMESCOPE_DIR", "")
DAY_BYTES = 6e9     # free space that the day asks for


# ---- inputs ---------------------------------------------------------------------

def hour_lines():
    """BUILD/bench/hour.folded, made by heat_lines.c if it is not there."""
    path = os.path.join(DIR, "hour.folded")
    subprocess.run(["make", "-s", f"BUILD={BUILD}", path], check=True)
    return path


def timed_lines(path):
    """(seconds as text, stack) of each timed line."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("@"):
                time, stack = line[1:].split(" ", 1)
                yield time, stack


def write_points(folded, path):
    """Seconds and microseconds within the second: what offsets-perf.pl makes."""
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(f"{time} {int(time[-9:]) // 1000}\n" for time, _ in timed_lines(folded))


def write_script(folded, path):
    """The same samples as perf script prints them."""
    known = {}

    def as_script(stack):
        process, thread, cpu, *frames = stack.rsplit(" ", 1)[0].split(";")
        places = [f"\tffffffff81000000 {name.removesuffix('_[k]')}+0x10 ([kernel.kallsyms])\n" if name.endswith("_[k]")
                  else f"\t    55d0c0de0000 {name}+0x10 (/usr/bin/server)\n" for name in reversed(frames)]
        return (f"{thread.split('/')[-1]:>16} {process.split('-')[-1]:>7} [{int(cpu[3:]):03}] ", "".join(places) + "\n")

    with open(path, "w", encoding="utf-8") as out:
        for time, stack in timed_lines(folded):
            if stack not in known:
                known[stack] = as_script(stack)
            head, frames = known[stack]
            out.write(f"{head}{time[:-3]}:   10101010 cpu-clock: \n{frames}")


# ---- an hour ----------------------------------------------------------------------

def beside_peers(title, commands, rounds, out):
    """As run.compare(), of commands that each write another format to the same file."""
    def look(_, each):
        each.output_mb = os.path.getsize(out) / 1e6

    runs = run.in_turns([(name, command) for name, command in commands if command], rounds, look)
    run.table(title, ["", "wall s", "min-max", "CPU s", "peak MiB", "file MB", "wall", "peak"],
              [row(name, each, next(iter(runs.values()))) for name, each in runs.items()])
    return runs


def row(name, runs, first):
    walls = [each.wall_s for each in runs]
    wall = run.median(runs, "wall_s")
    return [name, f"{wall:.3f}", f"{min(walls):.3f}-{max(walls):.3f}", f"{run.median(runs, 'cpu_s'):.3f}", run.mib(runs),
            f"{run.median(runs, 'output_mb'):.2f}", run.factor(wall, run.median(first, "wall_s")),
            run.factor(run.median(runs, "peak_mib"), run.median(first, "peak_mib")) if run.GNU_TIME else "-"]


def bench_hour(hour, tmp):
    """The heat map of an hour: what it costs, in files, in a browser, and beside the peers."""
    out, svg = os.path.join(tmp, "out"), os.path.join(DIR, "hour.svg")
    script = os.path.join(tmp, "hour.perf")
    heat = f"{PYROGRAPH} render heat -q {hour}"
    commands = [("pyrograph render heat", f"{heat} -f svg >{out}"), ("... packed", f"{heat} -f svgz >{out}")]
    runs = beside_peers(f"An hour at 99 Hz on 2 CPUs ({os.path.getsize(hour) / 1e6:.0f} MB of timed lines) to a heat map",
                        commands, ROUNDS, out)
    subprocess.run(f"{heat} -o {svg}", shell=True, check=True)
    rows = [("written, s", run.median(runs["pyrograph render heat"], "wall_s"), 1),
            ("file, MB", run.median(runs["pyrograph render heat"], "output_mb"), 4),
            ("as .svgz, MB", run.median(runs["... packed"], "output_mb"), 1.5)]
    results = run.browser_results(ROUNDS, "heat_browser.js", svg, "ranges")
    run.targets(f"An hour in a browser, medians of {len(results)}", rows + opened(results, 1000, None) + selected(results))
    with_trace2heatmap(hour, tmp, out)
    if FLAMESCOPE and FLAMESCOPE_ROUNDS:
        write_script(hour, script)
        with_flamescope(script, commands[0], results, out)
        os.unlink(script)


def with_trace2heatmap(hour, tmp, out):
    """Times and values alone: trace2heatmap.pl can do nothing else."""
    points = os.path.join(tmp, "hour.points")
    if not TRACE2HEATMAP:
        return
    write_points(hour, points)
    ours = (f"{PYROGRAPH} collapse -q --format points --unit us {points} | "
            f"{PYROGRAPH} render heat -q --y value --min 0 --max 1000000us --rows 50")
    theirs = f"{TRACE2HEATMAP} --unitslabel=us --minlat 0 --maxlat 1000000 --rows 50 {points}"
    beside_peers(f"The hour's times and values alone ({os.path.getsize(points) / 1e6:.1f} MB) to a heat map", [
        ("pyrograph collapse --format points | render heat", f"{ours} >{out}"), ("trace2heatmap.pl", f"{theirs} >{out}")],
                 ROUNDS, out)
    with open(points, encoding="utf-8") as file:
        events = sum(1 for _ in file)
    counted = subprocess.run(f"{ours} -f tsv", shell=True, capture_output=True, text=True, check=True).stdout.splitlines()
    place = counted[0].split("\t").index("events")
    mine = sum(int(float(line.split("\t")[place])) for line in counted[1:] if not line.startswith("#"))
    drawn = subprocess.run(theirs, shell=True, capture_output=True, text=True, check=False).stdout
    peer = sum(int(count) for count in re.findall(r"\bs\('[^']*','[^']*',(\d+)", drawn))
    print(f"  events in the cells, of {events:,}: pyrograph {mine:,}, trace2heatmap.pl {peer:,}")
    os.unlink(points)


def with_flamescope(script, ours, results, out):
    """flamescope reads what perf script prints; a browser and a server would come on top."""
    program = f"{shlex.quote(sys.executable)} {shlex.quote(os.path.join(HERE, 'flamescope.py'))} {shlex.quote(FLAMESCOPE)}"
    runs = run.in_turns([ours, ("flamescope", f"{program} heat {script} >{out}")], FLAMESCOPE_ROUNDS,
                        lambda _, each: setattr(each, "output_mb", os.path.getsize(out) / 1e6))
    run.table(f"The hour beside flamescope, whose text of perf script has {os.path.getsize(script) / 1e6:.0f} MB",
              ["", "wall s", "min-max", "CPU s", "peak MiB", "file MB", "wall", "peak"],
              [row(name, each, runs[ours[0]]) for name, each in runs.items() if ours[0] in runs])
    if not results:
        return
    ranges = results[0]["ranges"]
    command = f"{program} ranges {script} " + " ".join(f"{r['from'] / 1e9}:{r['to'] / 1e9}" for r in ranges)
    told = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    if told.returncode:
        run.failed.append((command, told.stderr.strip()[-300:]))
        return
    theirs = json.loads(told.stdout)
    mine = [statistics.median(each) for each in zip(*([r["ms"] for r in result["ranges"]] for result in results))]
    run.table("From a range of the hour to its flame graph: ours painted, flamescope's not yet sent, ms",
              ["", "pyrograph", "flamescope", "factor"],
              [[f"{(r['to'] - r['from']) / 1e9:.0f} s" + (" (the first one)" if not i else ""), f"{a:.0f}", f"{b:.0f}",
                run.factor(b, a)] for i, (r, a, b) in enumerate(zip(ranges, mine, theirs))])


# ---- in a browser -------------------------------------------------------------------

def middle(results, value):
    return statistics.median(map(value, results))


def opened(results, paint_ms, ready_ms):
    if not results:
        return []
    return [("first contentful paint, ms", middle(results, lambda r: r["paint_ms"]), paint_ms),
            ("ready to be used, ms", middle(results, lambda r: r["ready_ms"]), ready_ms),
            ("the tab's process when ready (PSS), MB", middle(results, lambda r: r["opened"]["pss"] / 1e6), None),
            ("... after all this, MB", middle(results, lambda r: r["used"]["pss"] / 1e6), None),
            ("... most ever (RSS), MB", middle(results, lambda r: r["used"]["peak"] / 1e6), None)]


def selected(results, target=200):
    """From the range to its flame graph: the first one apart, which is slower."""
    if not results:
        return []
    times = [statistics.median(each) for each in zip(*([r["ms"] for r in result["ranges"]] for result in results))]
    return [("a range to its flame graph, the first, ms", times[0], None),
            (f"... median of {len(times) - 1} others, ms", statistics.median(times[1:]), target),
            ("... slowest of them, ms", max(times[1:]), None)]


def zoomed(results):
    if not results:
        return []

    def each(key):
        return [statistics.median(step[key] for step in steps) for steps in zip(*(result["zooms"] for result in results))]

    last = results[0]["zooms"][-1]["cells"]
    return [(f"drawn again, median of {len(each('ms'))} zooms to {last}, ms", statistics.median(each("ms")), None),
            ("... slowest of them, ms", max(each("ms")), None),
            (f"drawn again, back to {results[0]['back']['cells']}, ms", middle(results, lambda r: r["back"]["ms"]), None)]


# ---- a day -------------------------------------------------------------------------

def bench_day(tmp):
    """17 million samples of 20,000 stacks."""
    lines, svg, packed = (os.path.join(tmp, "day." + ending) for ending in ("folded", "svg", "svgz"))
    free = shutil.disk_usage(tmp).free
    if free < DAY_BYTES:
        print(f"\nheat: no room for the day in {tmp}: {free / 1e9:.1f} GB free, {DAY_BYTES / 1e9:.0f} wanted; set TMPDIR")
        return
    subprocess.run(["make", "-s", f"BUILD={BUILD}", os.path.join(DIR, "heat_lines")], check=True)
    subprocess.run(f"{os.path.join(DIR, 'heat_lines')} 24 >{lines}", shell=True, check=True)
    commands = [("svg", f"{PYROGRAPH} render heat -q -o {svg} {lines}"), ("svgz", f"{PYROGRAPH} render heat -q -o {packed} {lines}")]
    runs = run.in_turns(commands, min(ROUNDS, 3))
    if len(runs) < len(commands):
        return
    rows = [("written, s", run.median(runs["svg"], "wall_s"), 10), ("... packed, s", run.median(runs["svgz"], "wall_s"), None),
            ("... CPU s", run.median(runs["svg"], "cpu_s"), None)]
    if run.GNU_TIME:
        rows.append(("... peak, MiB", run.median(runs["svg"], "peak_mib"), 1024))
    rows += [("file, MB", os.path.getsize(svg) / 1e6, 40), ("as .svgz, MB", os.path.getsize(packed) / 1e6, 15)]
    size = os.path.getsize(lines) / 1e9
    os.unlink(lines)
    zooms = run.browser_results(ROUNDS, "heat_browser.js", svg, "zoom")
    ranges = run.browser_results(ROUNDS, "heat_browser.js", svg, "ranges")
    run.targets(f"A day at 99 Hz on 2 CPUs ({size:.1f} GB of timed lines), medians of {len(zooms)}",
                rows + opened(zooms, None, 3000) + zoomed(zooms) + selected(ranges, None))


def main():
    os.makedirs(DIR, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pyrograph-bench-") as tmp:
        bench_hour(hour_lines(), tmp)
        bench_day(tmp)
    return run.tell_failures()


if __name__ == "__main__":
    # run.py names other peers: these are ours
    run.missing[:] = [] if run.GNU_TIME else ["time (for the peak)"]
    TRACE2HEATMAP = run.find("trace2heatmap.pl", " (HEATMAP_DIR or PATH)", "HEATMAP_DIR")
    if not os.path.exists(os.path.join(FLAMESCOPE, "app/perf/heatmap.py")):
        FLAMESCOPE = ""
        run.missing.append("flamescope (FLAMESCOPE_DIR)")
    sys.exit(main())
