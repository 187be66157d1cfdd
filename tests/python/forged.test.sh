#!/bin/sh
# A program that looks like an interpreter, and lies about its frames, its threads and its names: what is recorded of it is
# bounded, and can be read.
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data
cp "${BUILD:-build}/tests/workloads/forged_python" "$tmp/python3.11"

# record HOW
record()
{
	mkfifo "$tmp/ready.$1"
	"$tmp/python3.11" "$1" >"$tmp/ready.$1" &
	pid=$!
	read -r _ <"$tmp/ready.$1"
	"$pyrograph" collect cpu -p $pid -F 499 -d 0.5 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	status=$?
	kill $pid
	wait $pid 2>"$tmp/killed"
	is "$1: recorded" $status 0
	"$pyrograph" collapse --all "$rec" >"$tmp/$1" 2>"$tmp/err"
	is "$1: can be read" $? 0
}

if ! "$pyrograph" collect usable offcpu >"$tmp/usable" 2>&1; then
	skip "forged interpreters" "$(tail -1 "$tmp/usable")"
	exit 0
fi
record honest
python_frames <"$tmp/honest" | awk '{ n = $1; sub(/^[0-9]+ ?/, ""); print }' | grep -v '^$' | sort -u >"$tmp/stacks"
is "honest: what it says is believed" "$(cat "$tmp/stacks")" \
	"honest (honest);honest (honest);honest (honest);honest (honest)"
record cycle
most=$(python_frames <"$tmp/cycle" | awk '{ n = gsub(/;/, ""); if (n + 1 > most) most = n + 1 } END { print most }')
is "cycle: 256 frames" "$most" 256
longest=$(tr ';' '\n' <"$tmp/cycle" | awk '/honest/ { if (length($0) > most) most = length($0) } END { print (most < 4096) }')
is "cycle: names are cut" "$longest" 1
record threads
is "threads: no frames" "$(grep -c '_\[p\]' "$tmp/threads")" 0
record wild
python_frames <"$tmp/wild" | awk '{ sub(/^[0-9]+ ?/, ""); print }' | grep -v '^$' | sort -u >"$tmp/stacks"
is "wild: only what could be read" "$(cat "$tmp/stacks")" "honest (honest)"
has "... the rest is counted" "$tmp/collect" "Python frames that could not be named"
record names
is "names: one line for each stack" "$(grep -vc ' [0-9]*$\|^#' "$tmp/names")" 0
is "names: no control characters" "$(LC_ALL=C grep -c "$(printf '[\001-\011\013-\037]')" "$tmp/names")" 0
is "names: in one frame" "$(tr ';' '\n' <"$tmp/names" | grep -c '^<b>:')" "$(grep -o '<b>' "$tmp/names" | wc -l | awk '{ print $1 / 2 }')"
