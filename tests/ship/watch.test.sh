#!/bin/sh
# pyrograph watch --ship: each finished recording gets into the store, once, whatever happens to the store and to watch.
# live: recordings of this machine
# slow: a database server, and recordings of seconds
. tests/tap.sh
. tests/collect/common.sh
need_sampling "watch --ship"
. tests/ship/server.sh
database=perf
watch="$pyrograph watch cpu --dir $tmp/w --window 2s --budget 0"
status "an address that is none" 2 $watch --ship store
has "... is told at once" "$tmp/err" "watch: store: is not the address of a store"
status "a bound that is none" 2 $watch --ship "$store" --spool-max much
is "... before anything is recorded" "$([ -e "$tmp/w" ]; echo $?)" 1
$pyrograph ship --create -q --to "$store"

watcher()     { $watch --ship "$store" --service shop "$@" 2>"$tmp/watch.err" & watcher=$!; }
end_watcher() { kill -TERM $watcher; finished $watcher; watch_status=$?; }
# At the end, it sends for some seconds only.
end_when_sent() { before 90 few_wait; end_watcher; }
sent_some()   { [ $(($(windows) - $(unshipped))) -ge "$1" ]; }
few_wait()    { [ "$(unshipped)" -le 2 ]; }
windows()     { ls "$tmp/w" | grep -c '\.data$'; }
there_are()   { [ "$(windows)" -ge "$1" ]; }
said_that()   { grep -q "$1" "$tmp/watch.err"; }
unshipped()   { ls "$tmp/w" | grep -c unshipped; }
parcels()     { find "$tmp/w/spool" -name "*.parcel" 2>/dev/null | wc -l; }
spooled()     { [ "$(parcels)" -ge "$1" ]; }
stored()      { sql "SELECT count(), uniqExact(time, cpu, thread, stack) FROM samples WHERE service = 'shop'"; }
# What all recordings have, as the store must have it.
recorded()    { for f in "$tmp"/w/*.data; do $pyrograph collapse -q --timed --root none "$f" | grep '^@'; done | wc -l; }
in_store()
{
	stored >"$tmp/stored"
	read -r all once <"$tmp/stored"
	is "$1: all samples are in the store" "$all" "$(recorded)"
	is "... each once" "$once" "$all"
	is "... nothing waits" "$(unshipped):$(parcels)" 0:0
}
empty() { sql "ALTER TABLE samples DROP PARTITION '$(date -u +%F)'"; rm -rf "$tmp/w"; }

sent()
{
	empty
	watcher
	pid=
	before 60 sh -c "cat /proc/$watcher/task/*/children | tr ' ' '\n' | while read -r p; do
		read -r name </proc/\$p/comm && [ \"\$name\" = pyrograph-ship ] && exec cp /proc/\$p/stat '$tmp/stat'; done 2>/dev/null; [ -s '$tmp/stat' ]"
	is "it is sent at the lowest priority" "$(sed 's/.*) //' "$tmp/stat" | cut -d' ' -f17)" 19
	before 60 there_are 3
	end_when_sent
	is "watch ends well" $watch_status 0
	in_store "watch"
	is "... says nothing of it" "$(grep -c -i -e ship -e store -e batches "$tmp/watch.err")" 0
	is "... by its service" "$($pyrograph collapse -q --root host --no-stack --service shop "clickhouse${store#http}" | grep -vc '^#')" 1
}
live sent

away()
{
	empty
	server_stop
	watcher
	before 90 spooled 3
	before 60 there_are 4
	end_watcher
	is "a store that is away is told once" "$(grep -c 'is away' "$tmp/watch.err")" 1
	is "... and watch ends well" $watch_status 0
	server_start
	watcher
	before 60 sh -c "! ls '$tmp/w/spool' | grep -q parcel"
	end_when_sent
	in_store "the store is back"
}
live away

# Its time in the store, as of all other windows: a watch that is killed leaves the rest to the next one.
killed()
{
	empty
	watcher
	before 60 there_are 2
	kill -KILL $watcher
	wait $watcher 2>/dev/null
	watcher
	before 60 there_are 4
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
	before 60 there_are 4
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
	before 60 there_are 4
	end_when_sent
	in_store "a watch that began anew"
}
live budget

# A pyrograph-ship that first takes a second of CPU time.
costs()
{
	empty
	mkdir -p "$tmp/bin"
	cp "${BUILD:-build}"/pyrograph-* "$tmp/bin"
	mv "$tmp/bin/pyrograph-ship" "$tmp/bin/really"
	cat >"$tmp/bin/pyrograph-ship" <<-ENDED
		#!/bin/sh
		case "\$*" in *--check*) ;; *) timeout 60 perl -e '1 while (times)[0] < 1' ;; esac
		exec "$tmp/bin/really" "\$@"
	ENDED
	chmod +x "$tmp/bin/pyrograph-ship"
	"$tmp/bin/pyrograph-collect" watch cpu --dir "$tmp/w" --window 3s --budget 0 --ship "$store" --service shop 2>"$tmp/watch.err" &
	watcher=$!
	before 90 sent_some 1
	before 60 there_are $(($(windows) + 2))
	end_watcher
	for f in "$tmp"/w/*.data; do $pyrograph collapse -q "$f"; done | sed -n 's/.*own-cost="*\([0-9.]*\)%.*/\1/p' | sort -n >"$tmp/costs"
	echo "# of a CPU: $(paste -sd' ' "$tmp/costs")"
	some "what shipping costs counts" "$(tail -1 "$tmp/costs" | cut -d. -f1)" 10
}
live costs
server_stop
