#!/bin/sh
# pyrograph watch --ship: each finished recording gets into the store, once, whatever happens to the store and to watch.
# live: recordings of this machine
# slow: a database server, and recordings of seconds
. tests/tap.sh
. tests/collect/common.sh
need_sampling "watch --ship"
. tests/ship/server.sh
database=perf
watching="watch cpu --dir $tmp/w --window 2s --budget 0"
watch="$pyrograph $watching"
status "an address that is none" 2 $watch --ship store
has "... is told at once" "$tmp/err" "watch: store: is not the address of a store"
status "a bound that is none" 2 $watch --ship "$store" --spool-max much
is "... before anything is recorded" "$([ -e "$tmp/w" ]; echo $?)" 1
$pyrograph ship --create -q --to "$store"

# (The file of the previous watcher is emptied here, because the shell's child would do it too late.)  The watcher gets
# its own session: if the kernel shares the CPU between sessions (sched_autogroup), the sender has the lowest priority
# only within that session, and does not come after all other tests.
watcher()     { : >"$tmp/watch.err"; setsid $watch --ship "$store" --service $service "$@" 2>"$tmp/watch.err" & watcher=$!; }
end_watcher() { kill -TERM $watcher; before 60 ended; finished $watcher; watch_status=$?; }
ended()       { gone $watcher || { hurry; false; }; }
# The sender has the lowest priority; under load, it would fall behind these windows of two seconds forever.
hurry()
{
	for p in $(cat /proc/$watcher/task/*/children); do
		renice -n 0 -p "$p" $(cat "/proc/$p/task/$p/children")
	done
} >/dev/null 2>&1
# count FILE...: how many files there are, counted without starting a process, since tests poll this.  A pattern without
# a match stays as it is.
count()       { [ -e "$1" ] && counted=$# || counted=0; }
# When it ends, watch sends for only a few more seconds.
end_when_sent() { before 240 few_wait; end_watcher; }
sent_some()   { [ $(($(windows) - $(unshipped))) -ge "$1" ]; }
few_wait()    { count "$tmp"/w/*unshipped*; [ $counted -le 2 ] || { hurry; false; }; }
windows()     { count "$tmp"/w/*.data; echo $counted; }
there_are()   { count "$tmp"/w/*.data; [ $counted -ge "$1" ]; }
said_that()   { grep -q "$1" "$tmp/watch.err"; }
unshipped()   { count "$tmp"/w/*unshipped*; echo $counted; }
parcels()     { count "$tmp"/w/spool/*.parcel; echo $counted; }
spooled_soon() { spooled "$1" || { hurry; false; }; }
none_spooled() { [ "$(parcels)" = 0 ] || { hurry; false; }; }
spooled()     { count "$tmp"/w/spool/*.parcel; [ $counted -ge "$1" ]; }
stored()      { sql "SELECT count(), uniqExact(time, cpu, thread, stack) FROM samples WHERE service = '$service'"; }
# The totals of all recordings, as the store must have them.
recorded()    { for f in "$tmp"/w/*.data; do $pyrograph collapse -q --timed --root none "$f" | grep '^@'; done | wc -l; }
in_store()
{
	stored >"$tmp/stored"
	read -r all once <"$tmp/stored"
	is "$1: all samples are in the store" "$all" "$(recorded)"
	some "... and there are some" "$all" 1
	is "... each once" "$once" "$all"
	is "... nothing waits" "$(unshipped):$(parcels)" 0:0
}
# Copies /proc's facts about the sender while it sends.
look_at_ship()
{
	rm -f "$tmp/stat"
	for p in $(cat /proc/$watcher/task/*/children); do
		[ "$(cat "/proc/$p/comm")" = pyrograph-ship ] && cp "/proc/$p/stat" "/proc/$p/status" "/proc/$p/oom_score_adj" "$tmp"
	done
	[ -s "$tmp/stat" ] && [ -s "$tmp/status" ]
} 2>/dev/null
# Use another name for what is shipped, because a server that is stopped soon after it dropped a partition may have it
# again.
empty() { turn=$((turn + 1)); service=shop$turn; rm -rf "$tmp/w"; }
turn=0

sent()
{
	empty
	watcher
	before 60 look_at_ship
	is "it is sent at the lowest priority" "$(sed 's/.*) //' "$tmp/stat" | cut -d' ' -f17)" 19
	is "... and goes first where memory is short" "$(cat "$tmp/oom_score_adj")" 1000
	before 60 there_are 2
	end_when_sent
	is "watch ends well" $watch_status 0
	in_store "watch"
	is "... says nothing of it" "$(grep -c -i -e ship -e store -e batches "$tmp/watch.err")" 0
	is "... by its service" "$($pyrograph collapse -q --root host --no-stack --service $service "clickhouse${store#http}" | grep -vc '^#')" 1
}
live sent

away()
{
	empty
	server_stop
	watcher
	before 90 spooled 2
	before 60 there_are 3
	end_watcher
	is "a store that is away is told once" "$(grep -c 'is away' "$tmp/watch.err")" 1
	is "... and watch ends well" $watch_status 0
	server_start
	watcher
	before 240 none_spooled
	end_when_sent
	in_store "the store is back"
}
live away

# One of several events.
chosen()
{
	empty
	$pyrograph watch cpu,faults --dir "$tmp/w" --window 2s --budget 0 -d 5 --ship "$store" --ship-event faults --service $service 2>"$tmp/err"
	is "--ship-event" "$(sql "SELECT DISTINCT event FROM samples WHERE service = '$service'")" faults
	some "... leaves the others in the recordings" "$(recorded)" 1
}
if $pyrograph collect usable faults 2>/dev/null | grep -q faults; then live chosen; else skip "--ship-event" "no faults here"; fi

# It gets time for its last window, and sends all other windows; a watch that is killed leaves the rest to the next one.
killed()
{
	empty
	watcher
	before 60 there_are 2
	kill -KILL $watcher
	wait $watcher 2>/dev/null
	watcher
	before 60 there_are 3
	end_when_sent
	in_store "watch was killed"
}
live killed

refused()
{
	empty
	sql "RENAME TABLE perf.labels TO perf.other"
	watcher
	before 60 said_that 'without these columns'
	before 90 spooled_soon 2
	is "tables that are not ours are told once" "$(grep -c 'without these columns' "$tmp/watch.err")" 1
	some "... meanwhile, the spool keeps what comes" "$(parcels)" 2
	sql "RENAME TABLE perf.other TO perf.labels"
	before 60 said_that 'shipping again'
	end_when_sent
	in_store "the tables are there again"
}
live refused

bounded()
{
	empty
	server_stop
	watcher
	before 90 spooled 1
	end_watcher
	size=$(cat "$tmp"/w/spool/*.parcel | wc -c)
	watcher --spool-max $((size * 2))
	before 90 said_that 'had no room'
	before 60 there_are $(($(windows) + 2))
	end_watcher
	is "what has no room in the spool is told once" "$(grep -c 'had no room' "$tmp/watch.err")" 1
	is "... its bound holds" "$(($(find "$tmp/w/spool" -name '*.parcel' -exec cat {} + | wc -c) <= size * 2))" 1
	server_start
}
live bounded

budget()
{
	empty
	watcher --budget 0.0001%
	before 60 said_that 'doing less'
	before 60 there_are 3
	end_when_sent
	in_store "a watch that began anew"
}
live budget

# A stand-in for pyrograph-ship that first uses 0.6 s of CPU time.
costs()
{
	empty
	mkdir -p "$tmp/bin"
	cp "${BUILD:-build}"/pyrograph-* "$tmp/bin"
	mv "$tmp/bin/pyrograph-ship" "$tmp/bin/really"
	cat >"$tmp/bin/pyrograph-ship" <<-ENDED
		#!/bin/sh
		case "\$*" in *--check*) ;; *) timeout 60 perl -e 'do { 1 for 1..100000 } while (times)[0] < 0.6' ;; esac
		exec "$tmp/bin/really" "\$@"
	ENDED
	chmod +x "$tmp/bin/pyrograph-ship"
	: >"$tmp/watch.err"
	setsid "$tmp/bin/pyrograph-collect" watch cpu --dir "$tmp/w" --window 2s --budget 0 --ship "$store" --service $service 2>"$tmp/watch.err" &
	watcher=$!
	before 90 sent_some 1
	before 60 there_are $(($(windows) + 2))
	end_watcher
	for f in "$tmp"/w/*.data; do $pyrograph collapse -q "$f"; done | sed -n 's/.*own-cost="*\([0-9.]*\)%.*/\1/p' | sort -n >"$tmp/costs"
	echo "# of a CPU: $(paste -sd' ' "$tmp/costs")"
	some "what shipping costs counts" "$(tail -1 "$tmp/costs" | cut -d. -f1)" 10
}
live costs

# As in the service: the sender does not have the rights that recording needs.
few_rights()
{
	empty
	install -d -o 65534 -m 700 "$tmp/w"
	chmod 711 "$tmp"
	install -D -t "$tmp/bin" "${BUILD:-build}"/pyrograph* # a clone in root's home is not for others
	list=$(sed -n 's/^AmbientCapabilities=//p' examples/pyrograph-watch.service | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
	setsid setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set="-all,$list" --inh-caps="-all,$list" \
		--ambient-caps="-all,$list" "$tmp/bin/pyrograph" $watching --ship "$store" --service $service 2>"$tmp/watch.err" &
	watcher=$!
	before 60 look_at_ship
	is "what sends has no capabilities" "$(sed -n 's/^CapEff:[[:space:]]*//p' "$tmp/status")" 0000000000000000
	is "... though what records has" "$(grep -c '^CapEff:.*[1-9a-f]' /proc/$watcher/status)" 1
	before 60 there_are 2
	end_when_sent
	in_store "with few rights"
}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	live few_rights
else
	skip "what sends has no capabilities" "not root, no setpriv, or kernel.perf_event_paranoid is above 2"
fi
server_stop
