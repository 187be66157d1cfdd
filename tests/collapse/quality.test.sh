# The line that says how complete the stacks are, in folded text and in pictures.  (golden/quality.txt has the report of
# --quality.)
. tests/tap.sh
. tests/served.sh

run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec.data" <tests/collapse/golden/quality.txt
line="66.6 % of user stacks are whole, 6.2 % of frames have no name"
status "collapse" 0 "$pyrograph" collapse -o "$tmp/a.folded" "$tmp/rec.data"
has "... has the line in its header" "$tmp/a.folded" "quality=\"$line\" unit="
status "... and so has --quality" 0 "$pyrograph" collapse --quality -o "$tmp/report" "$tmp/rec.data"
is "... as its first line" "$(head -1 "$tmp/report")" "$line"
# For scripts: each table has the same number of columns before the last one, and numbers are numbers.
is "... in columns" "$(awk 'NR < 3 || !NF { head = 1; next }
	head { last = NF; n = $0 ~ /remedy$/ ? 1 : NF - 1; head = 0; next }
	NF < last { print "short: " $0 }
	{ for (i = 1; i <= n; i++) if ($i !~ /^[0-9.]+$/) print "no number: " $0 }' "$tmp/report")" ""
is "... whose sums are those of the line" "$(awk '$NF == "process" { on = 1; next } !NF { on = 0 }
	on { stacks += $1; cut += $4; broken += $5; frames += $6; nameless += $7 }
	END { print stacks, cut, broken, frames, nameless }' "$tmp/report")" "24 4 4 65 4"

status "a flame graph" 0 "$pyrograph" render flame -o "$tmp/a.svg" "$tmp/a.folded"
has "... has it in its metadata" "$tmp/a.svg" "\"quality\":\"$line\""
has "... and shows in red that much is missing" "$tmp/a.svg" 'class="alarm" fill="#b00020" font-weight="bold">4 stacks cut<'
shown=$(grep -a 'class="doubt"' "$tmp/a.svg")
case $shown in *"$line"*) ok "... and that line in grey" ;; *) not_ok "... and that line in grey" "$shown" ;; esac
is "... and nothing twice" "$(grep -ac "frames without a name" "$tmp/a.svg")" 0
sed 's/unresolved=[0-9/]*/unresolved=20\/65/' "$tmp/a.folded" | "$pyrograph" render flame >"$tmp/b.svg"
shown=$(grep -a 'class="alarm"' "$tmp/b.svg")
case $shown in *"$line"*) ok "... in red where many frames have no name" ;; *) not_ok "... in red where many frames have no name" "$shown" ;; esac
sed 's/ 6.2 % of/ 7.3 % of/' "$tmp/a.folded" >"$tmp/c.folded"
status "two recordings of the same quality" 0 "$pyrograph" render flame -o "$tmp/c.svg" "$tmp/a.folded" "$tmp/a.folded"
has "... have the line once" "$tmp/c.svg" "\"quality\":\"$line\""
sed 's/ quality="[^"]*"//; s/unresolved=[0-9/]*/unresolved=0\/935/' "$tmp/a.folded" >"$tmp/whole.folded"
for other in c whole; do
	run_to "$tmp/none" "$tmp/err" "$pyrograph" render flame -o "$tmp/c.svg" "$tmp/a.folded" "$tmp/$other.folded" &&
		cat "$tmp/$other.folded" "$tmp/a.folded" "$tmp/a.folded" | "$pyrograph" render flame >"$tmp/d.svg"
	cat "$tmp/c.svg" "$tmp/d.svg" >"$tmp/cd.svg"
	has_not "the quality of one is not said of others" "$tmp/cd.svg" "user stacks are whole"
done
has "... but how many frames have no name in all" "$tmp/c.svg" "% of frames without a name"
status "a difference" 0 "$pyrograph" render flame -o "$tmp/diff.svg" --diff "$tmp/a.folded" "$tmp/whole.folded"
has "... says whose quality it is" "$tmp/diff.svg" "/a.folded: 4 stacks cut"

status "a heat map" 0 sh -c "'$pyrograph' collapse --heat '$tmp/rec.data' | '$pyrograph' render heat >'$tmp/heat.svg'"
has "... has it in its metadata" "$tmp/heat.svg" "$line"
shown=$(grep -a '<text' "$tmp/heat.svg" | grep -a "user stacks are whole")
case $shown in *"$line"*) ok "... and shows it" ;; *) not_ok "... and shows it" "$shown" ;; esac

# There is no such line for few stacks, or if nothing is missing.
{
	echo 'event cpu-clock'
	echo 'mmap 0 10 0x1000 0x1000 0 /bin/app'
	for i in $(seq 40); do echo "sample $((i * 1000)) 10 10 0 0x1100 0x1210"; done
	printf 'symbol-module elf 8:1:4d /bin/app\nsymbol 0x100 0x80 leaf\nsymbol 0x200 0x80 main\n'
} >"$tmp/whole.txt"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/whole.data" <"$tmp/whole.txt"
status "a recording that is whole" 0 "$pyrograph" collapse "$tmp/whole.data"
has_not "... has no such line" "$tmp/out" "quality="
status "... but a report" 0 "$pyrograph" collapse --quality "$tmp/whole.data"
is "... which says so" "$(head -1 "$tmp/out")" "100 % of user stacks are whole, all frames have a name"
sed 's/main$/work/' "$tmp/whole.txt" | run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/broken.data"
status "the same without a start" 0 "$pyrograph" collapse "$tmp/broken.data"
has "... is broken" "$tmp/out" 'losses="broken user stacks 40 of 40" unresolved=0/80 quality="0 % of user stacks are whole, all frames have a name"'
grep -v 'sample [23]' "$tmp/whole.txt" | sed 's/main$/work/; /sample 1.*000 /d' |
	run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/few.data"
status "few of them" 0 "$pyrograph" collapse "$tmp/few.data"
has_not "... say nothing" "$tmp/out" "quality="
"$pyrograph" collapse --heat "$tmp/broken.data" | "$pyrograph" render heat >"$tmp/heat.svg"
has "... which a heat map says in red, too" "$tmp/heat.svg" 'class="alarm" fill="#b00020" font-weight="bold">100 % of stacks are incomplete'

# Several events, and modules with the same name.
{
	printf 'walked-event cpu-clock\nclock 0 1795342502000000000\n'
	echo 'mmap 0 10 0x10000 0x10000 0 /bin/app'
	echo 'mmap 0 10 0x30000 0x10000 0 /lib/libc.so.6'
	echo 'mmap 0 10 0x50000 0x10000 0 /other/libc.so.6'
	for i in $(seq 30); do echo "sample $((i * 1000)) 10 10 0 0x10110 0x30110 0x50110 0x10210"; done
	for i in $(seq 31 35); do echo "sample $((i * 1000)) 10 10 0 0x10110 0x4c04000000000007"; done
	echo 'span-event offcpu'
	for i in $(seq 40); do echo "span $((i * 2000)) $((i * 2000 + 1000)) 10 10 0 1000 1 1000 single 0x10110 0x30110 0x7ff0"; done
	printf 'symbol-module elf 8:1:4d /bin/app\nsymbol 0x100 0x80 leaf\nsymbol 0x200 0x80 main\n'
	printf 'symbol-module elf 8:1:4d /lib/libc.so.6\nsymbol 0x100 0x80 one\n'
	printf 'symbol-module elf 8:1:4d /other/libc.so.6\nsymbol 0x100 0x80 two\nloss lost_samples 0\n'
} >"$tmp/events.txt"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/events.data" <"$tmp/events.txt"
status "an event whose stacks were walked" 0 "$pyrograph" collapse --quality "$tmp/events.data"
is "... is whole" "$(head -1 "$tmp/out")" "100 % of user stacks are whole, all frames have a name"
is "... what had no registers is not counted as a stack" "$(awk '/ process$/ { getline; print $1, $5 }' "$tmp/out")" "30 0"
has "... but told" "$tmp/out" " 5 no-registers "
has "... modules of the same name are told apart" "$tmp/out" " /lib/libc.so.6"
has "... by their paths" "$tmp/out" " /other/libc.so.6"
has "... and others by their name" "$tmp/out" " 0 app"
status "one beside it" 0 "$pyrograph" collapse --quality --offcpu "$tmp/events.data"
has "... is broken" "$tmp/out" "0 % of user stacks are whole, 33.3 % of frames have no name"
has "... which frame pointers help" "$tmp/out" "40 no-frame-pointers     libc.so.6                build with -fno-omit-frame-pointer"
has_not "... and nothing else" "$tmp/out" "--call-graph"
status "both" 0 "$pyrograph" collapse --quality --event all "$tmp/events.data"
is "... are told apart" "$(head -1 "$tmp/out")" \
	"100 % of user stacks of samples are whole, 0 % of those of spans of time, 16.3 % of frames have no name"

for args in --no-stack --timed --heat --states --tenancy "--format points"; do
	status "--quality $args" 2 "$pyrograph" collapse --quality $args "$tmp/rec.data"
	is "... makes no sense" "$(cat "$tmp/out")" ""
	has "... and is named" "$tmp/err" "cannot be used with $args"
done
status "--quality to a full disk" 1 sh -c "'$pyrograph' collapse --quality '$tmp/rec.data' >/dev/full"

# If a stack ends because its file was replaced, the reason is reported.
{
	echo 'walked-event cpu-clock'
	echo 'mmap 0 10 0x10000 0x10000 0 /bin/app'
	echo 'sample 1000 10 10 0 0x10110 0x4c04000000000004'
	printf 'symbol-module elf 8:1:4d /bin/app\nsymbol-line !other-build 1\nloss lost_samples 0\n'
} >"$tmp/replaced.txt"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/replaced.data" <"$tmp/replaced.txt"
status "a replaced file" 0 "$pyrograph" collapse --quality "$tmp/replaced.data"
is "... is the reason of both: no frames above, and no names" "$(awk '$2 == "other-build" { print $1, $3 }' "$tmp/out")" \
	"1 app
1 app"
sed 's/other-build/no-symbols/' "$tmp/replaced.txt" | run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/gone.data"
status "one that is gone" 0 "$pyrograph" collapse --quality "$tmp/gone.data"
is "... is another reason" "$(awk '$3 == "app" { print $2 }' "$tmp/out" | tr '\n' ' ')" "no-file no-symbols "

# ---- a frame pointer that points to itself ----
# circles NAME ADDRESSES...: 40 samples with these addresses, the last one repeated up to the kernel's limit.
circles()
{
	name=$1
	shift
	{
		echo 'event cpu-clock'
		echo 'comm 0 10 10 app'
		echo 'mmap 0 10 0x1000 0x1000 0 /bin/app'
		for i in $(seq 40); do echo "sample $((i * 1000)) 10 10 0 $* $(yes "$again" | head -126 | tr '\n' ' ')"; done
		printf 'symbol-module elf 8:1:4d /bin/app\nsymbol 0x100 0x10 clone3\nsymbol 0x200 0x10 work\nsymbol 0x300 0x10 main\n'
	} | run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/$name.data"
	status "$name: the same address 126 times" 0 "$pyrograph" collapse "$tmp/$name.data"
}
again=0x558f9f5e54ef
circles nowhere 0x1100 0x1201
is "... where nothing is mapped is one frame" "$(grep -v '^#' "$tmp/out" | tr -cd ';\n' | wc -c)" 4
has "... of a stack that is broken" "$tmp/out" 'losses="broken user stacks 40 of 40"'
has_not "... and not cut" "$tmp/out" "truncated"
{
	printf 'event cpu-clock\ncomm 0 10 10 app\nmmap 0 10 0x1000 0x1000 0 /bin/app\n'
	echo "sample 1000 10 10 0 0x1100 0 1 0 0 0x1201 0"
	printf 'symbol-module elf 8:1:4d /bin/app\nsymbol 0x100 0x10 leaf\nsymbol 0x200 0x10 work\n'
} | run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/small.data"
status "a broken stack with the addresses 0 and 1" 0 "$pyrograph" collapse "$tmp/small.data"
has "... has both as frames, but those that repeat" "$tmp/out" \
	"app;[unknown];work;[unknown];[unknown];[unknown];leaf 1"
circles alone 0x1100
has "a start of threads that nothing called: it is called by who starts one, too" "$tmp/out" "broken user stacks 40 of 40"
has_not "... is not cut either" "$tmp/out" "stacks cut"
circles whole 0x1201 0x1301
has_not "what lies behind main is not missed" "$tmp/out" "losses="
again=0x1201
circles recursion 0x1100
has "code that calls itself keeps its frames" "$tmp/out" "[truncated];work;work;work;"
has "... and is cut" "$tmp/out" "stacks cut 40"
