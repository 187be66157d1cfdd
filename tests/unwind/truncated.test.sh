# A stack that is larger than its copy: marked, counted, and nothing invented.
# live: stacks
. tests/tap.sh
. tests/unwind/common.sh
can_record "stacks that are too large"
build_chains "$tmp/built" gcc -g -O2 -fomit-frame-pointer 2>"$tmp/err" ||
	{ skip "stacks that are too large" "gcc: $(tail -1 "$tmp/err")"; exit 0; }

# check WHAT: nearly all stacks of the leaf are marked, and all of their frames are true
check()
{
	awk '/;spin_deep/ {
		n = $NF; all += n
		if ($0 !~ /^chains;\[truncated\];(recurse;)+spin_deep[ ;]/) bad += n
		if (gsub(/recurse/, "") < 50) bad += n
	} END { print (all > 4 && !bad) }' "$tmp/folded" >"$tmp/verdict"
	if [ "$(cat "$tmp/verdict")" = 1 ]; then ok "$1: marked"; else not_ok "$1: marked" "$tmp/folded"; fi
	if head -1 "$tmp/folded" | grep -q 'losses="[^"]*stacks cut'; then
		ok "$1: counted"
	else
		not_ok "$1: counted" "$(head -1 "$tmp/folded")"
	fi
}

cut_by_perf()
{
	perf record -q -B -N -F $rate --call-graph dwarf,4096 -o "$tmp/perf.data" -- "$tmp/built/chains" deep >/dev/null 2>&1
	"$pyrograph" collapse -q --files=never --kernel "$tmp/perf.data" >"$tmp/folded" 2>"$tmp/err"
	check "perf record"
}
live cut_by_perf
cut_by_collect()
{
	"$pyrograph" collect cpu -q -F $rate --call-graph dwarf,4096 -o "$tmp/our.data" -- "$tmp/built/chains" deep \
		>/dev/null 2>&1
	"$pyrograph" collapse -q --files=never --kernel "$tmp/our.data" >"$tmp/folded" 2>"$tmp/err"
	check collect
}
live cut_by_collect

# With enough, whole.
both "500 deep" "$tmp/built/chains" deep

# The kernel's copy ends at a page that was never touched.  The rest above it is read from the program, which may have
# ended when its last samples are processed.
untouched()
{
	"$pyrograph" collect cpu -q -F $rate --call-graph dwarf -o "$tmp/our.data" -- "$BUILD/tests/workloads/untouched" 30000 \
		>/dev/null 2>&1
	"$pyrograph" collapse -q "$tmp/our.data" >"$tmp/folded" 2>"$tmp/err"
	awk '/;spin/ { all += $NF; if (/;main;large;spin/) whole += $NF } END { print (all >= 20 && whole > all / 2) }' \
		"$tmp/folded" >"$tmp/verdict"
	if [ "$(cat "$tmp/verdict")" = 1 ]; then ok "behind pages that were never touched"; else
		not_ok "behind pages that were never touched" "$tmp/folded"
	fi
}
live untouched

# The same for BPF's copies of the stacks of blocked threads.
blocked()
{
	"$pyrograph" collect offcpu -q -o "$tmp/blocked.data" -- "$BUILD/tests/workloads/untouched" nap 300 >/dev/null 2>"$tmp/err"
	"$pyrograph" collapse -q --offcpu --columns count "$tmp/blocked.data" >"$tmp/folded" 2>>"$tmp/err"
	awk '/;nap;/ { all += $NF; if (/;main;roomy;nap;/) whole += $NF } END { print (all >= 200 && whole > all / 2) }' \
		"$tmp/folded" >"$tmp/verdict"
	if [ "$(cat "$tmp/verdict")" = 1 ]; then ok "... of blocked threads"; else not_ok "... of blocked threads" "$tmp/folded"; fi
}
if "$pyrograph" collect usable offcpu 2>/dev/null | grep -q offcpu; then
	live blocked
else
	skip "... of blocked threads" "no BPF here"
fi
