#!/bin/sh
# collect --between time-to-safepoint: which method makes the JVM wait until all threads have stopped.
# slow: records JVMs
# live: times until threads of JVMs stop
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
need_java
if ! $pyrograph collect windows -q --between main -d 0.1 -o "$tmp/rec.data" -- "$spin" 0.1 2>"$tmp/err" >"$tmp/out"; then
	skip "safepoints of JVMs" "no right, or no BPF: $(tail -1 "$tmp/err")"
	exit 0
fi

# samples of late() and of prompt(), in hundredths of their sum
shares()
{
	"$pyrograph" collapse -q "$@" "$tmp/rec.data" | awk '!/^#/ && /;Late.late/ { l += $NF } !/^#/ && /;Late.prompt/ { p += $NF }
		END { printf "%d\n", l + p ? 100 * l / (l + p) : -1 }'
}

late()
{
	java_start -XX:+UseSerialGC -XX:-UseCountedLoopSafepoints Late
	status "a JVM, without flags of ours or an agent" 0 for_cpu_still 250 "$tmp/rec.data" "$pyrograph" collect cpu -F 499 -p "$jvm" \
		--between time-to-safepoint
	has "... has windows" "$tmp/err" "windows: "
	"$pyrograph" collapse -q --lengths "$tmp/rec.data" >"$tmp/lengths" 2>&1
	has "... of the process" "$tmp/lengths" "windows of a process, time-to-safepoint: "
	some "... most take long" "$(sed -n 's/^p75 *\([0-9]*\)[.0-9]* ms/\1/p' "$tmp/lengths")" 5
	inside=$(shares) outside=$(shares --between out)
	some "... in which the method runs that is late, in hundredths of both" "$inside" 80
	is "... more than at other times" "$([ "$outside" -ge 0 ] && [ "$inside" -ge $((outside + 10)) ] && echo yes || echo "$inside $outside")" yes
	status "the whole stop" 0 for_cpu_still 60 "$tmp/rec.data" "$pyrograph" collect windows -q -p "$jvm" --between safepoint
	some "... has windows, too" "$("$pyrograph" collapse -q --windows --root none "$tmp/rec.data" | awk '!/^#/ { print $(NF - 1) }')" 3
	java_stop
}
each_java late
