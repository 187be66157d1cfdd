#!/bin/sh
# examples/fleet.sh: the pages of a fleet, out of a store and out of recordings.
# slow: a database server
. tests/tap.sh
export PYROGRAPH="$pyrograph"
has_text() { if grep -q -F -e "$3" "$2"; then ok "$1"; else not_ok "$1" "no '$3' in $2"; fi; }
status "no arguments" 2 sh examples/fleet.sh
has "... says how" "$tmp/err" "sh fleet.sh DIR STORE"

# ---- recordings ----

for name in basics sched; do
	python3 tests/collapse/make_recording.py "$tmp/$name.data" <"tests/collapse/golden/$name.txt"
done
cp "$tmp/basics.data" "$tmp/a b.data"
status "out of recordings" 0 sh examples/fleet.sh "$tmp/pages" "$tmp/basics.data" "$tmp/a b.data"
is "... has its charts" "$(ls "$tmp/pages" | paste -sd' ')" \
	"all-hosts.svg charts.json fleet-heat.svg fleet.svg hosts-heat.svg hosts.folded index-files index.html"
has_text "... on a page" "$tmp/pages/index.html" "Where the fleet spends its time"
has_text "... of their hosts" "$tmp/pages/fleet.svg" "db1"
status "... with states" 0 sh examples/fleet.sh "$tmp/pages" "$tmp/sched.data"
has_text "... has these, too" "$tmp/pages/states.svg" "Running, waiting, asleep"

# ---- a store ----

. tests/ship/server.sh
database=perf
$pyrograph ship -q --create --to "$store"
now=$(date +%s)
for host in 1 2 3; do
	python3 tests/ship/make_samples.py $host 2000 leaf $((now - 60)) |
		sed "s/rate=99Hz/clock-within=$([ $host = 3 ] && echo 2s || echo 1ms) &/" >"$tmp/text"
	$pyrograph ship -q --samples "$tmp/text" --service "shop$((host % 2))" --to "$store"
done
python3 tests/ship/make_samples.py 4 100 leaf $((now - 3 * 3600)) >"$tmp/text"
$pyrograph ship -q --samples "$tmp/text" --to "$store"
status "out of a store" 0 sh examples/fleet.sh "$tmp/of-store" "clickhouse${store#http}"
is "... has its charts" "$(ls "$tmp/of-store" | paste -sd' ')" \
	"all-hosts.svg charts.json fleet-heat.svg fleet.svg hosts-heat.svg hosts.folded index-files index.html services.svg"
is "... of the last hour" "$(grep -v '^#' "$tmp/of-store/hosts.folded" | paste -sd' ')" "host1 2000 host2 2000 host3 2000"
has_text "... by service" "$tmp/of-store/services.svg" "shop0"
has_text "... on clocks that may be off" "$tmp/of-store/fleet-heat.svg" "clock off by more than a row: host3 ±2 s"
status "... of more hours" 0 sh examples/fleet.sh "$tmp/of-store" "clickhouse${store#http}" 4
is "... has more hosts" "$(grep -vc '^#' "$tmp/of-store/hosts.folded")" 4
$pyrograph collapse -q --root service,host --no-stack "clickhouse${store#http}" | grep -v '^#' >"$tmp/services"
is "--root service: of the store, where there is one" "$(paste -sd' ' "$tmp/services")" "host4 100 shop0;host2 2000 shop1;host1 2000 shop1;host3 2000"
status "--root service of a recording" 2 $pyrograph collapse --root service "$tmp/basics.data"
has "... needs a store" "$tmp/err" "service"
server_stop
