#!/bin/sh
# workload.sh [DIR]: about 40 s of mixed real work, for a recording of a busy
# machine: compilers, a JVM, node, python, archivers, crypto, a database,
# pipes, file searches.  Three lanes run in parallel.  Programs that are not installed are skipped, with a line on
# stderr.
#
# Works in DIR and leaves its programs there, since a profile needs their
# symbols; without DIR, in a temporary directory that it removes.  The JVM and
# node leave /tmp/perf-PID.map, without which nobody can name their frames.

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-}
if [ -z "$dir" ]; then
	dir=$(mktemp -d) || exit 1
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 1' INT TERM
fi
cd "$dir" || exit 1

# need PROGRAM...: are they all there?
need()
{
	for program; do
		command -v "$program" >/dev/null && continue
		echo "workload.sh: $program is not installed, skipped" >&2
		return 1
	done
}

# repeat SECONDS COMMAND...: run the command again and again until that time is over
repeat()
{
	end=$(($(date +%s) + $1))
	shift
	while left=$((end - $(date +%s))) && [ $left -gt 0 ]; do
		timeout $left "$@" >/dev/null 2>&1 || break
	done
}

# ---- one function for each kind of work -------------------------------------

# A C program with 1000 functions, generated here because it is not worth reading.
c_source()
{
	i=0
	while [ $i -lt 1000 ]; do
		echo "int f$i(int *p, int n) { int s = $i; for (int i = 0; i < n; i++)"
		echo "	s += p[i] * (s ^ $i) + (p[(i + s) & 7] > $i ? s >> 3 : s << 1); return s; }"
		i=$((i + 1))
	done
}

jit_map='-J-XX:+PreserveFramePointer -J-XX:+UnlockDiagnosticVMOptions -J-XX:+DumpPerfMapAtExit'

c_compiler()    { c_source >many.c; repeat 3 gcc -O2 -g -c many.c; }
cxx_compiler()  { repeat 3 g++ -std=c++17 -g -DVARIANT=1 -c "$here/work/work.cc"; }
cxx_program()   { g++ -std=c++17 -O2 -fno-omit-frame-pointer -DVARIANT=2 -o cxx "$here/work/work.cc" && ./cxx 6 >/dev/null; }
rust_compiler() { repeat 4 rustc -O -o rust "$here/work/work.rs"; }
# shellcheck disable=SC2086 # jit_map is several words
java_compiler() { javac -d . "$here/work/Work.java"; repeat 4 javac $jit_map -d again "$here/work/Work.java"; }
js()            { node --perf-basic-prof "$here/work/work.js" 9 >/dev/null; }
python()        { python3 "$here/work/work.py" 5; }
search()        { repeat 3 sh -c 'find /usr/include -type f | xargs grep -l "struct [a-z]*_ops"'; }
archive()       { repeat 3 sh -c 'tar cf - /usr/include | gzip'; }
compress()      { repeat 3 sh -c 'tar cf - /usr/include/linux | xz'; }
crypto()        { openssl speed -seconds 1 -bytes 8192 sha256 aes-128-cbc >/dev/null 2>&1; }
pipes()         { repeat 6 perf bench sched pipe -l 100000; }
messages()      { repeat 6 perf bench sched messaging -g 4 -l 500; }
copy()          { repeat 3 dd if=/dev/zero of=/dev/null bs=64k count=50000; }

# Ask for the map while the JVM still runs, late enough that most methods are compiled.
jvm()
{
	java -XX:+PreserveFramePointer -cp . Work 14 &
	java=$!
	sleep 10
	jcmd $java Compiler.perfmap >/dev/null
	wait $java
}

database()
{
	repeat 7 sqlite3 :memory: "
		CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value REAL);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
			INSERT INTO t SELECT i, 'name' || (i * 7919 % 10007), i / 3.0 FROM n;
		CREATE INDEX t_name ON t (name);
		SELECT name, count(*), avg(value) FROM t GROUP BY name ORDER BY 3 LIMIT 10;
		SELECT count(*) FROM t a JOIN t b ON a.name = b.name WHERE a.id < b.id;"
}

# ---- three lanes ------------------------------------------------------------

compilers()
{
	need gcc && c_compiler
	need g++ && cxx_compiler
	need g++ && cxx_program
	need rustc && rust_compiler
	need find grep xargs && search
	need tar gzip && archive
	need tar xz && compress
}

languages()
{
	need javac && java_compiler
	need java javac jcmd && jvm
	need node && js
	need python3 && python
}

system()
{
	need openssl && crypto
	need sqlite3 && database
	need perf && pipes
	need dd && copy
	need perf && messages
}

compilers &
languages &
system &
wait
