#!/bin/sh
# Limits of a machine or a user: each verb reports the limit, or does what it can; no file is left half written.
# slow: each program, with ever less memory
. tests/tap.sh
. tests/collect/common.sh
python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/mixed.txt
"$pyrograph" collapse -q "$tmp/rec.data" >"$tmp/rec.folded"
"$pyrograph" collapse -q --states "$tmp/rec.data" >"$tmp/states.folded"
"$pyrograph" collapse -q --heat "$tmp/rec.data" >"$tmp/heat.folded"
"$pyrograph" render flame -q -o "$tmp/flame.svg" "$tmp/rec.folded"

# ---- closed stdin, stdout or stderr: no file takes its place ----

# made: the content of $tmp/x, or of the files in it, without the page, whose names and bytes depend on the time of the
# files
made() { find "$tmp/x" -name 'index*' -prune -o -type f ! -name charts.json -exec cksum {} + | sort -k3; }

# without_standard_files VERB...: what is made, $tmp/x, is the same whichever standard files are closed
without_standard_files()
{
	for closed in "" "0<&-" "1>&-" "2>&-" "0<&- 1>&-" "0<&- 2>&-" "1>&- 2>&-" "0<&- 1>&- 2>&-"; do
		rm -rf "$tmp/x"
		(eval '"$pyrograph" "$@"' "$closed") >"$tmp/out" 2>"$tmp/err"
		got="$? $(made)"
		if [ "$closed" ]; then is "$1 $2 $closed" "$got" "$wanted"; else wanted=$got; fi
	done
	[ -e "$tmp/x" ] && [ "${got%% *}" = 0 ] && ok "... makes something" || not_ok "... makes something" "$tmp/err"
}
without_standard_files collapse --root comm -o "$tmp/x" "$tmp/rec.data"
without_standard_files render flame -o "$tmp/x" "$tmp/rec.folded"
without_standard_files render states -o "$tmp/x" "$tmp/states.folded"
without_standard_files render heat -o "$tmp/x" "$tmp/heat.folded"
without_standard_files render folded -o "$tmp/x" "$tmp/flame.svg"
without_standard_files report --recording "$tmp/rec.data" -o "$tmp/x"
for verb in "collapse $tmp/rec.data" "render flame $tmp/rec.folded" "render script flame" "ship --schema" "explain --help"; do
	# shellcheck disable=SC2086 # words
	"$pyrograph" $verb >&- 2>"$tmp/err"
	is "stdout is closed, and wanted: ${verb%% /*}" $? 1
	has "... which is told" "$tmp/err" "could not write: Bad file descriptor"
done

if [ -n "${SAN:-}" ]; then
	skip "little memory, few files, no /proc" "the sanitizers want these themselves"
	exit 0
fi

# ---- files that may be open ----
# few_files WHAT TEXT COMMAND...: with few open files allowed, it fails with a message, or works as usual (and prints
# TEXT); both must occur
few_files()
{
	what=$1 text=$2 failures=0 successes=0 wrong=
	shift 2
	for most in 4 5 6 7 8 9 10 12 14; do
		prlimit --nofile="$most" -- "$@" >"$tmp/out" 2>"$tmp/err"
		case $? in
		0) successes=$((successes + 1)); grep -qF "$text" "$tmp/err" && ! grep -q 'Too many open' "$tmp/err" ;;
		1) failures=$((failures + 1)); grep -q 'Too many open' "$tmp/err" ;;
		127) grep -q 'loading shared libraries' "$tmp/err" ;; # it did not start: the test itself has files open
		*) false ;;
		esac || { wrong="$wrong $most"; cp "$tmp/err" "$tmp/wrong"; }
	done
	if [ -z "$wrong" ]; then ok "few files: $what"; else not_ok "few files: $what" "with $wrong:" "$tmp/wrong"; fi
	some=$([ $failures -gt 0 ] && [ $successes -gt 0 ] && echo yes)
	is "... failures, and none" "$some" yes
}
mkdir -p "$tmp/deep/a/b/c/d/e/f"
cp "$tmp/flame.svg" "$tmp/deep"
cp "$tmp/flame.svg" "$tmp/deep/a/b/c/d/e/f"
few_files "web" "index.html: 2 files of 2 runs" "$pyrograph" web "$tmp/deep"
"$pyrograph" ship "$tmp/rec.data" --spool "$tmp/spool" --to http://127.0.0.1:1/perf 2>"$tmp/err"
few_files "ship with a spool" " wait for the store" "$pyrograph" ship --spool "$tmp/spool" --to http://127.0.0.1:1/perf

# A store is away, or this process may open too few files for it.
wrong= said=0
for most in 4 5 6 7 8; do
	prlimit --nofile="$most" -- "$pyrograph" ship "$tmp/rec.data" --to http://127.0.0.1:1/perf 2>"$tmp/err"
	grep -qF "too many files are open here (ulimit -n)" "$tmp/err" && said=$((said + 1)) && continue
	grep -qE "Too many open files|loading shared libraries|connect to server" "$tmp/err" || wrong="$wrong $most"
done
is "few files: ship" "$wrong" ""
some "... a store is not blamed for it" $said 1

for format in png pdf; do
	failures=0 successes=0 wrong=
	for most in 4 5 6 7 8; do
		rm -f "$tmp/picture"
		prlimit --nofile="$most" -- "$pyrograph-render" flame -f $format -o "$tmp/picture" "$tmp/rec.folded" \
			>"$tmp/out" 2>"$tmp/err"
		case $? in
		0) successes=$((successes + 1)); [ -s "$tmp/picture" ] ;;
		1) failures=$((failures + 1)); grep -q 'Too many open files' "$tmp/err" && ! [ -e "$tmp/picture" ] ;;
		127) grep -q 'loading shared libraries' "$tmp/err" ;;
		*) false ;;
		esac || { wrong="$wrong $most"; cp "$tmp/err" "$tmp/wrong"; }
	done
	if [ -z "$wrong" ]; then ok "few files: $format"; else not_ok "few files: $format" "with $wrong:" "$tmp/wrong"; fi
	some=$([ $failures -gt 0 ] && [ $successes -gt 0 ] && echo yes)
	is "... failures, and none" "$some" yes
done

# ---- memory ----
# little_memory WHAT COMMAND...: with any limit, it works, or reports the limit and leaves no file
little_memory()
{
	what=$1 failures=0 wrong=
	shift
	for kb in 40000 50000 60000 80000 120000 160000; do
		rm -f "$tmp/little"
		prlimit --as=$((kb * 1024)) -- "$@" >"$tmp/out" 2>"$tmp/err"
		case $? in
		0 | 127) continue ;; # 127: not enough for its libraries
		1) failures=$((failures + 1)); grep -qF "may have $kb kB (ulimit -v)" "$tmp/err" && ! [ -e "$tmp/little" ] && continue ;;
		esac
		wrong="$wrong $kb"
		cp "$tmp/err" "$tmp/wrong"
	done
	if [ -z "$wrong" ]; then ok "little memory: $what"; else not_ok "little memory: $what" "with $wrong:" "$tmp/wrong"; fi
	some "... it is too little" $failures 1
}
awk 'BEGIN { for (i = 0; i < 200000; i++) print "main;function_number_" i " 1" }' >"$tmp/many.folded"
little_memory "collapse" "$pyrograph" collapse -o "$tmp/little" "$tmp/many.folded"
little_memory "render" "$pyrograph" render flame -o "$tmp/little" "$tmp/many.folded"

if "$pyrograph" collect usable offcpu 2>/dev/null | grep -q offcpu; then
	wrong=
	for kb in 12000 15000 20000 25000 30000; do
		prlimit --as=$((kb * 1024)) -- "$pyrograph" collect offcpu -a -d 0.1 -o "$tmp/little" >"$tmp/out" 2>"$tmp/err"
		case $? in
		127) continue ;;
		1) grep -qF "may have $kb kB (ulimit -v)" "$tmp/err" && continue ;;
		esac
		wrong="$wrong $kb"
		cp "$tmp/err" "$tmp/wrong"
	done
	if [ -z "$wrong" ]; then ok "little memory: offcpu"; else not_ok "little memory: offcpu" "with $wrong:" "$tmp/wrong"; fi
else
	skip "little memory: offcpu" "no BPF"
fi

# ---- no /proc ----
# without_proc COMMAND...
without_proc() { unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"; }

if without_proc true 2>"$tmp/err"; then
	"$pyrograph" collapse -q "$tmp/rec.folded" "$tmp/rec.folded" >"$tmp/twice"
	status "no /proc: collapse of two files" 0 without_proc "$pyrograph" collapse -q "$tmp/rec.folded" "$tmp/rec.folded"
	same "... as ever" "$tmp/out" "$tmp/twice"
	status "... render of a picture" 0 without_proc "$pyrograph" collapse -q "$tmp/flame.svg"
	status "... report of a recording" 0 without_proc "$pyrograph" report -q --recording "$tmp/rec.data" -o "$tmp/charts"
	cp "$pyrograph" "$tmp/alone"
	status "... a program alone" 1 without_proc "$tmp/alone" render flame
	has "... says where it was looked for" "$tmp/err" "pyrograph-render is neither in $tmp/ nor on PATH"
	for verb in "cpu -p 1" "cpu -t 1" "cpu --name x" "bindings -p 1" "trigger" "watch"; do
		# shellcheck disable=SC2086 # words
		status "... collect $verb" 1 without_proc "$pyrograph" collect $verb
		has "... says so" "$tmp/err" "/proc is not mounted: nothing can be recorded"
	done
	status "... collect usable" 0 without_proc "$pyrograph" collect usable
	is "... nothing is" "$(cat "$tmp/out")" ""
else
	skip "no /proc" "$(tail -1 "$tmp/err")"
fi

# ---- processes and threads ----
# few_processes N COMMAND...: as a user who has no other processes
open=$tmp/open
few_processes()
{
	most=$1
	shift
	(cd "$open" && exec setpriv --reuid=65533 --regid=65533 --clear-groups prlimit --nproc="$most" -- "$@")
}

chmod 711 "$tmp" && mkdir "$open" && chmod 777 "$open"
cp "$pyrograph" "$pyrograph"-* "$tmp/rec.data" "$tmp/rec.folded" "$tmp/flame.svg" "$open"
chmod -R go+rX "$open"
if few_processes 9 ./pyrograph --help >"$tmp/out" 2>"$tmp/err"; then
	while read -r verb; do
		# shellcheck disable=SC2086 # words
		status "one process: $verb" 1 few_processes 1 ./pyrograph $verb
		has "... says how many may be" "$tmp/err" "too many processes and threads: this user may have 1 (ulimit -u)"
	done <<-'END'
		explain rec.data
		report --recording rec.data -o charts
		collapse rec.folded rec.folded
		collapse flame.svg
		ship rec.data --to otlp+http://127.0.0.1:1
	END
	if few_processes 9 ./pyrograph collect cpu -q -o three.data -- true >"$tmp/out" 2>"$tmp/err"; then
		status "one process: collect" 1 few_processes 1 ./pyrograph collect cpu -q -o one.data -- true
		has "... says how many may be" "$tmp/err" "too many processes and threads: this user may have 1 (ulimit -u)"
		status "two: collect, a thread of which is missing" 1 few_processes 2 ./pyrograph collect cpu -q -o two.data -- true
		has "... says how many may be" "$tmp/err" "cannot start a thread: too many processes and threads: this user may have 2"
		is "... nothing is left" "$(cd "$open" && ls one.data two.data 2>/dev/null)" ""
	else
		skip "one process: collect" "$(tail -1 "$tmp/err")"
	fi
else
	skip "few processes" "$(tail -1 "$tmp/err")"
fi
