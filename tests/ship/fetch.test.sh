#!/bin/sh
# pyrograph collapse of a store: stacks and labels are requested by hash, after the rows.  collapse waits for stacks and
# labels that come late, unless too many rows would have to wait, and reports missing data.
# slow: a database server
. tests/tap.sh
. tests/collect/common.sh
. tests/ship/server.sh
database=perf
python3 tests/ship/make_samples.py 1 2000 >"$tmp/text"
$pyrograph ship -q --create --samples "$tmp/text" --to "$store"

# meddled WAY OPTION...: the lines from the store, through a proxy that changes the answers; the requests are in
# $tmp/log
meddled()
{
	echo "$1" >"$tmp/way"
	shift
	rm -f "$tmp/log"
	$pyrograph collapse "$@" -o "$tmp/meddled" "clickhouse://127.0.0.1:$meddle_port/perf" 2>"$tmp/err"
	meddled_status=$?
	grep -v '^#' "$tmp/meddled" >"$tmp/of-store"
}
python3 tests/ship/meddle.py "$port" "$tmp/meddle.port" "$tmp/log" "$tmp/way" &
meddler=$!
before 30 test -s "$tmp/meddle.port"
read -r meddle_port <"$tmp/meddle.port"
asked() { { grep -v query "$tmp/log" || printf -; } | tr '\n' ,; }
address=clickhouse://127.0.0.1:$port/perf
lines() { $pyrograph collapse -q "$@" 2>"$tmp/err" | grep -v '^#'; }

# ---- by hash ----

while read -r way wanted options; do
	# shellcheck disable=SC2086
	case $options in
	*--leaf* | *--threads*) lines --all --columns samples,period $options "$address" ;;
	*) lines $options "$tmp/text" ;;
	esac >"$tmp/of-file"
	# shellcheck disable=SC2086
	meddled "$way" -q --all --columns samples,period $options
	same "answers $way: $options" "$tmp/of-store" "$tmp/of-file"
	[ -s "$tmp/of-file" ] || not_ok "... which has lines" "$tmp/err"
	is "... asked for" "$(asked)" "$wanted"
done <<'END'
plain early, --root none
plain early,early, --root comm
plain early,early, --root comm --timed
plain early, --root comm --no-stack
plain early,early, --root comm --leaf thread
plain - --root none --no-stack
error early,whole, --root none
error early,whole,early,whole, --root comm
error early,whole,early,whole, --root thread,cpu --timed
error early,whole, --root comm --no-stack
error early,whole,early,whole, --root comm --threads worker-3
end early,whole, --root none
end early,whole,early,whole, --root comm --leaf thread
end early,whole, --root none --timed
forbid early,pass, --root none
forbid early,pass,pass, --root comm
forbid early,pass,pass, --root thread,cpu --timed
forbid early,pass,pass, --root comm --leaf thread
END
meddled fail --root none
is "an error that comes again" $meddled_status 1
has "... is the store's" "$tmp/err" "is away: Code: 241, e.displayText() = DB::Exception: Memory limit (for query) exceeded: it is made up"

# ---- times ----

for ms in 20 30; do # 20 is a part of a second, 30 is not
	lines --timed --root none --no-stack --columns samples,period --resolution ${ms}ms "$address" | cut -d ' ' -f 1,4 >"$tmp/of-store"
	python3 - $ms "$tmp/text" >"$tmp/of-file" <<-'END'
	import collections, sys
	ns = int(sys.argv[1]) * 1000000
	count = collections.Counter()
	for line in open(sys.argv[2]):
	    if line[0] == "@":
	        second, rest = line[1:].split(" ")[0].split(".")
	        count[(int(second) * 10 ** 9 + int(rest)) // ns * ns] += 1
	for time in sorted(count):
	    print("@%d.%09d %d" % (time // 10 ** 9, time % 10 ** 9, count[time]))
	END
	same "times are rounded down to $ms ms" "$tmp/of-store" "$tmp/of-file"
done

meddled cut --root none
is "an answer that ends in the midst of a row" $meddled_status 1
has "... is told" "$tmp/err" "ends in the midst of a row"

# ---- many rows ----

# 350 rows with a name of 100 kB: together more than what may wait.
long=$(printf '%0100000d' 0 | tr 0 h)
awk '/^@/ { if (n == 350) next; $2 = n % 16; $3 = int(n / 16); n++ } { print }' "$tmp/text" >"$tmp/many"
$pyrograph ship -q --samples "$tmp/many" --host "$long" --to "$store"
many()
{
	meddled plain -q --host 'hhh*' --all --columns samples,period --root host,thread,cpu "$@"
	python3 -c 'import sys; sys.stdout.write(sys.stdin.read().replace("h" * 100000, "host1"))' <"$tmp/of-store" >"$tmp/short"
	lines --root thread,cpu "$@" "$tmp/many" | sed 's/^\(@[0-9.]* \)*/\1host1;/' >"$tmp/of-file"
	same "many rows: $*" "$tmp/short" "$tmp/of-file"
	is "... look at all samples" "$(asked)" "pass,pass,"
}
many
many --timed
meddled refuse --root host,thread,cpu
is "... which the store refuses" $meddled_status 1
has "... is told" "$tmp/err" "Memory limit"
sql "ALTER TABLE samples DROP PARTITION '2026-11-22'"
sql "ALTER TABLE batches DROP PARTITION '2026-11-22'"
$pyrograph ship -q --samples "$tmp/text" --host host1 --to "$store"

# ---- times that were asked for ----

# A sample that no batch announces yet, because another shipper is still sending it.
sql "INSERT INTO samples (day, event, service, host, second, ns, cpu, thread, labels, stack, weight, count, longest, batch) SELECT
	day, event, service, host, second + 1000, ns, cpu, thread, labels, stack, weight, count, longest, batch FROM samples LIMIT 1"
to=$(sql "SELECT toString(toDateTime(intDiv(max(last), 1000000000)) + 1, 'UTC') FROM batches" | sed 's/ /T/; s/$/Z/')
is "samples after --to are not there" "$(lines --root none --to "$to" "$address" | awk '{ n += $NF } END { print n }')" 2000
is "... nor with times" "$(lines --timed --root none "$address" | grep -c .)" \
	"$(lines --timed --root none "$tmp/text" | grep -c .)"
sql "ALTER TABLE samples DROP PARTITION '2026-11-22'"
sql "ALTER TABLE batches DROP PARTITION '2026-11-22'"
$pyrograph ship -q --samples "$tmp/text" --host host1 --to "$store"

# ---- a hash with an end that no part of a request may have ----

end=FFFFFFFFFFFFFFFFFFFFFFFFFF0A2D2D
sql "INSERT INTO samples (day, event, service, host, second, ns, cpu, thread, labels, stack, weight, count, longest, batch) SELECT
	day, event, service, 'ends', second, ns, cpu, thread, labels, toFixedString(unhex('$end'), 16), weight, count, longest, batch
	FROM samples LIMIT 1"
sql "INSERT INTO batches (day, id, recording, number, event, service, host, columns, unit, header, first, last, samples, lost, seen)
	SELECT day, id, recording, number, event, service, 'ends', columns, unit, header, first, last, 1, lost, seen FROM batches LIMIT 1"
sql "INSERT INTO stacks SELECT '2026-11-22', toFixedString(unhex('$end'), 16), 'its;stack'"
is "a hash that ends as a part of a request might" "$(lines --root none --host ends "$address")" "its;stack 1"
sql "ALTER TABLE samples DROP PARTITION '2026-11-22'"
sql "ALTER TABLE batches DROP PARTITION '2026-11-22'"
$pyrograph ship -q --samples "$tmp/text" --host host1 --to "$store"

# ---- missing ----

sql "ALTER TABLE stacks DROP PARTITION '2026-11-22'"
sql "INSERT INTO stacks SELECT '2026-11-22', sipHash128('main;run;leaf;f0_[k]'), 'main;run;leaf;f0_[k]'"
meddled plain --root none
is "a store without some stacks" "$meddled_status:$(grep -c . "$tmp/of-store")" 0:2
has "... has the others" "$tmp/of-store" "main;run;leaf;f0 "
has "... and a name for these" "$tmp/of-store" "[unknown] "
is "... none is lost" "$(awk '{ n += $NF } END { print n }' "$tmp/of-store")" 2000
missing=$(sql "SELECT uniqExact(stack) - 1 FROM samples")
has "... says so" "$tmp/err" "$missing rows lack their stack or labels"
is "... asks twice" "$(asked)" "early,whole,"
meddled plain --root none --timed
is "... with times, too" "$(grep -c '^@[0-9.]* \[unknown\] 1$' "$tmp/of-store"):$(grep -c . "$tmp/of-store")" \
	"$(sql "SELECT countIf(stack != sipHash128('main;run;leaf;f0_[k]')) FROM samples"):2000"
sql "ALTER TABLE labels DROP PARTITION '2026-11-22'"
meddled plain --root comm --no-stack
is "a store without labels" "$meddled_status:$(cat "$tmp/of-store")" "0:[no stack] 2000"
has "... says so" "$tmp/err" "$(sql "SELECT uniqExact(labels) FROM samples") rows lack their stack or labels"
kill $meddler
server_stop
