# A CPU that is switched off and on during a recording is recorded again.  This takes a CPU from everything else, so it
# is only tried with HOTPLUG=1.
# live: samples of a CPU that goes off
# alone: it takes a CPU away
. tests/tap.sh
. tests/collect/common.sh
switch=/sys/devices/system/cpu/cpu1/online

if [ "${HOTPLUG:-}" != 1 ] || [ ! -w "$switch" ]; then
	skip "a CPU that goes off" "it disturbs what else is measured: HOTPLUG=1, as root, with a CPU 1 that can be switched off"
	exit 0
fi
need_sampling "a CPU that goes off"

# followed OPTION...: records while CPU 1 goes off and on again; there must be samples of it after that
followed()
{
	$collect -e cpu-clock -F 499 -d 3 -o "$tmp/off.data" "$@" 2>"$tmp/err" & collector=$!
	before 30 grows "$tmp/off.data" 4096
	echo 0 >"$switch"
	[ "$quick" ] || sleep 0.5
	echo 1 >"$switch"
	back=$(awk '{ print $1 }' /proc/uptime) # its fraction of a second is the monotonic clock's, if it never slept
	finished $collector
	is "$1: recorded" $? 0
	some "... and CPU 1 is sampled when it is back" "$(perf script -i "$tmp/off.data" -F cpu,time 2>"$tmp/perf.err" |
		awk -v back="$back" '/\[001\]/ && $2 + 0 > back + 0.3 { n++ } END { print n + 0 }')" 50
	has "... it is told" "$tmp/err" "lost: 1 time that a CPU was off"
	"$pyrograph" collapse -q --heat "$tmp/off.data" >"$tmp/out"
	has "... and a gap" "$tmp/out" "cpu=1 why=cpu-off"
}
"$spin" 60 >"$tmp/spin1" & one=$!
"$spin" 60 >"$tmp/spin2" & two=$!
quick=
followed -a
quick=1
followed -a --call-graph dwarf
quick=
followed -p $one,$two
kill $one $two
wait $one $two 2>/dev/null
:
