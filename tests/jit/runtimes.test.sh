# Runtimes that tell profilers about the code that they generate: node by map and by dump, Python by trampolines.
# live: stacks of node and Python
. tests/tap.sh
here=$PWD/tests/jit

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "runtimes" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

# share FILE PATTERN OF: the percentage of matches among the samples that match OF
share()
{
	"$pyrograph" collapse -q --jit "$1" 2>"$tmp/err" | awk -v p="$2" -v of="$3" \
		'!/^#/ && $0 ~ of { n += $NF; if ($0 ~ p) m += $NF } END { printf "%d", n ? 100 * m / n : -1 }'
}

# most WHAT SHARE
most()
{
	if [ "${2:--1}" -ge 60 ]; then ok "$1 ($2 %)"; else not_ok "$1" "$2 %" "$tmp/err"; fi
}

# Runs a command, with its pid in a file.
with_pid='echo $$ >"$0"; exec "$@"'

# Files that the runtimes leave behind, apart from a dump where node runs.
clean()
{
	rm -f "/tmp/perf-$(cat "$tmp/pid").map" "/tmp/jit-$(cat "$tmp/pid").dump"
}

# record NAME COMMAND...: records the command, and removes the files that it has written.
record()
{
	data=$tmp/$1.data
	shift
	(cd "$tmp" && "$program" collect cpu -q -F 499 -o "$data" $how -- sh -c "$with_pid" "$tmp/pid" "$@") >"$tmp/out" 2>"$tmp/err" ||
		not_ok "record $*" "$tmp/err"
	clean
}
case $pyrograph in /*) program=$pyrograph ;; *) program=$PWD/$pyrograph ;; esac
how=

# --- node ------------------------------------------------------------------------------

# It may be inlined into its callers.  "JS:*hot /a/hot.js:2:13_[j]"; node 18: "LazyCompile:hot /a/hot.js:2_[j]".
hot=';(JS|LazyCompile|Function):[^;]*hot.js:[0-9]+(:[0-9]+)?_.j.'
# A stripped program has no symbol _start.
first='(_start(_main)?(@@[^;]*)?|^[^;]*;\\[node\\]);'

by_map()
{
	record map node --perf-basic-prof "$here/hot.js" 1
	most "node --perf-basic-prof: the hot function" "$(share "$tmp/map.data" "$hot" .)"
}

by_dump()
{
	record dump node --perf-prof "$here/hot.js" 1
	most "node --perf-prof: the hot function" "$(share "$tmp/dump.data" "$hot" .)"
}

by_dump_unwound()
{
	how="--call-graph dwarf"
	record unwound node --perf-prof --perf-prof-unwinding-info "$here/hot.js" 1
	how=
	most "node --perf-prof, unwound: from the process's first function" \
		"$(share "$tmp/unwound.data" "$first.*$hot" .)"
}

if command -v node >/dev/null; then
	live by_map
	live by_dump
	live by_dump_unwound
else
	skip "node" "it is not there"
fi

# --- Python ----------------------------------------------------------------------------

# The newest Python that has trampolines, 3.12 or later.
python=
for p in python3 python3.13 python3.12 "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python3; do
	command -v "$p" >/dev/null && (cd / && "$p" -X perf -c 'import sys; sys.exit(sys.version_info < (3, 12))') 2>"$tmp/err" &&
		python=$p
done
if [ -z "$python" ]; then
	skip "Python's trampolines" "no Python 3.12 or later"
	exit 0
fi
# By the map; or by the interpreter itself, once that is known, which has one frame for a function.
hot='(py::hot:[^;]*_.j.;|__main__.hot_.p.)'
whole="^[^;]*;_start;.*;(py::outer:[^;]*_.j.|__main__.outer_.p.);.*;$hot"

trampolines()
{
	how="--call-graph dwarf"
	record python "$python" -X perf "$here/hot.py" 1
	if [ "$(uname -m)" = x86_64 ]; then
		most "python -X perf: whole stacks" "$(share "$tmp/python.data" "$whole" ";_PyEval_EvalFrameDefault|;$hot")"
	else
		most "python -X perf: names" "$(share "$tmp/python.data" ";$hot" ";_PyEval_EvalFrameDefault|;$hot")"
	fi
}

by_perf()
{
	perf record -q -k CLOCK_MONOTONIC -F 499 --call-graph dwarf -o "$tmp/perf.data" \
		-- sh -c "$with_pid" "$tmp/pid" "$python" -X perf_jit "$here/hot.py" 1 >"$tmp/out" 2>"$tmp/err"
	most "python -X perf_jit: whole stacks" \
		"$(share "$tmp/perf.data" "$whole" ';_PyEval_EvalFrameDefault')"
	clean
}

live trampolines
if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 13))' && command -v perf >/dev/null; then
	live by_perf
else
	skip "python -X perf_jit" "no Python 3.13, or no perf"
fi
