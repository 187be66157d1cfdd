# Flight recordings of real JVMs, judged by jfr print; and what damage does to them.
# slow: a JVM runs for some seconds
. tests/tap.sh
. tests/jvm/java.sh
export TZ=UTC
need_java

# judge JAVA OPTION EVENT...: a recording of Flight by that JVM
judge()
{
	java=$(readlink -f "$(command -v "$1")")
	jfr=${java%/*}/jfr
	[ -x "$jfr" ] || { skip "flight recordings of $1" "no jfr beside it"; return; }
	rm -f "$tmp/flight.jfr"
	"$java" -XX:StartFlightRecording="filename=$tmp/flight.jfr,settings=profile$2" -cp "$classes" Flight 2 >"$tmp/java.out" 2>&1
	[ -s "$tmp/flight.jfr" ] || { not_ok "a flight recording by $1" "$tmp/java.out"; return; }
	shift 2
	python3 tests/collapse/jfr_judge.py "$pyrograph" "$jfr" "$tmp/flight.jfr" "$@"
}

for java in $JAVAS; do
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
