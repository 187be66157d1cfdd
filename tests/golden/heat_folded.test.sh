#!/bin/sh
# render folded, of heat maps: lines -> picture -> the same lines.
. tests/tap.sh
. tests/served.sh
started=${BUILD:-build}/pyrograph-render
render="served $started"

# back WHAT FILE OPTIONS...: FILE is drawn with OPTIONS, and read back unchanged.
back()
{
	what=$1 file=$2
	shift 2
	$render heat -q -o "$tmp/b.svg" "$@" "$file" 2>"$tmp/err" && $render folded "$tmp/b.svg" >"$tmp/b" 2>"$tmp/err" || {
		not_ok "$what" "$tmp/err"; return; }
	same "$what" "$tmp/b" "$file"
}
cat >"$tmp/plain" <<'END'
# pyrograph: host=db1 event=cpu-clock from=2026-11-21T10:00:00.000000000Z to=2026-11-21T10:00:10.000000000Z cpus=0-1 command="a \u0022b\u0022 \u003cc\u003e" root=thread,cpu rate=99Hz lost=3/8 unit=samples
# gap: start=1795255201.000000000 end=1795255202.500000001 cpu=1 lost=3 why=throttled
# gap: start=1795255203.000000000 end=1795255204.000000000 why="nobody knows"
@1795255200.000000000 t;cpu0;a;b_[k] 1
@1795255200.999999999 t;cpu1 1
@1795255201.000000000 t;cpu0;a <b> & "c";]]>;&#65 1
@1795255201.000000001 u;cpu0;名;é 1
@1795255209.123456789 swapper-0/swapper;cpu1;do_idle_[k] 1
END
back "plain" "$tmp/plain"
back "... whatever it looks like" "$tmp/plain" --span 1m --rows 7 --by thread --rainbow --tz +05:30 -i --title x
back "... as values" "$tmp/plain" --y value
back "... as use" "$tmp/plain" --y utilization
back "... a map for each thread" "$tmp/plain" --per thread
cat >"$tmp/values" <<'END'
# pyrograph: host=db1 spans=start root=thread unit=ns
@5.000000000 t;a 17.25
@5.000000000 t;a 3000000000
@5.000000000 t;b 0
@6.500000000 t 0.000000001
END
back "fractions, nothing, large values" "$tmp/values"
cat >"$tmp/hosts" <<'END'
# pyrograph: host=db1 from=2026-11-21T10:00:00.000000000Z to=2026-11-21T10:00:05.000000000Z root=host,thread unit=samples
@1795255200.000000000 db1;t;a 1
@1795255203.000000000 db1;t;a 1
# pyrograph: host=db2 from=2026-11-21T10:00:01.000000000Z to=2026-11-21T10:00:06.000000000Z root=host,thread unit=samples
# gap: start=1795255202.000000000 end=1795255203.000000000 lost=5 why=lost
@1795255201.000000000 db2;t;a 1
@1795255204.000000000 db2;t;b 1
END
back "hosts, one after the other" "$tmp/hosts"
sed -e 's/host,thread/thread/' -e 's/db[12];//' "$tmp/hosts" >"$tmp/nameless"
$render heat -q "$tmp/nameless" | $render folded >"$tmp/b"
same "... which the stacks did not name" "$tmp/b" "$tmp/hosts"
awk '/^#/ { print; if (/host=db2/) exit }' "$tmp/hosts" | sed '/db2/d' >"$tmp/none"
back "nothing happened" "$tmp/none"
awk 'BEGIN {
	print "# pyrograph: host=big from=2026-11-21T10:00:00.000000000Z to=2026-11-21T10:10:00.000000000Z root=thread unit=samples"
	for (i = 0; i < 60000; i++)
		printf "@%d.%09d t%d;main;caller_%03d;prefix::common::callee_%d 1\n", 1795255200 + int(i / 100), i % 100 * 10000019, i % 7, i % 700, i * 7 % 60013 % 5000
}' >"$tmp/big"
back "60,000 events" "$tmp/big" --resolution 1ns

# Coarse ticks: each event comes back at the beginning of its tick, and gives the same picture.
$render heat -q --resolution 10ms "$tmp/big" >"$tmp/coarse.svg"
$render folded "$tmp/coarse.svg" >"$tmp/coarse"
awk '/^@/ { print substr($1, 1, 14) "0000000", $2, $3 }' "$tmp/big" | LC_ALL=C sort >"$tmp/wanted"
grep '^@' "$tmp/coarse" | LC_ALL=C sort >"$tmp/got"
same "coarse times are rounded down" "$tmp/got" "$tmp/wanted"
$render heat -q --resolution 10ms "$tmp/coarse" >"$tmp/again.svg"
same "... and draw the same picture" "$tmp/again.svg" "$tmp/coarse.svg"

$render heat -q -f svgz "$tmp/plain" | $render folded >"$tmp/b"
same "packed" "$tmp/b" "$tmp/plain"
$render heat -q "$tmp/plain" | sed 's/\(class="heat-events">\)./\1~/' >"$tmp/bad.svg"
status "damaged events" 1 $render folded "$tmp/bad.svg"
has "... are told" "$tmp/err" "bad.svg: its data is damaged"
$render heat -q "$tmp/plain" | $render folded -o /dev/full 2>"$tmp/err"
is "a full disk is an error" "$?" 1
