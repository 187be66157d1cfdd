#!/bin/sh
# pyrograph ship and a store: lines from the store equal lines from the files, each sample is there once, and hostile
# names stay text.
# slow: a database server
. tests/tap.sh
. tests/ship/server.sh
address=clickhouse://127.0.0.1:$port/perf

# ---- tables ----

status "a store without tables" 1 $pyrograph ship --samples /dev/null --to "$store"
has "... says how to make them" "$tmp/err" "has no tables of ours: make them with --create"
is "... and none is made" "$(sql "SELECT count() FROM system.tables WHERE database = 'perf'")" 0
status "a database that is not there" 1 $pyrograph ship --samples /dev/null --to "http://127.0.0.1:$port/nothing"
has "... is said" "$tmp/err" "make the database first"

$pyrograph ship --schema >"$tmp/schema.sql"
database=perf
tr '\n' ' ' <"$tmp/schema.sql" | sed 's/; */\n/g' | while IFS= read -r statement; do
	[ -z "$statement" ] || sql "$statement"
done >"$tmp/said"
is "the server takes --schema" "$(cat "$tmp/said")" ""
is "... four tables" "$(sql "SELECT count() FROM system.tables WHERE database = 'perf'")" 4
sql "CREATE DATABASE other" >/dev/null
database=other
sql "CREATE TABLE samples (day Date, event String) ENGINE = MergeTree() PARTITION BY day ORDER BY event" >/dev/null
status "other tables of that name" 1 $pyrograph ship --samples /dev/null --to "http://127.0.0.1:$port/other"
has "... are told by what they lack" "$tmp/err" "without these columns: samples.service String"
database=perf
has "a cluster's tables" "$tmp/schema.sql" "ENGINE = MergeTree()"
$pyrograph ship --schema --cluster all --database perf --keep 14 >"$tmp/cluster.sql"
is "stacks and labels have small granules" "$(grep -A1 '^ORDER BY hash' "$tmp/schema.sql" | grep -c 'SETTINGS index_granularity = 256')" 2
is "... on a cluster, too" "$(grep -A1 '^TTL' "$tmp/cluster.sql" | grep -c 'SETTINGS index_granularity = 256')" 2
has "a cluster's tables are replicated" "$tmp/cluster.sql" "ReplicatedMergeTree('/clickhouse/tables/{shard}/perf/samples', '{replica}')"
has "... a batch stays on one server" "$tmp/cluster.sql" "Distributed(all, perf, samples_local, sipHash64(host))"
has "... and forget" "$tmp/cluster.sql" "TTL day + INTERVAL 14 DAY"
status "a cluster's name is no SQL" 2 $pyrograph ship --schema --cluster 'a; DROP'

# ---- lines of the store are lines of the files ----

# same_lines WHAT FILE OPTION...: collapse prints the same lines for the file and for the store's event
lines() { $pyrograph collapse -q "$@" 2>"$tmp/err" | grep -v '^#'; }
same_lines()
{
	what=$1 file=$2
	shift 2
	lines "$@" "$file" >"$tmp/of-file"
	lines "$@" "$address" >"$tmp/of-store"
	if [ -s "$tmp/of-file" ] && cmp -s "$tmp/of-file" "$tmp/of-store"; then
		ok "$what: $*"
	else
		diff "$tmp/of-file" "$tmp/of-store" >"$tmp/difference"
		not_ok "$what: $*" "$tmp/difference" "$tmp/err"
	fi
}
empty() { for table in samples stacks labels batches; do sql "ALTER TABLE $table DROP PARTITION '$1'"; done; }

while read -r name options; do
	[ -f "$tmp/$name.data" ] || {
		python3 tests/collapse/make_recording.py "$tmp/$name.data" <"tests/collapse/golden/$name.txt"
		empty 2026-11-22
		status "$name is shipped" 0 $pyrograph ship "$tmp/$name.data" --to "$store"
	}
	# shellcheck disable=SC2086
	same_lines "$name" "$tmp/$name.data" $options
done <<'END'
basics
basics --timed
basics --heat
basics --root host,pid,thread,cpu --all
basics --root tid --kernel --timed
basics --root event,comm
basics --no-stack --root cpu
basics --include main
basics --exclude main
basics --weight period
basics --columns samples,period
basics --from 2026-11-22T10:15:02.01Z --to 2026-11-22T10:15:02.05Z --timed
basics --recursive
basics --threads worker
basics --threads worker --timed --root thread
owners --root pod,container,unit,namespace
owners --root cgroup,container-id,pod-uid --timed
owners --pod ^prod/ --root comm
owners --pod ^1f2e --container ^5fe1c0ffee00aa11 --root pod,comm --no-stack
owners --systemd-unit web --root unit
owners --namespace . --root namespace
owners --cgroup docker --root cgroup
sched --states
sched --states --heat
sched --states --root comm --timed
sched --root cpu
sched --states --state runnable
sched --states --threads worker|spin-b
spans --states --min 300ms --max 0.5s
spans --states --max 0.5s --timed --root thread,state
offcpu --offcpu
offcpu --offcpu --waits all
offcpu --offcpu --waits all --timed --all
offcpu --offcpu --heat
offcpu --offcpu --threads reader --root thread
offcpu --offcpu --waits all --root comm --leaf state,wait
offcpu --offcpu --waits all --root comm --leaf state --no-stack
faults --faults
faults --faults --columns time,count,longest --timed
faults --faults --root comm --leaf file,type
faults --faults --min 1ms --timed
locks --locks --root comm,lock,owner
locks --locks --no-wakers --timed
locks --locks --root comm --leaf lock,owner
locks --locks --root comm --leaf lock --no-wakers
locks --locks --min 1ms --root thread,lock
syscalls --syscalls
syscalls --syscalls --root thread,syscall,error --timed
syscalls --syscalls --min 4ms --root thread,syscall --timed
alloc --root comm,class
alloc --root comm,class --weight objects
io --io
io --io --timed --root comm,device,operation,file
io --io --root comm,device --leaf file,size --timed
io --io --min 1ms --root thread,device --timed
END

# ---- once ----

status "shipped again" 0 $pyrograph ship "$tmp/io.data" --to "$store"
has "... it was there" "$tmp/err" "were there already"
same_lines "... and is there once" "$tmp/io.data" --io --timed
is "hashes are those of SQL" "$(sql "SELECT count() FROM stacks WHERE hash != sipHash128(frames)")" 0
status "a recording without a wall clock" 1 sh -c "python3 tests/collapse/make_recording.py $tmp/java.data \
	<tests/collapse/golden/java.txt && $pyrograph ship $tmp/java.data --to $store"
has "... is refused" "$tmp/err" "no wall-clock times"

# Names in which V8 marks how the function was compiled; lines have the mark, or an annotation.
cat >"$tmp/node.txt" <<'END'
event cpu-clock
host db1
clock 1000000000 1795342502000000000
comm 0 10 10 node
mmap 0 10 0x1000 0x1000 0 /bin/app
mmap 0 10 0x7f0000000000 0x10000 0 //anon
sample 1000000000 10 10 0 0x7f0000000110 0x1100
sample 1010000000 10 10 0 0x7f0000000210 0x1100
sample 1020000000 10 10 0 0x7f0000000310 0x7f0000000210 0x1100
sample 1030000000 10 10 0 0x7f0000000410
symbol-module elf 8:1:4d /bin/app
symbol 0x100 0x10 leaf
symbol-module jit 10 /tmp/perf-10.map
symbol 0x7f0000000100 0x80 LazyCompile:~handle /srv/app.js:7
symbol 0x7f0000000200 0x80 "LazyCompile:*'handle" /srv/app.js:7
symbol 0x7f0000000300 0x80 JS:+render /srv/app.js:9
symbol 0x7f0000000400 0x80 JS:^
END
python3 tests/collapse/make_recording.py "$tmp/node.data" <"$tmp/node.txt"
empty 2026-11-22
status "node is shipped" 0 $pyrograph ship "$tmp/node.data" --to "$store"
same_lines "node" "$tmp/node.data"
is "... with marks" "$(grep -c ':[~*+^]' "$tmp/of-store")" 4
same_lines "node" "$tmp/node.data" --all --timed
is "... or annotations" "$(grep -c '_\[[0j1]\]' "$tmp/of-store"):$(grep -c ':[~*+^]' "$tmp/of-store")" 4:0
same_lines "node" "$tmp/node.data" --include LazyCompile:h --all
same_lines "node" "$tmp/node.data" --include Compile:~h

# ---- hostile names ----

hostile="'; DROP TABLE samples; -- \\' %_\$(x)"
empty 2026-11-22
python3 tests/ship/make_samples.py 1 200 >"$tmp/plain"
python3 tests/ship/make_samples.py 2 200 "x'; DROP TABLE samples; --\\'" >"$tmp/hostile"
status "a hostile host and service" 0 $pyrograph ship --samples "$tmp/hostile" --host "$hostile" --service "$hostile" --to "$store"
status "... and a plain one" 0 $pyrograph ship --samples "$tmp/plain" --to "$store"
lines --root none --timed "$tmp/hostile" >"$tmp/of-file"
lines --root none --timed --all --columns samples,period --host "'; DROP TABLE samples; -- \\' %_\$(x)" "$address" >"$tmp/of-store"
same "... its samples alone" "$tmp/of-store" "$tmp/of-file"
is "... by service, too" "$(lines --root host --no-stack --service "*DROP*" "$address")" "': DROP TABLE samples: -- \\' %_\$(x) 200"
lines --root comm --include "x':" --timed --all --columns samples,period "$address" >"$tmp/of-store"
lines --root comm --timed --include "x':" "$tmp/hostile" >"$tmp/of-file"
is "a text with a quote is looked for, as text" "$(cat "$tmp/of-store")" "$(cat "$tmp/of-file")"
is "... and found" "$(grep -c . "$tmp/of-store")" "$(grep -c "x':" "$tmp/of-store")"
status "an event that is SQL" 1 $pyrograph collapse --event "x' OR '1'='1" "$address"
has "... is text" "$tmp/err" "has no event 'x' OR '1'='1'"
is "the tables are there" "$(sql 'SELECT count() FROM samples')" 400
status "a host that is not there" 1 $pyrograph collapse --host 'nobody*' "$address"
has "... is said" "$tmp/err" "no samples of the hosts and services asked for"
is "all but one" "$(lines --root host --no-stack --host '!*DROP*' "$address")" "host1 200"
status "both sides of a comparison" 0 $pyrograph collapse --diff "$address?host=host*" "$address?host=%27*"
is "... two hosts are merged" "$(lines --root none --no-stack --event cpu-clock "$address?host=host*" "$address?host=%27*" | wc -l)" 1

# ---- clocks ----

sed 's/rate=99Hz/clock-within=1.28ms &/' "$tmp/plain" >"$tmp/clock"
$pyrograph ship -q --samples "$tmp/clock" --host right --to "$store"
sed 's/rate=99Hz/clock-within=unsynchronized &/' "$tmp/plain" >"$tmp/clock"
$pyrograph ship -q --samples "$tmp/clock" --host 'wrong, really' --to "$store"
$pyrograph collapse -q --timed --root host --no-stack "$address" >"$tmp/clocks"
has "the header tells how right the clocks of hosts are" "$tmp/clocks" 'clock-hosts="right 1.28ms, wrong  really unsynchronized"'

# ---- users ----

echo secret >"$tmp/password"
echo wrong >"$tmp/wrong"
status "a user who may read" 0 $pyrograph collapse -q --user reader --password-file "$tmp/password" "$address"
status "... and may not write" 1 $pyrograph ship --samples "$tmp/plain" --host b --user reader --password-file "$tmp/password" --to "$store"
has "... is told" "$tmp/err" "read-only for this user"
status "a wrong password" 1 $pyrograph ship --samples "$tmp/plain" --user reader --password-file "$tmp/wrong" --to "$store"
has "... is told" "$tmp/err" "see --user and --password-file"
status "a password in the address" 2 $pyrograph ship "$tmp/plain" --to "http://user:secret@127.0.0.1:$port/perf"
has "... is told" "$tmp/err" "give --user and --password-file"
has_not "... without it" "$tmp/err" "secret"
status "a password in the environment" 0 env PYROGRAPH_SHIP_PASSWORD=secret $pyrograph collapse -q --user reader "$address"
status "... a wrong one" 1 env PYROGRAPH_SHIP_PASSWORD=wrong $pyrograph collapse -q --user reader "$address"
echo "$store" >"$tmp/address"
status "an address in a file" 0 $pyrograph ship --samples "$tmp/plain" --to "@$tmp/address"
status "... that has none" 2 $pyrograph ship "$tmp/plain" --to @/dev/null
status "a path instead of an address" 2 $pyrograph ship "$tmp/plain" --to perf

# ---- garbage ----

{ cat "$tmp/plain"; printf '@1 x\n@99999999999.000000000 0 0 1 1\nl 7 comm=x\nnonsense\n@5.5 0 0 1 1\n'; } >"$tmp/garbage"
status "lines that are wrong are skipped" 0 $pyrograph ship --samples "$tmp/garbage" --to "$store"
has "... and counted" "$tmp/err" "malformed lines, skipped: 5"
is "... what was there is there once" "$(sql "SELECT count() FROM samples WHERE host = 'host1'")" 200
status "an option that a store cannot have" 2 $pyrograph collapse --quality "$address"
has "... is said" "$tmp/err" "--quality needs a recording, not a store"
status "an option of stores" 2 $pyrograph collapse --host x "$tmp/io.data"
status "a database that is away" 1 $pyrograph collapse clickhouse://127.0.0.1:1/perf
has "... is said" "$tmp/err" "is away"
server_stop
