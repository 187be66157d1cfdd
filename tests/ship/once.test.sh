#!/bin/sh
# pyrograph ship on bad days: the shipper is killed during a batch, the store is away, the spool is full, the server is
# killed: each sample is in the store once, and losses are counted.
# slow: a database server, which is started again
. tests/tap.sh
. tests/ship/server.sh
samples=30000
python3 tests/ship/make_samples.py 1 $samples >"$tmp/text"
$pyrograph ship -q --create --samples /dev/null --to "$store" 2>/dev/null # has no samples, and says so
database=perf
inserted() { sql "SELECT value FROM system.events WHERE event = 'InsertedRows'"; }
before=$(inserted)
$pyrograph ship -q --samples "$tmp/text" --host first --to "$store"
all=$(($(inserted) - before))
there() { sql "SELECT count(), uniqExact(time, cpu, stack) FROM samples WHERE host = '$1'"; }
whole=$(there first)
is "all samples are there" "${whole%%	*}" $samples

# ---- what is there already ----

stacks=$(sql "SELECT uniqExact(stack) FROM samples") labels=$(sql "SELECT uniqExact(labels) FROM samples") before=$(inserted)
$pyrograph ship -q --samples "$tmp/text" --host second --to "$store"
is "stacks and labels that another host sent are not sent again" $(($(inserted) - before)) $((samples + 1))
sql "ALTER TABLE stacks DELETE WHERE hash IN (SELECT hash FROM stacks ORDER BY hash LIMIT 2, 3)" >"$tmp/delete" 2>&1
for try in $(seq 100); do
	[ "$(sql "SELECT uniqExact(hash) FROM stacks")" = $((stacks - 3)) ] && break
	sleep 0.1
done
before=$(inserted)
$pyrograph ship -q --samples "$tmp/text" --host third --to "$store"
is "... those that are missing are, and no others" $(($(inserted) - before)) $((samples + 1 + 3))
is "... so that all are there" "$(sql "SELECT uniqExact(hash) FROM stacks"):$(sql "SELECT uniqExact(hash) FROM labels")" "$stacks:$labels"
is "... with their hashes" "$(sql "SELECT count() FROM stacks WHERE hash != sipHash128(frames)")" 0

# Newer servers may forbid tables sent along with a query, which ship uses, and any server may have limits.
python3 tests/ship/meddle.py "$port" "$tmp/meddle.port" "$tmp/log" "$tmp/way" &
meddler=$!
while [ ! -s "$tmp/meddle.port" ]; do sleep 0.05; done
for way in forbid limit; do
	rm -f "$tmp/log"
	echo $way >"$tmp/way"
	before=$(inserted)
	status "a store that does not answer: $way" 0 $pyrograph ship --samples "$tmp/text" --host $way \
		--to "http://127.0.0.1:$(cat "$tmp/meddle.port")/perf"
	is "... gets all" $(($(inserted) - before)) "$all"
	asked=$(grep -c whole "$tmp/log")
	[ $way = limit ] || is "... and is asked once" "$asked" 1
done
kill $meddler
wait $meddler 2>/dev/null

# ---- killed ----

# A relay between ship and the store: it passes on the first part of the insert of samples, kills the shipper, and hangs up.
# How many bytes of the insert of samples are passed on:
for bytes in 0 200 1000 500000 1000000 whole; do
	rm -f "$tmp/pid" "$tmp/relay.port"
	python3 tests/ship/relay.py "$port" "$tmp/relay.port" "$tmp/pid" $bytes &
	relay=$!
	while [ ! -s "$tmp/relay.port" ]; do sleep 0.05; done
	sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$tmp/pid" "${BUILD:-build}/pyrograph-ship" -q --samples "$tmp/text" \
		--host "killed$bytes" --to "http://127.0.0.1:$(cat "$tmp/relay.port")/perf" 2>"$tmp/killed.err"
	killed=$?
	wait $relay
	is "killed after $bytes bytes of a batch" $killed 137
	[ "$bytes" = whole ] || is "... nothing of it is there" "$(there "killed$bytes")" "0	0"
	status "... shipped again" 0 $pyrograph ship --samples "$tmp/text" --host "killed$bytes" --to "$store"
	is "... each sample is there once" "$(there "killed$bytes")" "$whole"
done
has "a batch that arrived whole was there" "$tmp/err" "were there already"

# ---- away ----

server_stop
status "a store that is away" 1 $pyrograph ship --samples "$tmp/text" --host away --to "$store"
has "... is said, and what helps" "$tmp/err" "--spool keeps what it cannot take"
status "... with a spool" 0 $pyrograph ship --samples "$tmp/text" --host away --spool "$tmp/spool" --to "$store"
has "... which keeps it" "$tmp/err" "1 batches"
status "... once" 0 $pyrograph ship --samples "$tmp/text" --host away --spool "$tmp/spool" --to "$store"
has "... though it is shipped twice" "$tmp/err" "1 batches"
is "... as its owner only can read it" "$(stat -c %a "$tmp"/spool/*.parcel)" 600
# If a file is made first and closed to others only afterwards, it could be opened in between.
if command -v strace >/dev/null && strace -qq true 2>/dev/null; then
	(umask 0 && strace -qq -o "$tmp/calls" -e trace=fchmod,chmod,fchmodat -e inject=fchmod,chmod,fchmodat:error=EPERM \
		"${BUILD:-build}/pyrograph-ship" -q --samples "$tmp/text" --host away --spool "$tmp/spool.2" --to "$store") 2>"$tmp/err"
	is "... from the beginning" "$(stat -c %a "$tmp"/spool.2/*.parcel)" 600
else
	skip "... from the beginning" "no strace"
fi
server_start
status "the store is back" 0 $pyrograph ship --spool "$tmp/spool" --to "$store"
has "... and gets it" "$tmp/err" "1 batches, $samples samples are in the store now"
is "... once" "$(there away)" "$whole"
is "the spool is empty" "$(find "$tmp/spool" -name '*.parcel' | wc -l)" 0

# ---- a bound ----

server_stop
size=0
for host in a b c d; do
	$pyrograph ship -q --samples "$tmp/text" --host $host --spool "$tmp/small" --spool-max "${limit:-1G}" --to "$store"
	[ -n "$limit" ] || size=$(du -sb "$tmp/small"/*.parcel | cut -f1)
	limit=$((size * 5 / 2))
done 2>"$tmp/small.err"
is "a full spool keeps the newest" "$(find "$tmp/small" -name '*.parcel' | wc -l)" 2
status "... says how much it dropped" 1 $pyrograph ship --samples "$tmp/text" --host e --spool "$tmp/small" --spool-max $limit --to "$store"
has "... of all runs" "$tmp/err" "no room for 3 batches, $((samples * 3)) samples"
cp "$(find "$tmp/small" -name '*.parcel' | sort | head -1)" "$tmp/cut"
dd if="$tmp/cut" of="$tmp/small/00000000000000000001-0000.parcel" bs=1000 count=50 2>/dev/null
server_start
status "the store is back, once more" 1 $pyrograph ship --spool "$tmp/small" --to "$store"
has "... a damaged parcel is set aside" "$tmp/err" "is damaged: not sent, set aside as 00000000000000000001-0000.damaged"
has "... and counted" "$tmp/err" "1 batches were damaged: their samples are lost"
is "... the newest are there" "$(there d):$(there e)" "$whole:$whole"
is "... the oldest is not" "$(there a)" "0	0"
status "... and it is told once" 0 $pyrograph ship --spool "$tmp/small" --to "$store"
has_not "... not again" "$tmp/err" "no room for"

# ---- a server that is killed ----

$pyrograph ship -q --samples "$tmp/text" --host crash --spool "$tmp/crash" --to "$store" &
shipper=$!
sleep 0.1
server_stop -KILL
wait $shipper
server_start
status "a server was killed" 0 $pyrograph ship --samples "$tmp/text" --host crash --spool "$tmp/crash" --to "$store"
is "... each sample is there once" "$(there crash)" "$whole"
server_stop
