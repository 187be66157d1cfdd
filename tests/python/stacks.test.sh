#!/bin/sh
# Python functions in stacks of collect cpu, of interpreters that nobody prepared: each stack must be the one that the
# program has by its own account.
# live: programs that stand still in Python code
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

# wait_lines FILE N: until it has N lines
wait_lines()
{
	while [ "$(wc -l <"$1")" -lt "$2" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
}

# share OF: the share of lines on stdin whose stack is OF, among those with a Python frame, in percent
equal()
{
	awk -v want="$1" '{ n = $1; sub(/^[0-9]+ ?/, ""); if ($0 == "") next; all += n; if ($0 == want) same += n } END {
		printf "%d", all ? 100 * same / all : 0 }'
}

# stacks_of DEPTH: records the program, whose stack has that many frames more
stacks_of()
{
	: >"$tmp/said"
	"$python" tests/python/stacks.py "$1" >"$tmp/said" 2>"$tmp/err" &
	pid=$!
	wait_lines "$tmp/said" 2
	"$pyrograph" collect cpu -p $pid -F 499 -d 1 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	kill $pid
	wait $pid 2>"$tmp/killed"
	"$pyrograph" collapse --all --root tid "$rec" >"$tmp/folded"
	main=$(sed -n 's/^MainThread|//p' "$tmp/said") other=$(sed -n 's/^coroutines|//p' "$tmp/said")
	grep ';[a-z]*\.py:<module>_\[p\]' "$tmp/folded" | python_frames >"$tmp/main"
	grep -v ';[a-z]*\.py:<module>_\[p\]' "$tmp/folded" | python_frames >"$tmp/other"
	same=$(equal "$main" <"$tmp/main")
	[ "$same" -ge 99 ] && ok "$v: depth $1: $same % of the stacks of the first thread are as the program says" ||
		not_ok "$v: depth $1: stacks are as the program says" "$same %" "$main" "$tmp/main" "$tmp/collect"
	same=$(equal "$other" <"$tmp/other")
	[ "$same" -ge 99 ] && ok "$v: depth $1: $same % of the stacks of coroutines are as the program says" ||
		not_ok "$v: depth $1: stacks of coroutines are as the program says" "$same %" "$other" "$tmp/other"
	has=$(awk '/^#/ { next } { all += $NF; if (/_\[p\]/) n += $NF } END { printf "%d", all ? 100 * n / all : 0 }' "$tmp/folded")
	[ "$has" -ge 95 ] && ok "$v: depth $1: $has % of all stacks have Python functions" ||
		not_ok "$v: depth $1: stacks have Python functions" "$has %" "$tmp/folded"
	is "$v: depth $1: none has lost its name" "$(grep -c 'python-gone' "$tmp/folded")" 0
}

lines()
{
	"$pyrograph" collapse --all --srcline "$rec" >"$tmp/lines"
	number=$(grep -n 'how += 1' tests/python/stacks.py | cut -d: -f1)
	if grep -q "__main__\.spin:stacks\.py:\($number\|$((number - 1))\)_\[p\]" "$tmp/lines"; then
		ok "$v: lines"
	else
		not_ok "$v: lines" "$tmp/lines"
	fi
}

each()
{
	live stacks_of 3
	live stacks_of 120
	lines
}
with_each_python "Python functions" each
