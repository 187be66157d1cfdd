# holdout.py itself: for recordings of every kind it must find no difference, and for one it must find a difference.
# HOLDOUT=DIRECTORY: also compare the recordings in that directory.
# slow: it records, and has perf read it
. tests/tap.sh
holdout="python3 tests/collapse/holdout.py --pyrograph $pyrograph"

if ! command -v perf >/dev/null || ! perf --version >/dev/null 2>&1; then
	skip "the hold-out" "perf is not installed"
	exit 0
fi
mkdir "$tmp/set" "$tmp/set/more"
for made in basics events names 32bit calls; do
	python3 tests/collapse/make_recording.py "$tmp/set/$made.data" <"tests/collapse/golden/$made.txt"
done
echo "no recording" >"$tmp/set/README"
if perf record -q -F 499 -g -o "$tmp/set/more/here.data" -- sh -c 'ls -R /usr/include >/dev/null' 2>/dev/null; then
	perf record -q -F 499 -o - -- sh -c 'ls -R /usr/include >/dev/null' >"$tmp/set/more/pipe.data" 2>/dev/null
	files=7
else
	files=5
fi
HOME=$tmp $holdout "$tmp/set" >"$tmp/table" 2>"$tmp/err"
is "a directory: exit status" $? 0
is "... all of it, file by file" "$(grep -c '^same .*\.data$' "$tmp/table")" "$files"
is "... and nothing that is not a recording" "$(tail -1 "$tmp/table")" "$files files: $files same, 0 different, 0 not read by perf"
HOME=$tmp $holdout --depth "$tmp/set/calls.data" "$tmp/set/basics.data" >"$tmp/table"
has "numbers of frames can be compared" "$tmp/table" "calls.data"

# A wrapper that loses one sample, as a faulty reader might.
cat >"$tmp/loses" <<END
#!/bin/sh
"$pyrograph" "\$@" | awk '!done && !/^#/ { \$NF -= 1; done = 1 } { print }'
END
chmod +x "$tmp/loses"
HOME=$tmp python3 tests/collapse/holdout.py --pyrograph "$tmp/loses" "$tmp/set/basics.data" "$tmp/set/README" >"$tmp/table"
is "one sample is missing: exit status" $? 1
has "... which is said" "$tmp/table" "DIFFERENT"
has "... with where it is" "$tmp/table" "basics.data: cpu-clock, "

printf 'PERFILE2 and nothing else' >"$tmp/damaged.data"
HOME=$tmp $holdout "$tmp/damaged.data" >"$tmp/table"
is "nothing could be compared: exit status" $? 2
has "... as perf does not read it" "$tmp/table" "not read"
# A file that perf reads and we refuse counts as a difference, too.
cat >"$tmp/refuses" <<'END'
#!/bin/sh
echo refused >&2
exit 1
END
chmod +x "$tmp/refuses"
HOME=$tmp python3 tests/collapse/holdout.py --pyrograph "$tmp/refuses" "$tmp/set/basics.data" >"$tmp/table"
is "we refuse a file: exit status" $? 1
has "... which is said" "$tmp/table" "we: refused"

if [ -n "${HOLDOUT:-}" ]; then
	HOME=$tmp $holdout "$HOLDOUT" >"$tmp/table"
	is "$HOLDOUT: exit status" $? 0
	sed 's/^/# /' "$tmp/table"
fi
