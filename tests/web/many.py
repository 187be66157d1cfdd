"""Makes a directory as the reports of a fleet leave it, the same one each time.

    many.py DIR CHARTS [KBYTES]    so many charts, seven a run, each of about KBYTES [30]
"""
import os
import random
import sys
from datetime import datetime, timedelta

KINDS = [("", "flame", "cpu-clock", "samples", "CPU"), ("-heat", "heat", "cpu-clock", "samples", "CPU over time"),
         ("-states", "states", "sched", "ns", "Scheduler states"), ("-tenancy", "tenancy", "sched", "ns", "CPU tenancy"),
         ("-offcpu", "flame", "offcpu", "ns", "Off-CPU time"), ("-latency", "heat", "offcpu", "ns", "Off-CPU latency"),
         ("-wakeup", "flame", "wakeup", "ns", "Waits for a CPU")]
SERVICES = ["process 8513", "nginx", "catalogue", "checkout", "processes named ^java$", "make -j4"]
HOSTS = [f"db{i}" for i in range(1, 9)] + [f"web-{i:02}" for i in range(1, 13)]


def boxes(rng):
    """A flame graph's rectangles: wide ones below, narrow ones above."""
    out, spans = [], [(10.0, 1180.0)]
    for level in range(30):
        above = []
        for x, width in spans:
            colour = f"#{rng.randrange(200, 256):02x}{rng.randrange(60, 200):02x}{rng.randrange(20, 60):02x}"
            out.append(f'<rect x="{x:.2f}" y="{560 - 16 * level}" width="{width:.2f}" height="15" fill="{colour}"/>')
            cut = width * rng.uniform(0.3, 0.95)
            above += [(x, cut), (x + cut, width - cut)] if rng.random() < 0.4 else [(x, cut)]
        spans = [span for span in above if span[1] > 2]
    return "\n".join(out)


def main():
    directory, charts = sys.argv[1], int(sys.argv[2])
    size = int(sys.argv[3]) * 1000 if len(sys.argv) > 3 else 30000
    rng = random.Random(15)
    bodies = [boxes(rng) for _ in range(16)]
    bodies = [(body + "\n<!--" + "x" * max(0, size - len(body)) + "-->").encode() for body in bodies]
    start = datetime(2026, 11, 21, 10, 15, 2)
    for i in range(charts):
        if i % len(KINDS) == 0:
            start -= timedelta(seconds=rng.randrange(600, 7200))
            host, service = rng.choice(HOSTS), rng.choice(SERVICES)
            lost = rng.choice([0, 0, 0, 0, 3, 40, 400])
            wait = int(10 ** rng.uniform(6, 9))
        suffix, kind, event, unit, title = KINDS[i % len(KINDS)]
        name = f"{host}-{start:%Y-%m-%dT%H%M%SZ}{suffix}.svg"
        facts = (f'"kind":"{kind}","title":"{title}: {service}","unit":"{unit}","total":{rng.randrange(500, 90000)},'
                 f'"host":"{host}","event":"{event}","start":"{start:%Y-%m-%dT%H:%M:%S}.014325678Z",'
                 f'"end":"{start + timedelta(seconds=10):%Y-%m-%dT%H:%M:%S}.120000000Z","rate":"99Hz","kernel":"6.1.0",'
                 f'"command":"pyrograph collect cpu,sched,offcpu -p 8513 -d 10","lost":"{lost}/12345"')
        if event == "offcpu":
            facts += f',"longest":"{wait}"'
        path = os.path.join(directory, name)
        head = ('<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600" viewBox="0 0 1200 600">\n'
                f'<metadata id="pyrograph">{{{facts}}}</metadata>\n'
                '<rect x="0" y="0" width="1200" height="600" fill="#ffffff"/>\n')
        with open(path, "wb", buffering=0) as file:
            file.write(head.encode() + rng.choice(bodies) + b"\n</svg>\n")
        os.utime(path, (start.timestamp(), start.timestamp()))


main()
