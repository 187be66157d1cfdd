#!/usr/bin/env python3
"""store.py: a fleet's samples in ClickHouse: how fast they get there, their size, and four queries.

Debian's clickhouse-server is started on loopback, in a directory of its own.  The whole fleet is 100 hosts, an hour, 99 Hz,
two CPUs: 71 million samples of 200,000 stacks, 25 GB of text that is made on the way, and some 1 GB on disk.

  BUILD        where pyrograph and bench/store_samples are   [build]
  STORE_HOSTS  hosts                                         [4; all: 100]
  STORE_ZSTD   1: the server compresses with zstd            [lz4]
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
HOSTS = int(os.environ.get("STORE_HOSTS", 4))
PORT = 20000 + os.getpid() % 20000
SERVER = shutil.which("clickhouse-server", path=os.environ["PATH"] + ":/usr/sbin")
CONFIG = """<yandex><logger><level>warning</level><log>{0}/log</log><errorlog>{0}/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>{1}</http_port><tcp_port>{2}</tcp_port>
<interserver_http_port>{3}</interserver_http_port>{4}
<path>{0}/data/</path><tmp_path>{0}/tmp/</tmp_path><users_config>{0}/users.xml</users_config>
<mark_cache_size>268435456</mark_cache_size><default_profile>default</default_profile>
<default_database>default</default_database></yandex>"""
# 18.16 takes the cores of virtual machines for hyperthreads, and uses only one of two.
USERS = """<yandex><profiles><default><max_threads>%d</max_threads></default></profiles><users><default><password></password><networks><ip>127.0.0.1</ip>
</networks><profile>default</profile><quota>default</quota></default></users><quotas><default></default></quotas></yandex>""" % os.cpu_count()
ZSTD = "<compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio>" \
    "<method>zstd</method></case></compression>"
QUERIES = [  # (name, what is asked for, SQL, options of collapse)
    ("fleet flame graph", 2, "SELECT stack, sum(weight) FROM samples WHERE event = 'cpu-clock' GROUP BY stack", "--root none"),
    ("fleet heat map", 3, "SELECT toUInt32(second) * 50 + intDiv(ns, 20000000) AS cell, count() FROM samples "
     "WHERE event = 'cpu-clock' GROUP BY cell", "--timed --root none --no-stack --resolution 20ms"),
    ("one host's minute", 0.2, "SELECT time, cpu, labels, stack FROM samples WHERE event = 'cpu-clock' AND service = '' AND "
     "host = 'host001' AND intDiv(toUInt32(second), 3600) = 498706 AND toUInt32(second) BETWEEN 1795343400 AND 1795343459",
     "--timed --host host001 --from @1795343400 --to @1795343460"),
    ("by thread", None, "SELECT thread, sum(weight) FROM samples WHERE event = 'cpu-clock' GROUP BY thread",
     "--root thread --no-stack"),
]


def sql(query, database="perf"):
    url = "http://127.0.0.1:%d/?database=%s" % (PORT, database)
    return urllib.request.urlopen(urllib.request.Request(url, query.encode())).read()


def start(directory):
    for name, text in (("config.xml", CONFIG.format(directory, PORT, PORT + 20000, PORT + 20001,
                                                    ZSTD if os.environ.get("STORE_ZSTD") else "")), ("users.xml", USERS)):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
    server = subprocess.Popen([SERVER, "--config-file=" + os.path.join(directory, "config.xml")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            sql("CREATE DATABASE IF NOT EXISTS perf", "default")
            return server
        except OSError:
            time.sleep(0.1)
    sys.exit("store.py: clickhouse-server does not start")


def best(function, rounds=3):
    times = []
    for _ in range(rounds):
        began = time.monotonic()
        function()
        times.append(time.monotonic() - began)
    return min(times)


def cpu_of(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def make(directory, host):
    path = os.path.join(directory, "samples%d" % (host % 2))
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([os.path.join(BUILD, "bench", "store_samples"), str(host), "60", "200000"], stdout=file, check=True)
    return path


def ingest(directory, server):
    """Two hosts at once, as a fleet's are many; a server has one thread for each insert."""
    ship = [os.path.join(BUILD, "pyrograph-ship"), "-q", "--samples", "--to", "http://127.0.0.1:%d/perf" % PORT]
    subprocess.run(ship + ["--create", "/dev/null"], stderr=subprocess.DEVNULL, check=False)  # has no samples, and says so
    wall = cpu = peak = on_server = 0
    for first in range(1, HOSTS + 1, 2):
        paths = [make(directory, host) for host in range(first, min(first + 2, HOSTS + 1))]
        began, server_began = time.monotonic(), cpu_of(server.pid)
        for child in [subprocess.Popen(ship + [path]) for path in paths]:
            _, status, usage = os.wait4(child.pid, 0)
            if status:
                sys.exit("store.py: pyrograph ship failed")
            cpu += usage.ru_utime + usage.ru_stime
            peak = max(peak, usage.ru_maxrss)
        wall += time.monotonic() - began
        on_server += cpu_of(server.pid) - server_began
    samples = int(sql("SELECT count() FROM samples"))
    print("| ingest | %s samples a second (asked 500,000); for a second of CPU time, ship %s, the server %s; ship %d MiB |" %
          tuple([format(int(samples / t), ",") for t in (wall, cpu, on_server)] + [peak // 1024]))
    sql("OPTIMIZE TABLE samples PARTITION '2026-11-22' FINAL")
    size = float(sql("SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts WHERE active AND database = 'perf' AND table = 'samples'"))
    print("| on disk | %.1f bytes a sample, merged (asked 6) |" % size)


def queries():
    for name, target, query, options in QUERIES:
        alone = best(lambda query=query: sql(query + " FORMAT RowBinary"))
        command = [os.path.join(BUILD, "pyrograph"), "collapse", "-q", "-o", "/dev/null", *options.split(),
                   "clickhouse://127.0.0.1:%d/perf" % PORT]
        lines = best(lambda command=command: subprocess.run(command, check=True))
        print("| %s | %.2f s the query%s, %.2f s as lines |" % (name, alone, " (asked %s s)" % target if target else "", lines))


def main():
    if not SERVER:
        print("store: clickhouse-server is not installed")
        return 0
    with tempfile.TemporaryDirectory() as directory:
        server = start(directory)
        try:
            print("\n## Store: %d of 100 hosts, an hour each\n\n| what | figure |\n|---|---|" % HOSTS)
            ingest(directory, server)
            queries()
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
