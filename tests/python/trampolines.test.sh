#!/bin/sh
# With -X perf, the interpreter calls each function by code of its own, and names that code in a perf map: a function is
# one frame, with our name.
# live: a program that stands still in Python code
. tests/tap.sh
. tests/collect/common.sh
. tests/python/python.sh
rec=$tmp/rec.data

trampolines()
{
	"$pyrograph" collect cpu -p $pid -F 499 -d 1 -o "$rec" >"$tmp/out" 2>"$tmp/collect"
	"$pyrograph" collapse --all "$rec" >"$tmp/folded" 2>"$tmp/err"
	awk '/^#/ { next }
	{
		all += $NF; ours = /__main__\.spin_\[p\]/; theirs = /py::spin:/
		if (ours) { named += $NF; if (theirs) twice += $NF }
	}
	END { printf "%d %d\n", all ? 100 * named / all : 0, all ? 100 * twice / all : 0 }' "$tmp/folded" >"$tmp/shares"
	read -r named twice <"$tmp/shares"
	if [ "$named" -ge 40 ] && [ "$twice" -eq 0 ]; then
		ok "$v -X perf: functions are one frame each"
	else
		not_ok "$v -X perf: functions are one frame each" "named: $named %, twice: $twice %" "$tmp/folded" "$tmp/collect"
	fi
}

each()
{
	if ! "$python" -X perf -c 'import sys; exit(not sys.is_stack_trampoline_active())' 2>"$tmp/err"; then
		skip "$v -X perf" "it was built without"
		return
	fi
	: >"$tmp/said"
	"$python" -X perf tests/python/stacks.py 3 >"$tmp/said" 2>"$tmp/err" &
	pid=$!
	while [ "$(wc -l <"$tmp/said")" -lt 2 ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
	live trampolines
	kill $pid
	wait $pid 2>"$tmp/killed"
	rm -f /tmp/perf-$pid.map
}
with_each_python "functions with -X perf" each 3.12
