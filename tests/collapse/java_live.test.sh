# Flight recordings of real JVMs, compared with the output of jfr print, and after damage; thread dumps; stack traces.
# slow: a JVM runs for some seconds
. tests/tap.sh
. tests/collect/common.sh
. tests/jvm/java.sh
export TZ=UTC
need_java

# judge JAVA OPTION EVENT...: compares a recording of Flight by that JVM
judge()
{
	java=$(readlink -f "$(command -v "$1")")
	jfr=${java%/*}/jfr
	[ -x "$jfr" ] || { skip "flight recordings of $1" "no jfr beside it"; return; }
	rm -f "$tmp/flight.jfr"
	java_start -XX:StartFlightRecording="filename=$tmp/flight.jfr,settings=profile$2" Flight
	ask "$1" "${java%/*}"
	java_stop
	dump "$1"
	[ -s "$tmp/flight.jfr" ] || { not_ok "a flight recording by $1" "$tmp/java.out"; return; }
	shift 2
	python3 tests/collapse/jfr_judge.py "$pyrograph" "$jfr" "$tmp/flight.jfr" "$@"
}

# ask JAVA BIN: takes thread dumps of $jvm with the programs in BIN
ask()
{
	"$2/jcmd" $jvm Thread.print >"$tmp/dump" 2>/dev/null
	[ "$(java_version "$1")" -ge 21 ] || return
	for format in plain json; do
		"$2/jcmd" $jvm Thread.dump_to_file -overwrite -format=$format "$tmp/all.$format" >/dev/null
	done
}

# dump JAVA: what is in them
dump()
{
	grep -c '^".* tid=0x' "$tmp/dump" >"$tmp/wanted"
	"$pyrograph" collapse -q --state all "$tmp/dump" | awk '!/^#/ { n += $NF } END { print n }' >"$tmp/got"
	same "$1: each thread of a dump" "$tmp/got" "$tmp/wanted"
	"$pyrograph" collapse -q --state all --root state,thread --norm "$tmp/dump" >"$tmp/got"
	has "... where it accepts" "$tmp/got" "NETWORK;java-$jvm/accept;"
	has "... where it waits" "$tmp/got" "WAITING;java-$jvm/wait;java.lang.Thread.run;"
	has "... the JVM's own" "$tmp/got" "BACKGROUND;java-$jvm/VM Thread;[no Java frames] 1"
	"$pyrograph" collapse -q "$tmp/dump" >"$tmp/got"
	has "... and by default what runs" "$tmp/got" "spin-1;java.lang.Thread.run;"
	has_not "... only" "$tmp/got" "accept;"
	[ "$(java_version "$1")" -ge 21 ] || return
	for format in plain json; do
		"$pyrograph" collapse -q "$tmp/all.$format" >"$tmp/got"
		has "$1: Thread.dump_to_file, $format" "$tmp/got" "spin-1;java.lang.Thread.run;"
	done
}

for java in $JAVAS; do
	"$java" -cp "$classes" Thrown >"$tmp/log" 2>"$tmp/stacks"
	sort "$tmp/stacks" | uniq -c | awk '{ print $2, $1 }' >"$tmp/wanted"
	"$pyrograph" collapse -q "$tmp/log" | grep -v '^#' >"$tmp/got"
	same "stack traces, and what the JVM says they are" "$tmp/got" "$tmp/wanted"
	more=
	[ "$(java_version "$java")" -lt 25 ] || more=,jdk.CPUTimeSample#enabled=true
	# shellcheck disable=SC2046 # words
	judge "$java" "$more,jdk.ObjectAllocationInNewTLAB#enabled=true,jdk.ObjectAllocationOutsideTLAB#enabled=true" jdk.ExecutionSample \
		jdk.NativeMethodSample $([ "$(java_version "$java")" -lt 16 ] || echo jdk.ObjectAllocationSample) jdk.ObjectAllocationInNewTLAB \
		jdk.JavaMonitorEnter jdk.ThreadPark jdk.ThreadSleep ${more:+jdk.CPUTimeSample}
done

[ -s "$tmp/flight.jfr" ] || exit 0
cat "$tmp/flight.jfr" "$tmp/flight.jfr" >"$tmp/two.jfr"
"$pyrograph" collapse -q "$tmp/flight.jfr" | awk '!/^#/ { n += $NF } END { print 2 * n }' >"$tmp/wanted"
"$pyrograph" collapse -q "$tmp/two.jfr" | awk '!/^#/ { n += $NF } END { print n }' >"$tmp/got"
same "concatenated recordings" "$tmp/got" "$tmp/wanted"
"$pyrograph" collapse -q --jobs 1 "$tmp/two.jfr" >"$tmp/one"
"$pyrograph" collapse -q --jobs 3 "$tmp/two.jfr" >"$tmp/three"
same "one thread and three" "$tmp/three" "$tmp/one"
python3 tests/collapse/jfr_damage.py "$pyrograph" "$tmp/flight.jfr" "$tmp/damaged.jfr"
