# Code that is made at run time is named by the process's own perf map, even if the map is gone, with its process or its
# container, before the recording ends.
# live: names of code that comes and goes
. tests/tap.sh
. tests/collect/common.sh
jit=$PWD/$BUILD/tests/workloads/jit
again=$PWD/$BUILD/tests/workloads/jit_again

if ! "$pyrograph" collect cpu -q -d 0.1 -o "$tmp/try.data" -- true 2>"$tmp/err"; then
	skip "JIT" "cannot sample here: $(tail -1 "$tmp/err")"
	exit 0
fi

# share FILE PATTERN [NAME]: the percentage of jit's (or NAME's) samples whose stack matches
share()
{
	"$pyrograph" collapse -q --jit "$1" | awk -v p="$2" -v name="${3:-jit};" \
		'!/^#/ && index($0, name) == 1 { n += $NF; if ($0 ~ p) m += $NF } END { printf "%d", n ? 100 * m / n : -1 }'
}

# reason REPORT: the main reason why JIT-compiled code has no name
reason() { awk '/ why / { begun = 1 } begun && $3 ~ /^\[jit:[0-9]+\]$/ { print $2; exit }' "$1"; }

# near_all WHAT SHARE
near_all() { if [ "$2" -ge 90 ]; then ok "$1"; else not_ok "$1" "$2 %"; fi; }

# in_time WHAT RECORDING [CALLER]: in each phase of jit_again, only the code runs, below CALLER, that was there at the
# time.
in_time()
{
	"$pyrograph" collapse -q --jit "$2" 2>"$tmp/err" | awk -v caller="$3" '
		BEGIN { right["phase_one"] = "first"; right["phase_two"] = "second"; right["phase_three"] = "second|third" }
		/^#/ || !match($0, /phase_[a-z]+;/) { next }
		{
			phase = substr($0, RSTART, RLENGTH - 1)
			all[phase] += $NF
			if ($0 ~ ";" phase ";" caller "(" right[phase] ")_.j.[; ]")
				good[phase] += $NF
			else if ($0 ~ /_.j.|unknown/)
				print "wrong:", $0
		}
		END {
			for (phase in right)
				if (!good[phase] || good[phase] < all[phase] * 0.8)
					print phase ":", good[phase] + 0, "of", all[phase] + 0
		}' >"$tmp/wrong"
	if [ -s "$tmp/wrong" ]; then not_ok "$1" "$tmp/wrong" "$tmp/err"; else ok "$1"; fi
}

map_removed()
{
	"$pyrograph" collect cpu -q -F 499 -o "$tmp/jit.data" -- "$jit" 0.5 "Lcom/example/App;::run" >"$tmp/map" 2>"$tmp/err" ||
		not_ok "record" "$tmp/err"
	rm -f "$(cat "$tmp/map")"
	near_all "named after the map was removed" "$(share "$tmp/jit.data" ';com/example/App::run_.j.')"
}
live map_removed

# $isolated PROGRAM ARGUMENT...: runs it with its own PID namespace and its own /tmp.
outside=$(mktemp -d -p /var/tmp)
cp "$again" "$outside"
ours=jit-$$ # an unusual name, because the process is looked up by it
cp "$jit" "$outside/$ours"
cat >"$outside/isolated" <<'EOF'
#!/bin/sh
exec unshare --pid --mount --fork --mount-proc sh -c 'mount -t tmpfs none /tmp && exec "$0" "$@"' "$@"
EOF
chmod 755 "$outside/isolated"
isolated=$outside/isolated

# Gone before the recording ends.
if unshare --pid --mount --fork --mount-proc mount -t tmpfs none /tmp 2>"$tmp/err"; then
	in_a_namespace()
	{
		rm -f "$tmp/ns.data"
		"$pyrograph" collect cpu -q -a -F 499 -o "$tmp/ns.data" --name "^$ours\$" --wait --until-exit 2>"$tmp/err" &
		collector=$!
		before 30 ready $collector
		$isolated "$outside/$ours" 2 in_a_container >"$tmp/out"
		finished $collector
		is "a process in its own namespaces: recorded" "$?" 0
		near_all "... is named" "$(share "$tmp/ns.data" ';in_a_container_.j.' "$ours")"
	}
	live in_a_namespace
	# JVMs and similar programs are looked at once a second.  This one lives longer, because its /tmp disappears
	# with it.
	dump_in_a_namespace()
	{
		"$pyrograph" collect cpu -q --call-graph fp -F 499 -o "$tmp/ns.data" -- $isolated "$outside/jit_again" dump /tmp 0.45 >"$tmp/out" 2>"$tmp/err"
		is "a process in its own namespaces, with a dump: recorded" "$?" 0
		in_time "... and each time has its code" "$tmp/ns.data"
	}
	live dump_in_a_namespace
else
	skip "a process in its own namespaces" "$(tail -1 "$tmp/err")"
fi
rm -rf "$outside"

# The program has its own root directory.  /proc shows its mappings with that directory in front, which the program does
# not see.
rooted=$(mktemp -d -p /var/tmp)
mkdir "$rooted/bin" "$rooted/tmp"
for file in "$jit" "$again"; do cp "$file" "$rooted/bin"; done
for file in $(ldd "$jit" | grep -o '/[^ ]*'); do
	mkdir -p "$rooted${file%/*}" && cp "$file" "$rooted$file"
done
# in_a_root WHAT PROGRAM ARGUMENT...: the recording begins after the program has
in_a_root()
{
	what=$1 program=$2
	shift 2
	rm -f "$tmp/rooted"
	chroot "$rooted" "/bin/$program" "$@" >"$tmp/rooted" & pid=$!
	before 30 test -s "$tmp/rooted"
	before 30 ran /proc/$pid 5
	"$pyrograph" collect cpu -q -F 499 -d 0.3 -p $pid -o "$tmp/rooted.data" 2>"$tmp/err"
	kill $pid
	wait $pid 2>/dev/null
	near_all "after chroot: $what" "$(share "$tmp/rooted.data" '(in_a_root|first)_.j.' "$program")"
	is "... and nothing is said to be missing" "$(cat "$tmp/err")" ""
}
if [ "$(id -u)" = 0 ] && chroot "$rooted" /bin/jit 0 >"$tmp/out" 2>&1; then
	live in_a_root "a perf map" jit 60 in_a_root
	live in_a_root "a dump" jit_again dump /tmp 60
else
	skip "after chroot" "no right to"
fi
rm -rf "$rooted"

# A map that belongs to another user is not used for names.
if [ "$(id -u)" = 0 ]; then
	forged()
	{
		rm -f "$tmp/forged"
		"$jit" 60 forged >"$tmp/forged" & pid=$!
		before 30 test -s "$tmp/forged"
		chown 12345 "$(cat "$tmp/forged")"
		"$pyrograph" collect cpu -F 499 -d 0.5 -p $pid -o "$tmp/forged.data" 2>"$tmp/err"
		kill $pid
		wait $pid 2>/dev/null
		is "a map of another user is not used" "$(share "$tmp/forged.data" forged)" 0
		has "... and that is said" "$tmp/err" "belongs to another user"
		rm -f "$(cat "$tmp/forged")"
	}
	live forged
else
	skip "a map of another user is not used" "needs root"
fi

# The map was written before the process began, by an earlier process with the same number.
stale_map()
{
	rm -f "$tmp/stale"
	"$jit" 60 of_last_week >"$tmp/stale" & pid=$!
	before 30 test -s "$tmp/stale"
	touch -d yesterday "$(cat "$tmp/stale")"
	"$pyrograph" collect cpu -F 499 -d 0.5 -p $pid -o "$tmp/stale.data" 2>"$tmp/err"
	kill $pid
	wait $pid 2>/dev/null
	is "a map that is older than its process is not used" "$(share "$tmp/stale.data" of_last_week)" 0
	has "... and that is said" "$tmp/err" "is older than the process"
	"$pyrograph" collapse --quality "$tmp/stale.data" >"$tmp/out" 2>"$tmp/err"
	is "... by --quality, too" "$(reason "$tmp/out")" bad-map
	rm -f "$(cat "$tmp/stale")"
	"$pyrograph" collapse -q "$tmp/stale.data" >"$tmp/out" 2>"$tmp/err"
	has "code without a name is called the same in each run" "$tmp/out" ';[jit] '
}
live stale_map

# The process claims to have a map as large as a file can be, with nothing in it.
giant_map()
{
	rm -f "$tmp/giant" "$tmp/giant.data"
	"$jit" 60 in_a_giant >"$tmp/giant" & pid=$!
	before 30 test -s "$tmp/giant"
	truncate -s 8T "$(cat "$tmp/giant")" 2>"$tmp/err" || truncate -s 1T "$(cat "$tmp/giant")"
	"$pyrograph" collect cpu -F 499 -p $pid -o "$tmp/giant.data" 2>"$tmp/err" & collector=$!
	before 30 larger "$tmp/giant.data" 8192
	kill -TERM $collector
	finished $collector
	is "a perf map of 8 TB does not keep a collector from its end" "$?" 0
	kill $pid
	wait $pid 2>/dev/null
	near_all "... what is in it is read" "$(share "$tmp/giant.data" ';in_a_giant_.j.')"
	has "... and the rest is noticed" "$tmp/err" "noticed: 1 fault in maps and dumps of JIT-compiled code"
	rm -f "$(cat "$tmp/giant")"
}
live giant_map

# A program may be executed from memory.
cat >"$tmp/memfd.py" <<'EOF'
import os, sys
fd = os.memfd_create("packed")
os.write(fd, open(sys.argv[1], "rb").read())
os.execve(fd, sys.argv[1:], os.environ)
EOF
from_memory()
{
	"$pyrograph" collect cpu -q -F 499 -o "$tmp/memfd.data" -- python3 "$tmp/memfd.py" "$jit" 0.3 in_memory >"$tmp/map" 2>"$tmp/err"
	rm -f "$(cat "$tmp/map")"
	"$pyrograph" collapse -q --jit "$tmp/memfd.data" >"$tmp/out" 2>"$tmp/err"
	has "a program in a memfd is a file: its functions have names" "$tmp/out" ';main;call;in_memory_[j]'
}
live from_memory

# --- code that replaces other code -------------------------------------------------

# run_again NAME OPTION... -- MODE: records jit_again into $tmp/NAME.data, with at least 150 samples of each phase
phase=0.15
mkdir "$tmp/dumps" "$tmp/elsewhere"
run_again()
{
	data=$tmp/$1.data
	shift
	"$pyrograph" collect cpu -q -F 999 -o "$data" "$@" $phase >"$tmp/path" 2>"$tmp/err" || not_ok "record $data" "$tmp/err"
	"$pyrograph" collapse -q --jit "$data" >"$tmp/while_there"
	mv "$(cat "$tmp/path")" "$tmp/elsewhere/file"
	"$pyrograph" collapse -q --jit "$data" >"$tmp/elsewhere.folded"
	same "${data##*/} reads the same elsewhere" "$tmp/elsewhere.folded" "$tmp/while_there"
}

with_a_dump()
{
	run_again dump -- "$again" dump "$tmp/dumps"
	in_time "a dump: each time has its code" "$tmp/dump.data" "(run;)?"
	perf script --symfs "$tmp" -i "$tmp/dump.data" >/dev/null 2>"$tmp/err"
	is "... and perf reads the recording" "$?" 0
}
live with_a_dump
with_a_map()
{
	phase=0.3 # enough time for the collector, on a busy machine, to read the map that it opened
	run_again map -- "$again" map
	phase=0.15
	in_time "a map that is added to, and written anew: each time has its code" "$tmp/map.data"
}
live with_a_map

unwound()
{
	run_again unwound --call-graph dwarf -- "$again" dump "$tmp/dumps"
	in_time "a dump that says how to unwind its code, while recording" "$tmp/unwound.data" "run;"
}
[ "$(uname -m)" != x86_64 ] || live unwound

# The program most likely ends before its dump was looked at.
short_process()
{
	"$pyrograph" collect cpu -F 999 -o "$tmp/short.data" -- "$again" dump "$tmp/dumps" 0.1 >"$tmp/path" 2>"$tmp/err"
	"$pyrograph" collapse -q --jit "$tmp/short.data" 2>"$tmp/err2" | sed 's/;run;/;/' >"$tmp/out"
	has "a short process: its dump is read" "$tmp/out" ';phase_two;second_[j]'
	has_not "... without a complaint" "$tmp/err" "is not there"
	rm -f "$(cat "$tmp/path")"
}
live short_process

# perf's own recordings: the dump is found by its mapping.
by_perf()
{
	perf record -q -k CLOCK_MONOTONIC -F 999 -g -o "$tmp/perf.data" -- "$again" dump "$tmp/dumps" 0.15 \
		>"$tmp/path" 2>"$tmp/err" || return
	in_time "perf record: each time has its code" "$tmp/perf.data"
}
if command -v perf >/dev/null && perf record -q -B -k CLOCK_MONOTONIC -o "$tmp/try.data" -- true >"$tmp/out" 2>"$tmp/err"; then
	live by_perf
	perf record -q -B -F 999 -g -o "$tmp/clock.data" -- "$again" dump "$tmp/dumps" 0.15 >"$tmp/out" 2>&1
	"$pyrograph" collapse --jit "$tmp/clock.data" >"$tmp/out" 2>"$tmp/err"
	has "... with another clock: last names" "$tmp/out" ';phase_two;second_[j]'
	has "... and that is said" "$tmp/err" 'perf record -k CLOCK_MONOTONIC'
	if [ "$(uname -m)" = x86_64 ]; then
		by_perf_dwarf()
		{
			perf record -q -B -k CLOCK_MONOTONIC -F 999 --call-graph dwarf -o "$tmp/dwarf.data" \
				-- "$again" dump "$tmp/dumps" 0.15 >"$tmp/out" 2>&1
			in_time "perf record --call-graph dwarf" "$tmp/dwarf.data" "run;"
		}
		live by_perf_dwarf
	fi
	if perf inject -j -i "$tmp/perf.data" -o "$tmp/inject.data" 2>"$tmp/err"; then
		"$pyrograph" collapse -q "$tmp/inject.data" >"$tmp/out"
		has "perf inject: its files are read" "$tmp/out" ';phase_two;second '
	else
		skip "perf inject" "$(tail -1 "$tmp/err")"
	fi
	dump=$(cat "$tmp/path")
	printf 'nonsense' | dd of="$dump" bs=1 conv=notrunc seek=70 2>"$tmp/err"
	"$pyrograph" collapse --jit "$tmp/perf.data" >"$tmp/out" 2>"$tmp/err"
	has "a damaged dump: the rest has names" "$tmp/out" ';phase_two;second_[j]'
	if [ "$(id -u)" = 0 ]; then
		chown 12345 "$dump"
		"$pyrograph" collapse --jit "$tmp/perf.data" >"$tmp/out" 2>"$tmp/err"
		has_not "a dump of another user is not used" "$tmp/out" '_[j]'
		has "... and that is said" "$tmp/err" "belongs to another user"
		chown 0 "$dump"
	fi
	mv "$dump" "$tmp/elsewhere/file"
	"$pyrograph" collapse --quality "$tmp/perf.data" >"$tmp/out" 2>"$tmp/err"
	has "a dump that is gone: that is said" "$tmp/err" "is not there"
	is "... by --quality, too" "$(reason "$tmp/out")" no-file
	head -c 40 "$tmp/elsewhere/file" >"$dump"
	"$pyrograph" collapse --quality "$tmp/perf.data" >"$tmp/out" 2>"$tmp/err"
	is "a dump that has nothing yet: --quality says so" "$(reason "$tmp/out")" not-dumped
	rm "$dump"
	ln -s "$tmp/elsewhere/file" "$dump"
	"$pyrograph" collapse --jit "$tmp/perf.data" >"$tmp/out" 2>"$tmp/err"
	has_not "a dump is not reached through a link" "$tmp/out" '_[j]'
	has "... and that is said" "$tmp/err" "is a symbolic link"
else
	skip "recordings of perf" "$(tail -1 "$tmp/err")"
fi
