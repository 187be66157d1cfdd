#!/bin/sh
# collapse --out: a reader of each format finds the same data in a file as the folded text has.
# slow: other programs read what is written
. tests/tap.sh
. tests/served.sh
dir=tests/collapse/outputs
go=$(command -v go || ls /usr/lib/go-*/bin/go 2>/dev/null | tail -1)
protoc=$(command -v protoc)

# pprof OPTIONS...: go tool pprof, run without the go command, and without looking at files that have the names of
# mappings
pprof=$([ ! "$go" ] || HOME=$tmp "$go" tool -n pprof 2>/dev/null)
pprof() { if [ -x "$pprof" ]; then "$pprof" "$@"; else "$go" tool pprof "$@"; fi; }

[ "$go" ] || skip "pprof: read by go tool pprof" "no go: make check-deps"
[ "$protoc" ] || skip "otlp: read by protoc" "no protoc: make check-deps"
python3 $dir/otlp.py proto >"$tmp/otlp.proto"

# outputs WHAT FOLDED INPUT [OPTIONS]: INPUT, written in each format, has the stacks and values of FOLDED.
outputs()
{
	what=$1 folded=$2 input=$3 files=
	shift 3
	for name in pprof otlp speedscope firefox chrome csv; do
		if ! run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --out $name -o "$tmp/x.$name" "$@" "$input"; then
			not_ok "$what: $name is written" "$tmp/err"
			continue
		fi
		case $name in
		pprof)
			[ "$go" ] || continue
			pprof -symbolize=none -raw "$tmp/x.pprof" >"$tmp/x.raw" 2>"$tmp/err" || {
				not_ok "$what: go tool pprof" "$tmp/err"; continue; }
			files="$files pprof=$tmp/x.raw" ;;
		otlp)
			[ "$protoc" ] || continue
			"$protoc" -I"$tmp" --decode=Data otlp.proto <"$tmp/x.otlp" >"$tmp/x.text" 2>"$tmp/err" &&
				run_to "$tmp/x.stacks" "$tmp/err" python3 $dir/otlp.py check <"$tmp/x.text" || {
				not_ok "$what: OTLP's rules" "$tmp/err"; continue; }
			files="$files otlp=$tmp/x.stacks" ;;
		*) files="$files $name=$tmp/x.$name" ;;
		esac
	done
	# shellcheck disable=SC2086 # names without blanks
	judged python3 $dir/read.py same "$what" "$folded" $files
}

# --- folded text --------------------------------------------------------------------
cat >"$tmp/hostile.folded" <<'END'
# pyrograph: host="a \"host\" & <b>\\" event=cpu-clock start=2026-11-21T10:15:02.000000000Z end=2026-11-21T10:15:04.000000000Z rate=99Hz lost=3/12345 losses="throttled 3" unit=samples
# gap: start=1.0 end=2.0 why=lost
"quoted", comma 9007199254740991
=1+1;@SUM(A1);-2 3
a\b</script>;]]>&amp;%s%n$(x) 5
main;operator->;std::map<int, (anonymous namespace)::X>::~map()_[i];inner_[i] 7
main;operator-> 1
main;operator->;std::map<int, (anonymous namespace)::X>::~map()_[i] 2
x_[i] 4
étage;😀;[unknown];日本 11
END
printf 'bad \377\376 bytes;cut\303 12\n' >>"$tmp/hostile.folded"
run_to "$tmp/clean.folded" "$tmp/err" "$pyrograph" collapse -q --format folded "$tmp/hostile.folded"
outputs "hostile names" "$tmp/clean.folded" "$tmp/hostile.folded"

printf 'a;b 1.25\na;c 0.5\nb 2.125\nd .125\n' >"$tmp/fractions.folded"
outputs "fractions" "$tmp/fractions.folded" "$tmp/fractions.folded"

# Spans: some overlap, one is inside another, one has no length, one has no time.
cat >"$tmp/spans.folded" <<'END'
# pyrograph: event=offcpu columns=time,count,longest spans=start short=1ms root=thread losses="spans lost 2" unit=ns
@1795342502.000000100 java-8513/dw-20;main;read 1000 1 1000
@1795342502.000000200 java-8513/dw-20;main;lock 100 1 100
@1795342502.000000300 app-9/b;main;read 1000000 1 1000000
@1795342502.000000900 java-8513/dw-20;main;write 5000 1 5000
@1795342502.000006000 java-8513/dw-20;main;read 0 1 0
@1795342502.100006000 java-8513/dw-20;main;read 20 1 20
java-8513/dw-20;main;read 777 12 300
END
outputs "spans" "$tmp/spans.folded" "$tmp/spans.folded"
python3 - "$tmp/x.speedscope" >"$tmp/profiles" <<'END'
import json, sys
for p in json.load(open(sys.argv[1]))["profiles"]: print(p["name"], p["type"], p["endValue"])
END
is "speedscope: overlapping spans are in profiles of their own, sums apart" "$(cat "$tmp/profiles")" "b evented 1000200
dw-20 evented 100005920
dw-20, 2 evented 5800
dw-20, sums of short spans sampled 777"

# Timed samples that are no spans.
printf '@1.5 a;b 3\n@1.500001 a;c 4\n@1.500001 a;b;d 5\n@9 a;b;d 6\n' >"$tmp/timed.folded"
outputs "timed samples" "$tmp/timed.folded" "$tmp/timed.folded"
if [ "$protoc" ]; then
	"$pyrograph" collapse -q --format folded --out otlp "$tmp/timed.folded" | "$protoc" -I"$tmp" --decode=Data otlp.proto >"$tmp/text"
	is "OTLP: each sample has its time" "$(sed -n 's/.*timestamps_unix_nano: //p' "$tmp/text" | tr '\n' ' ')" \
		"1500000000 1500001000 9000000000 1500001000 "
fi

# --- recordings ---------------------------------------------------------------------
# recording NAME: one made by make_recording.py
recording()
{
	[ -e "$tmp/$1.data" ] || [ ! -f "tests/collapse/golden/$1.txt" ] ||
		run_to "$tmp/made" "$tmp/made" python3 tests/collapse/make_recording.py "$tmp/$1.data" <"tests/collapse/golden/$1.txt"
}

# Roots that say who it was become labels, and frames only on request.  In CSV they become columns, and there are no
# more of them than in folded text.
for made in basics inlined java threads symbols 32bit stacks names; do
	recording $made
	run_to "$tmp/wanted.folded" "$tmp/err" "$pyrograph" collapse -q --root none --all "$tmp/$made.data"
	outputs $made "$tmp/wanted.folded" "$tmp/$made.data" --all >"$tmp/tap"
	grep -v ' csv: \|^#' "$tmp/tap"
	run_to "$tmp/wanted.folded" "$tmp/err" "$pyrograph" collapse -q --all "$tmp/$made.data"
	judged python3 $dir/read.py same $made "$tmp/wanted.folded" csv="$tmp/x.csv"
done
# outputs_with_root NAME OPTIONS
outputs_with_root()
{
	made=$1
	recording "$made"
	shift
	run_to "$tmp/wanted.folded" "$tmp/err" "$pyrograph" collapse -q "$@" "$tmp/$made.data"
	outputs "$made $*" "$tmp/wanted.folded" "$tmp/$made.data" "$@"
}
outputs_with_root threads --root thread,cpu
outputs_with_root sched --states --root thread,state,by --timed
outputs_with_root sched --tenancy --root thread,cpu
outputs_with_root offcpu --offcpu --root comm,state,waker --timed
outputs_with_root offcpu --offcpu --root wait --no-wakers
outputs_with_root faults --faults --root type,file --timed
outputs_with_root syscalls --syscalls --root syscall --timed
outputs_with_root io --io --root device,operation --timed
outputs_with_root locks --locks --root lock,owner --timed
outputs_with_root alloc --root class --weight objects
outputs_with_root basics --root host,comm --leaf event

# --- labels, facts ------------------------------------------------------------------
recording threads
if [ "$go" ]; then
	run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --out pprof "$tmp/threads.data" -o "$tmp/t.pb.gz"
	pprof -symbolize=none -raw "$tmp/t.pb.gz" >"$tmp/raw" 2>/dev/null
	for label in 'pid:\[' 'tid:\[' 'thread:\[' 'cpu:\[' 'comm:\['; do
		is "pprof: label $label" "$(grep -c "$label" "$tmp/raw" | sed 's/^[1-9].*/some/')" some
	done
	run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --format folded "$tmp/hostile.folded" -o "$tmp/h.pb.gz" --out pprof
	pprof -symbolize=none -comments "$tmp/h.pb.gz" >"$tmp/comments" 2>/dev/null
	for fact in 'host=a "host" & <b>\' lost=3/12345 'losses=throttled 3' 'gap: start=1.0 end=2.0 why=lost'; do
		has "pprof: a comment $fact" "$tmp/comments" "$fact"
	done
	pprof -symbolize=none -top "$tmp/h.pb.gz" >"$tmp/top" 2>/dev/null
	has "pprof: start and duration" "$tmp/top" "Duration: 2s, Total samples = 9007199254741036"
	printf '# pyrograph: root=thread,cpu,state unit=samples\njava-8513/dw-20;cpu0;sleeping;main 3\n' |
		run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --format folded --out pprof -o "$tmp/l.pb.gz"
	pprof -symbolize=none -raw "$tmp/l.pb.gz" 2>/dev/null | grep '\[[j0-9]' | tr -s ' ' '\n' | sort | tr '\n' ' ' >"$tmp/labels"
	is "pprof: folded text has the labels of its header's roots, but for those that lines may lack" "$(cat "$tmp/labels")" \
		" cpu:[0 cpu] pid:[8513] thread:[java-8513/dw-20] "
	recording inlined
	run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --out pprof -o "$tmp/i.pb.gz" "$tmp/inlined.data"
	pprof -symbolize=none -raw "$tmp/i.pb.gz" >"$tmp/raw" 2>/dev/null
	is "pprof: inlined functions are lines of one location" "$(grep -c '^  *[^ 0-9].*s=0' "$tmp/raw" | sed 's/^[1-9].*/some/')" some
	is "pprof: types and units" "$(grep -m1 dflt "$tmp/raw")" "samples/count cpu/nanoseconds[dflt]"
fi
for name in speedscope firefox chrome csv; do
	run_to "$tmp/x" "$tmp/err" "$pyrograph" collapse -q --format folded --out $name "$tmp/hostile.folded"
	has "$name: losses are told" "$tmp/x" "throttled 3"
done

# The mapping has a build-id; the program's own mapping comes first.
run_to "$tmp/made" "$tmp/made" python3 tests/collapse/make_recording.py "$tmp/ids.data" <<'END'
event cpu-clock 1 0
comm 0 1 1 app
mmap 0 1 0x401000 0x1000 0x1000 /bin/app
mmap 0 1 0x501000 0x1000 0x1000 /lib/libx.so.1
sample 1000 1 1 0 0x501100 0x401100
build-id 0123456789abcdef0123456789abcdef01234567 /bin/app
symbol-module elf 0123456789abcdef0123456789abcdef01234567 /bin/app
symbol 0x1100 0x80 main
symbol-module elf 8:1:4d /lib/libx.so.1
symbol 0x1100 0x80 work
END
if [ "$go" ]; then
	run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --out pprof -o "$tmp/ids.pb.gz" "$tmp/ids.data"
	pprof -symbolize=none -raw "$tmp/ids.pb.gz" 2>/dev/null | sed -n '/^Mappings/,$p' >"$tmp/mappings"
	is "pprof: mappings, the program's first, with its build-id" "$(sed -n 's/ *\[FN.*//; s/^[12]: //p' "$tmp/mappings")" \
		"0x0/0x0/0x0 /bin/app 0123456789abcdef0123456789abcdef01234567
0x0/0x0/0x0 /lib/libx.so.1"
fi

# Arrows from wakers to the woken.
run_to "$tmp/made" "$tmp/made" python3 tests/collapse/make_recording.py "$tmp/woken.data" <<'END'
span-event offcpu 1
clock 1000000000 1795342502000000000
comm 0 10 10 reader
comm 0 20 20 server
comm 0 20 21 sync
mmap 0 10 0x1000 0x1000 0 /bin/app
span 1000000000 1300000000 10 10 0 300000000 1 300000000 single k: 0xffffffff81000110 u: 0x1100 state:sleeping waker:20:21 u: 0x1301
span 1000000000 1350000000 20 20 0 350000000 1 350000000 single u: 0x1100 state:sleeping waker:10:10 u: 0x1301
span 1400000000 2000000000 10 10 0 50000000 5 20000000 - u: 0x1100 state:sleeping waker:20:21 u: 0x1301
END
run_to "$tmp/x.json" "$tmp/err" "$pyrograph" collapse -q --offcpu --timed --out chrome "$tmp/woken.data"
is "chrome: arrows from who woke to who was woken" "$(sed -n 's/.*"ph":"\([sf]\)","pid":\([0-9]*\),"tid":\([0-9]*\),.*"id":\([0-9]*\),"ts":\([0-9.]*\).*/\1 \2 \3 \4 \5/p' "$tmp/x.json")" \
	"s 20 4194307 1 300001
f 10 10 1 300000.999
s 10 10 2 350001
f 20 20 2 350000.999"
outputs_with_root woken --offcpu --root wait --timed
run_to "$tmp/x.json" "$tmp/err" "$pyrograph" collapse -q --offcpu --timed --out firefox "$tmp/woken.data"
is "firefox: spans with a time are markers" "$(grep -o '"startTime":\[[0-9.,]*\],"endTime":\[[0-9.,]*\]' "$tmp/x.json" | tr '\n' ' ')" \
	'"startTime":[0],"endTime":[300] "startTime":[0],"endTime":[350] '

# --- names of files, and other rules ------------------------------------------------
for ending in pb.gz:1f8b otlp:0a speedscope.json:7b22 firefox.json:7b22 trace.json:7b22 csv:74696d65 folded:; do
	run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --format folded "$tmp/timed.folded" -o "$tmp/by.${ending%:*}"
	case $(od -An -tx1 -N4 "$tmp/by.${ending%:*}" | tr -d ' ') in
	"${ending#*:}"*) ok "by its ending: .${ending%:*}" ;;
	*) not_ok "by its ending: .${ending%:*}" ;;
	esac
done
run_to "$tmp/none" "$tmp/err" "$pyrograph" collapse -q --format folded "$tmp/clean.folded" -o "$tmp/y.csv" --out folded
same "--out is stronger than an ending" "$tmp/y.csv" "$tmp/clean.folded"
run_to "$tmp/z.csv" "$tmp/err" "$pyrograph" collapse -q "$tmp/clean.folded" --out csv
status "folded text is read where another format is wanted" 0 test -s "$tmp/z.csv"
for name in pprof otlp speedscope firefox chrome csv; do
	run_to "$tmp/1" "$tmp/err" "$pyrograph" collapse -q --format folded --out $name "$tmp/spans.folded"
	run_to "$tmp/2" "$tmp/err" "$pyrograph" collapse -q --format folded --jobs 3 --output-format $name "$tmp/spans.folded"
	same "$name: the same bytes each time" "$tmp/2" "$tmp/1"
	status "$name: a full disk is an error" 1 sh -c "'$pyrograph' collapse -q --format folded --out $name '$tmp/spans.folded' >/dev/full"
done
# Threads of the same name are told apart even without --root.
printf 'app 7/7 [001] 100.001000: 1 cpu-clock: \n\t  10 f (/a)\n\napp 7/8 [001] 101.100000: 1 cpu-clock: \n\t  10 f (/a)\n\n' >"$tmp/threads.txt"
for name in firefox chrome; do
	is "text of perf script: its threads, $name" "$("$pyrograph" collapse -q --out $name "$tmp/threads.txt" | grep -o '"tid":"*[0-9]*' |
		tr -d '"' | sort -u | paste -sd' ')" "tid:7 tid:8"
done
# Larger than a block of the gzip stream, so that several threads pack it.
awk 'BEGIN { for (i = 0; i < 120000; i++) printf "main;f%d;g%d;h%d %d\n", i % 977, i % 7919, i, i % 13 + 1 }' >"$tmp/large.folded"
for run in 1 2; do
	run_to "$tmp/large.$run" "$tmp/err" "$pyrograph" collapse -q --format folded --out pprof "$tmp/large.folded"
done
same "a large profile: the same bytes each time" "$tmp/large.1" "$tmp/large.2"
status "... which gzip accepts" 0 gzip -t <"$tmp/large.1"
if [ "$go" ]; then
	has "... and go tool pprof, with all of it" "$(pprof -symbolize=none -top "$tmp/large.1" >"$tmp/top" 2>&1; echo "$tmp/top")" \
		"of $(awk '{ n += $NF } END { print n }' "$tmp/large.folded") total"
fi
