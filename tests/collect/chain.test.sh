# Collectors that look at the same tracepoint share one program there, and each has its events until the end.
# live: what is attached
. tests/tap.sh
. tests/collect/common.sh
talks=${BUILD:-build}/tests/workloads/talks

if ! $pyrograph collect sched,offcpu,wakeup -q -a -d 0.05 -o "$tmp/try.data" 2>"$tmp/err"; then
	skip "collectors at one tracepoint" "$(tail -1 "$tmp/err")"
	exit 0
fi

# attached COLLECTORS: how many programs are attached to tracepoints
attached()
{
	rm -f "$tmp/a.data"
	$pyrograph collect "$1" -q -a -o "$tmp/a.data" 2>"$tmp/err" & recorder=$!
	before 30 begun "$tmp/a.data" || not_ok "it begins" "$tmp/err"
	cat /proc/$recorder/fdinfo/* 2>/dev/null | grep -cE '^link_type:.*(tracing|raw_tracepoint)'
	kill -TERM $recorder
	wait $recorder
}
sched=$(attached sched) offcpu=$(attached offcpu) wakeup=$(attached wakeup)
[ "$sched" -gt 2 ] || { skip "collectors at one tracepoint" "no fdinfo of links"; exit 0; }
is "sched, offcpu: two are shared" "$(attached sched,offcpu)" $((sched + offcpu - 2))
is "... of wakeup, too" "$(attached wakeup,offcpu,sched)" $((sched + offcpu + wakeup - 4))

# The first collector ends before the others: the next takes its place.
in_any_order()
{
	for order in sched,offcpu,wakeup wakeup,offcpu,sched offcpu,wakeup,sched; do
		status "$order" 0 $pyrograph collect $order --budget none -o "$tmp/o.data" -- "$talks" naps 20 100
		$pyrograph collapse -q --states --root thread,state --no-stack --columns count "$tmp/o.data" >"$tmp/states"
		$pyrograph collapse -q --offcpu --root thread --no-stack --waits all --columns count "$tmp/o.data" >"$tmp/blocks"
		$pyrograph collapse -q --wakeup --root thread,state --no-stack --columns count "$tmp/o.data" >"$tmp/waits"
		napped=$(often "$tmp/states" ';sleeping[; ]')
		within "... sched saw all naps" "$napped" 2000 2100
		within "... offcpu, too" "$(often "$tmp/blocks" .)" $((napped * 99 / 100)) $((napped + 100))
		within "... and wakeup their ends" "$(often "$tmp/waits" ';woken[; ]')" $((napped * 99 / 100)) $((napped + 100))
		is "... nothing is lost" "$(grep -c 'nothing lost' "$tmp/err")" 1
	done
}
often()
{
	awk -v regexp="$2" '/\/often/ && $0 ~ regexp { n += $NF } END { print n + 0 }' "$1"
}
within() { if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; then ok "$1"; else not_ok "$1" "$2, wanted $3 to $4"; fi; }
live in_any_order
