# collapse --out chrome: what Chromium's DevTools make of our traces, both the engine of the Performance panel and the
# panel itself.  DEVTOOLS=BROWSER is the Chromium whose panel is used; the headless shell has no panel.
# slow: a browser
. tests/tap.sh

if ! command -v node >/dev/null || ! (cd tests/browser && node -e 'require.resolve("@paulirish/trace_engine")') 2>/dev/null; then
	skip "DevTools" "no node, or no @paulirish/trace_engine of npm: make check-deps"
	exit 0
fi
browser=$(command -v "${DEVTOOLS:-chromium}")
[ "$browser" ] || skip "the panel of DevTools" "no chromium: make check-deps"

# finds WHAT INPUT WANTED [OPTIONS]: what DevTools must find; judge() asks for all of it at once; WANTED is a file
traces=0
finds()
{
	traces=$((traces + 1))
	trace=$tmp/$traces.json
	echo "$1" >"$tmp/$traces.what"
	cp "$3" "$tmp/$traces.wanted"
	what=$1 input=$2
	shift 3
	"$pyrograph" collapse -q --out chrome -o "$trace" "$@" "$input" 2>"$tmp/err" || not_ok "$what" "$tmp/err"
}

# judge WHERE [BROWSER]: what DevTools find, in one process
judge()
{
	where=$1
	shift
	rm -f "$tmp"/*.found
	(cd tests/browser && timeout 300 node ../collapse/devtools.mjs "$tmp" "$@") 2>"$tmp/err"
	status=$?
	for n in $(seq $traces); do
		what="$(cat "$tmp/$n.what")$where"
		if [ $status = 77 ]; then
			skip "$what" "the panel of this Chromium does not tell"
		elif [ ! -e "$tmp/$n.found" ]; then
			not_ok "$what: it is loaded" "$tmp/err"
		else
			LC_ALL=C sort "$tmp/$n.found" >"$tmp/found"
			if cmp -s "$tmp/found" "$tmp/$n.wanted"; then
				ok "$what"
			else
				diff "$tmp/$n.wanted" "$tmp/found" | head -20 >"$tmp/differ"
				not_ok "$what" "$tmp/differ"
			fi
		fi
	done
	[ $status = 0 ] || [ $status = 77 ] || not_ok "DevTools$where: to its end" "$tmp/err"
}

# in_all_threads: turns folded lines into lines of a thread
in_all_threads() { grep -v '^#' | sed 's/^/all threads: /' | LC_ALL=C sort; }

# Durations in ns: in us, and in double precision, most of them do not add up.
awk 'BEGIN {
	print "# pyrograph: event=offcpu unit=ns"
	x = 7
	for (i = 0; i < 4000; i++) {
		stack = ""
		for (depth = 0; depth <= i % 11; depth++) {
			x = (x * 16807) % 2147483647
			stack = stack "f" x % 7 ";"
		}
		print stack "n" i, x % 1000000000 + 1
	}
}' >"$tmp/lengths.folded"
in_all_threads <"$tmp/lengths.folded" >"$tmp/wanted"
finds "sums of times: each stack, to the ns" "$tmp/lengths.folded" "$tmp/wanted" --format folded
"$pyrograph" collapse -q "$trace" | in_all_threads >"$tmp/again"
same "... which collapse reads again" "$tmp/again" "$tmp/wanted"

printf 'main;a<b>&"c\\d;read 17\nmain;\303\251tage 5\nmain;\303\251tage;\360\237\230\200;x y 3\nmain 9\nother;=1+1 2\n' >"$tmp/odd.folded"
sed 's/$/000/' "$tmp/odd.folded" | in_all_threads >"$tmp/wanted" # 1 is 1 us
finds "counts, odd names" "$tmp/odd.folded" "$tmp/wanted" --format folded

# Two threads of the same name, inlined functions, kernel functions, a repeated stack, a sample without a stack.
{
	for i in 1 2 3 4 5 6 7; do
		printf 'app 7/%d [001] %d.00%d000: 1000000 cpu-clock: \n' $((7 + i % 2)) 100 $i
		[ $i = 3 ] || printf '\t        %x leaf%d (/bin/app)\n\t            10 inner (inlined)\n\t            10 outer+0x4 (/bin/app)\n' $((i % 4 + 80)) $((i % 4))
		[ $i = 5 ] && printf '\tffffffff81000000 do_idle ([kernel.kallsyms])\n'
		printf '\t            20 main (/bin/app)\n\n'
	done
} >"$tmp/script.txt"
"$pyrograph" collapse -q --root tid "$tmp/script.txt" | grep -v '^#' | sed 's|^app-7/\([0-9]*\);|app-\1: |' | LC_ALL=C sort >"$tmp/wanted"
finds "threads, sample by sample" "$tmp/script.txt" "$tmp/wanted" --timed
sed 's/$/000/' "$tmp/wanted" >"$tmp/widths"
finds "threads, sums" "$tmp/script.txt" "$tmp/widths"

# Spans without gaps between them, none of which may be lost; and an arrow for each wake-up, from the waker.
{
	cat <<'END'
span-event offcpu 1
clock 1000000000 1795342502000000000
comm 0 10 10 reader
comm 0 20 20 server
comm 0 20 21 sync
mmap 0 10 0x1000 0x1000 0 /bin/app
span 1000000000 1350000000 20 20 0 350000000 1 350000000 single u: 0x1100 state:sleeping waker:10:10 u: 0x1301
END
	awk 'BEGIN {
		at = 1000000000
		for (i = 0; i < 200; i++) {
			x = (x * 16807 + 331) % 2147483647
			ns = x % 1000000 + 1
			printf "span %d %d 10 10 0 %d 1 %d single u: 0x1100 state:sleeping waker:20:21 u: 0x1301\n", at, at + ns, ns, ns
			at += ns
		}
	}'
} >"$tmp/spans.txt"
python3 tests/collapse/make_recording.py "$tmp/woken.data" <"$tmp/spans.txt"
{
	"$pyrograph" collapse -q --offcpu --root thread "$tmp/woken.data" | grep -v '^#' | sed 's|^[a-z]*-[0-9]*/\([a-z]*\);|\1: |'
	awk '$1 == "span" {
		end = $3 - 999999000
		print ($4 == 10 ? "arrow: sync at " end / 1000 " > reader at " (end - 1) / 1000 : "arrow: reader at " end / 1000 " > server at " (end - 1) / 1000)
	}' OFMT=%.10g CONVFMT=%.10g "$tmp/spans.txt"
} | LC_ALL=C sort >"$tmp/wanted"
finds "spans and arrows" "$tmp/woken.data" "$tmp/wanted" --offcpu --timed

judge ""
[ ! "$browser" ] || judge ": the panel" "$browser"
