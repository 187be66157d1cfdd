# A program in its own mount and PID namespace, whose file is visible only in there: outside, another build of it is at
# the same path.
# live: stacks
. tests/tap.sh
. tests/collect/common.sh
. tests/unwind/common.sh
can_record "namespaces"
place=$tmp/place
mkdir "$place"
if ! unshare -mpf --mount-proc mount -t tmpfs tmpfs "$place" 2>"$tmp/err"; then
	skip "namespaces" "$(tail -1 "$tmp/err")"
	exit 0
fi
if ! build_chains "$tmp/inside" gcc -g -O2 -fomit-frame-pointer 2>"$tmp/err" ||
	! build_chains "$place" gcc -g -O0 2>"$tmp/err"; then
	skip "namespaces" "gcc: $(tail -1 "$tmp/err")"
	exit 0
fi
inside()
{
	cat <<-END
		mount -t tmpfs tmpfs "$place" && cp "$tmp/inside"/* "$place" &&
			exec "$place/chains" -wait plain deep inlined signal plt one two thread child exec
	END
}
inside >"$tmp/inside.sh"

# The program lives until the walker of stacks and the lookup of names have seen all its files.
keeps_all()
{
	ls -l /proc/$collector/fd | sed -n "s,.* $place/,,p" | sort | uniq -c | awk '$1 > 1 { n++ } END { exit n < 4 }'
}
by_collect_inside()
{
	rm -f "$tmp/go" "$tmp/our.data" && mkfifo "$tmp/go"
	"$pyrograph" collect cpu -q -F $rate --call-graph dwarf,$bytes -o "$tmp/our.data" -- \
		unshare -mpf --mount-proc sh "$tmp/inside.sh" >"$tmp/truth" 2>"$tmp/err" <"$tmp/go" &
	collector=$!
	exec 3>"$tmp/go"
	before 20 keeps_all
	exec 3>&-
	wait $collector
	"$pyrograph" collapse -q --files=never --kernel "$tmp/our.data" >"$tmp/folded" 2>>"$tmp/err"
	if [ -s "$tmp/folded" ]; then
		python3 tests/unwind/truth.py "namespaces: collect" "$tmp/truth" "$tmp/folded" chains
	else
		not_ok "namespaces: collect" "$tmp/err"
	fi
}
live by_collect_inside

# perf's recording cannot lead to the file, so no function of the other build may be shown.
by_perf_inside()
{
	perf record -q -B -N -F $rate -m 8M --call-graph dwarf,$bytes -o "$tmp/perf.data" -- \
		unshare -mpf --mount-proc sh "$tmp/inside.sh" >/dev/null 2>"$tmp/err" </dev/null
	"$pyrograph" collapse --files=never --kernel "$tmp/perf.data" >"$tmp/folded" 2>"$tmp/err"
	is "namespaces: perf record: the file outside is not used" \
		"$(grep -cE '^chains;.*;(main|(run|spin|inlined)_[a-z]*|recurse)[; ]' "$tmp/folded")" 0
	is "... but the samples are there" "$(awk '/^chains;/ { n += $NF } END { print (n > 20) }' "$tmp/folded")" 1
	has "... and end early, which is counted" "$tmp/folded" 'losses="broken user stacks'
	has "... and said" "$tmp/err" "place/chains: the file is another build than the one recorded"
}
live by_perf_inside
