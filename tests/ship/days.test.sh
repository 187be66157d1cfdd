#!/bin/sh
# pyrograph ship on other bad days: full disks, a slow store and a silent one, one that refuses, clocks that jump, very many
# threads, garbage among good recordings: no good data are lost, and errors are reported.
# slow: a database server
. tests/tap.sh
. tests/ship/server.sh
database=perf
$pyrograph ship -q --create --to "$store"
samples=20000
python3 tests/ship/make_samples.py 1 $samples >"$tmp/text"
there() { sql "SELECT count(), uniqExact(time, cpu, thread, stack) FROM samples WHERE host = '$1'"; }
ship()  { $pyrograph ship --samples "$tmp/text" --host "$@"; }
parcels() { find "$1" -name '*.parcel' | wc -l; }
whole="$samples	$(python3 - "$tmp/text" <<'END2'
import sys
lines = [line.split() for line in open(sys.argv[1]) if line[0] == "@"]
print(len({(line[0], line[1], line[2]) for line in lines}))
END2
)"
# proxy ARG...: runs tests/ship/proxy.py with these arguments; sets $proxied.
proxy()
{
	rm -f "$tmp/proxy.port"
	python3 tests/ship/proxy.py "$port" "$tmp/proxy.port" "$@" &
	proxies="$proxies $!"
	while [ ! -s "$tmp/proxy.port" ]; do sleep 0.05; done
	proxied=http://127.0.0.1:$(cat "$tmp/proxy.port")/perf
}
trap 'kill $proxies 2>/dev/null; umount "$tmp/small" "$server_dir/data" 2>/dev/null; server_stop -KILL' EXIT

# ---- a store that does not answer for two minutes; the other stores in the meantime ----

# Two minutes of the shipper's clock, which runs eight times as fast.  (The sanitizers want to be the first library.)
fast= least_s=119
if [ -z "${SAN:-}" ] && ${CC:-cc} -shared -fPIC -DTIMES=8 -o "$tmp/fast.so" tests/ship/fast.c 2>"$tmp/err"; then
	fast=$tmp/fast.so least_s=14
fi
proxy silent
began=$(date +%s)
(
	[ -z "$fast" ] || export LD_PRELOAD="$fast"
	ship silent --to "$proxied" 2>"$tmp/silent.err"
	status=$?
	unset LD_PRELOAD
	date +%s >"$tmp/silent.ended"
	exit $status
) &
silent=$!

# ---- slow ----

proxy slow 8192
status "a slow store" 0 ship slow --to "$proxied"
is "... gets all, once" "$(there slow)" "$whole"

# ---- a store that refuses ----

echo secret >"$tmp/password"
refused() { ship "$1" --user reader --password-file "$tmp/password" --spool "$tmp/spool" --to "$store"; }
status "a store that is read-only, with a spool" 1 refused readonly
has "... is told" "$tmp/err" "read-only for this user"
is "... and the spool keeps it" "$(parcels "$tmp/spool")" 1
status "... and the next one" 1 refused later
is "... too" "$(parcels "$tmp/spool")" 2
status "the right user" 0 ship after --user writer --password-file "$tmp/password" --spool "$tmp/spool" --to "$store"
is "... brings all of it" "$(there readonly);$(there later);$(there after);$(parcels "$tmp/spool")" "$whole;$whole;$whole;0"
sql "RENAME TABLE perf.stacks TO perf.other"
status "other tables, with a spool" 1 ship tables --spool "$tmp/spool" --to "$store"
has "... are told" "$tmp/err" "without these columns: stacks.day Date"
sql "RENAME TABLE perf.other TO perf.stacks"
status "... and mended" 0 $pyrograph ship --spool "$tmp/spool" --to "$store"
is "... nothing was lost" "$(there tables)" "$whole"

# A batch for which the store has another number of samples is set aside, and does not block others.
ship odd -q --to "$store"
columns=day,event,service,host,second,ns,cpu,thread,labels,stack,weight,count,longest,batch
sql "INSERT INTO samples ($columns) SELECT $columns FROM samples WHERE host = 'odd' LIMIT 1"
server_stop
ship odd -q --spool "$tmp/spool" --to "$store"
ship behind -q --spool "$tmp/spool" --to "$store"
server_start
status "a batch that cannot be stored" 1 $pyrograph ship --spool "$tmp/spool" --to "$store"
has "... is told" "$tmp/err" "somebody has changed its tables"
has "... and where it is" "$tmp/err" "is refused while others are taken: not sent, set aside as "
has "... and what to do" "$tmp/err" "kept there, as *.refused: when the store takes them, ship --spool $tmp/spool --retry-refused"
is "... and holds up nothing" "$(there behind);$(parcels "$tmp/spool")" "$whole;0"
sql "ALTER TABLE samples DELETE WHERE host = 'odd'"
for try in $(seq 100); do
	[ "$(there odd)" = "0	0" ] && break
	sleep 0.1
done
status "... and can be tried again" 0 $pyrograph ship --retry-refused --spool "$tmp/spool" --to "$store"
is "... when the store takes it" "$(there odd)" "$whole"
rm -r "$tmp/spool"

# ---- full disks ----

small() { mkdir -p "$2" && mount -t tmpfs -o "size=$1,mode=777" tmpfs "$2" 2>/dev/null; }
if small 8m "$tmp/small"; then
	server_stop
	dd if=/dev/zero of="$tmp/small/rest" bs=64k 2>/dev/null
	status "a spool on a full disk" 1 ship full --spool "$tmp/small" --to "$store"
	has "... is told" "$tmp/err" "No space left on device"
	is "... and leaves nothing of it" "$(ls "$tmp/small")" rest
	rm "$tmp/small/rest"
	: >"$tmp/small/00000000000000000001-0123456789abcdef0123456789abcdef.parcel.k3Zq0v"
	status "... which has room again" 0 ship full --spool "$tmp/small" --to "$store"
	is "... keeps it, without what a killed one left" "$(ls -A "$tmp/small" | grep -vc 'parcel$')" 0

	mv "$server_dir/data" "$server_dir/before"
	small 256m "$server_dir/data"
	cp -a "$server_dir/before/." "$server_dir/data"
	server_start
	dd if=/dev/zero of="$server_dir/data/rest" bs=64k 2>/dev/null
	status "a store whose disk is full" 0 ship disk --spool "$tmp/small" --to "$store"
	has "... is away for now" "$tmp/err" "is away: Code: "
	is "... what was in the spool stays, too" "$(parcels "$tmp/small")" 2
	rm "$server_dir/data/rest"
	status "... until it has room" 0 $pyrograph ship --spool "$tmp/small" --to "$store"
	is "... then it has all, once" "$(there full);$(there disk)" "$whole;$whole"
	server_stop
	cp -a "$server_dir/data/." "$server_dir/before"
	umount "$tmp/small" "$server_dir/data"
	rmdir "$server_dir/data"
	mv "$server_dir/before" "$server_dir/data"
	server_start
else
	skip "full disks" "no right to mount a small file system"
fi

# ---- a clock that jumps ----

python3 tests/ship/make_samples.py 4 400 >"$tmp/now"
python3 tests/ship/make_samples.py 4 400 leaf 100 >"$tmp/boot" # before the clock was set
python3 tests/ship/make_samples.py 4 400 leaf $((1795342502 + 3 * 86400)) >"$tmp/later"
python3 tests/ship/make_samples.py 5 400 >"$tmp/again"
{ cat "$tmp/now"; grep '^@' "$tmp/later"; grep '^@' "$tmp/boot"; grep '^@' "$tmp/again"; } >"$tmp/jumps"
status "a clock that jumps by days" 0 $pyrograph ship --samples "$tmp/jumps" --host jumps --to "$store"
has "... a batch for each day in turn" "$tmp/err" "1600 samples in 4 batches sent"
status "... shipped again" 0 $pyrograph ship --samples "$tmp/jumps" --host jumps --to "$store"
has "... was there" "$tmp/err" "1600 samples in 4 batches were there already"
lines() { $pyrograph collapse -q --timed --root thread "$@" | grep -v '^#' | sort; }
lines "$tmp/jumps" >"$tmp/of-file"
lines --all --columns samples,period "clickhouse${store#http}?host=jumps" >"$tmp/of-store"
same "... reads as it was" "$tmp/of-store" "$tmp/of-file"
is "... a slice of it, too" "$($pyrograph collapse -q --root none --no-stack --to 1971-01-01T00:00Z "clickhouse${store#http}?host=jumps" |
	grep -v '^#')" "[no stack] 400"

# ---- very many threads ----

python3 - >"$tmp/threads" <<'END2'
print("# pyrograph: host=many event=cpu-clock rate=99Hz root=comm,thread,cpu lost=0/200000 columns=samples,period unit=samples")
for n in range(100000):
    print("l %d comm=w%d\tthread=server-%d/worker-%d\tcpu=cpu%d" % (n, n % 9, n, n, n % 2))
print("s 0 main;run")
for i in range(200000):
    print("@%d.%09d %d 0 1 10101010" % (1795342502 + i // 99000, i % 99000 * 10101, i % 100000))
END2
[ "${SAN:-}" ] && room=unlimited || room=1000000 # the sanitizers reserve much more
status "100,000 threads" 0 sh -c "ulimit -v $room; exec ${BUILD:-build}/pyrograph-ship --samples '$tmp/threads' --to '$store'"
$pyrograph collapse -q --root thread --no-stack "clickhouse${store#http}?host=many" | grep -v '^#' >"$tmp/of-store"
is "... are there" "$(wc -l <"$tmp/of-store")" 100000
is "... with two samples each" "$(grep -vc ' 2$' "$tmp/of-store")" 0

# ---- garbage ----

for name in basics locks; do
	python3 tests/collapse/make_recording.py "$tmp/$name.data" <"tests/collapse/golden/$name.txt"
done
head -c 300 /dev/urandom >"$tmp/noise.data"
{ head -c 104 "$tmp/basics.data"; head -c 3000 /dev/zero | tr '\0' 'x'; } >"$tmp/broken.data"
: >"$tmp/empty.data"
status "garbage among recordings" 1 $pyrograph ship "$tmp/noise.data" "$tmp/basics.data" "$tmp/broken.data" \
	"$tmp/nothing.data" "$tmp/empty.data" "$tmp/locks.data" --to "$store"
for name in noise broken nothing empty; do
	has "... $name.data is told" "$tmp/err" "$name.data: "
done
sql "SELECT DISTINCT event FROM samples WHERE host = 'db1'" >"$tmp/events"
is "... the good ones are there" "$(sort "$tmp/events" | paste -sd' ')" "cpu-clock locks"

# ---- the store that says nothing ----

wait $silent
is "a store that says nothing" $? 1
has "... is away after two minutes" "$tmp/silent.err" "is away: it takes too long: Operation too slow"
is "... not before" "$(($(cat "$tmp/silent.ended") - began >= least_s))" 1
server_stop
