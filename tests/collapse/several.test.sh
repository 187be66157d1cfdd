# Packed inputs, and several inputs that are merged.
. tests/tap.sh
. tests/served.sh

printf 'a;b 3\n' >"$tmp/one"
printf 'a;b 4\nc 1\n' >"$tmp/two"
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/rec" <tests/collapse/golden/basics.txt
run_to "$tmp/plain" "$tmp/err" "$pyrograph" collapse "$tmp/rec"

# ---- packed ----
for tool in gzip xz zstd; do
	command -v $tool >/dev/null || { skip "$tool" "not installed"; continue; }
	$tool -c <"$tmp/two" >"$tmp/two.$tool"
	status "$tool: folded text" 0 "$pyrograph" collapse "$tmp/two.$tool"
	same "... is unpacked" "$tmp/out" "$tmp/two"
	cat "$tmp/two.$tool" "$tmp/two.$tool" >"$tmp/members"
	status "$tool: two members" 0 "$pyrograph" collapse "$tmp/members"
	is "... are both read" "$(paste -sd, "$tmp/out")" "a;b 8,c 2"
	(cat "$tmp/two.$tool" && head -c 300000 /dev/zero && cat "$tmp/two.$tool" && head -c 4 /dev/zero) >"$tmp/padded"
	status "$tool: NUL bytes behind the members" 0 "$pyrograph" collapse --strict "$tmp/padded"
	is "... are padding" "$(paste -sd, "$tmp/out")" "a;b 8,c 2"
	$tool -c <"$tmp/rec" >"$tmp/rec.$tool"
	status "$tool: a recording" 0 "$pyrograph" collapse "$tmp/rec.$tool"
	same "... is unpacked" "$tmp/out" "$tmp/plain"
	status "$tool: a recording on stdin" 0 sh -c "$pyrograph collapse <$tmp/rec.$tool"
	same "... is unpacked" "$tmp/out" "$tmp/plain"
	status "$tool: a recording in a pipe" 0 sh -c "cat $tmp/rec.$tool | $pyrograph collapse"
	same "... is unpacked" "$tmp/out" "$tmp/plain"

	# A file of many lines that is cut within them.
	seq 100000 | sed 's/.*/main;work&;read &/' | $tool -c >"$tmp/long.$tool"
	head -c -9 "$tmp/long.$tool" >"$tmp/cut"
	status "$tool: a file that is cut" 0 "$pyrograph" collapse "$tmp/cut"
	has "... is told" "$tmp/err" "$tmp/cut: its $tool data is damaged, or ends too soon: used as far as it could be unpacked"
	has "... in the lines, too" "$tmp/out" 'losses="wrong lines'
	has "... and what is there is kept" "$tmp/out" "main;work"
	status "$tool: ... with --strict" 1 "$pyrograph" collapse --strict "$tmp/cut"
	[ $tool != zstd ] || {
		zstd --long=31 -c <"$tmp/two" >"$tmp/wide"
		status "zstd: a window of 2 GB" 0 "$pyrograph" collapse --strict "$tmp/wide"
		same "... is unpacked" "$tmp/out" "$tmp/two"
	}
	head -c 6 "$tmp/two.$tool" >"$tmp/cut"
	status "$tool: nothing but its first bytes" 1 "$pyrograph" collapse "$tmp/cut"
	has "... is told" "$tmp/err" "damaged, or ends too soon"
	(head -c 40 "$tmp/two.$tool" && printf 'other bytes, other bytes') >"$tmp/cut"
	run_to "$tmp/out" "$tmp/err" "$pyrograph" collapse "$tmp/cut"
	has "$tool: other bytes in it are told" "$tmp/err" "damaged, or ends too soon"
done
# packed TEXT TOOL: a file that begins with TEXT (printf's escapes) is not unpacked, and the message names TOOL
packed()
{
	printf "$1" >"$tmp/in"
	status "packed otherwise" 1 "$pyrograph" collapse "$tmp/in"
	has "... $2 unpacks it" "$tmp/err" "$tmp/in: is packed: unpack it first, with $2 (only"
}
packed 'BZh91AY' 'bzip2 -dc'
packed '\004\042\115\030@' 'lz4 -dc'
packed 'PK\003\004' 'unzip -p'
packed ']\0\0\200\0\377\377\377\377\377\377\377\377\0' 'xz -dc'
gzip -c <"$tmp/two" | gzip -c >"$tmp/twice"
status "packed twice" 1 "$pyrograph" collapse "$tmp/twice"
has "... is told" "$tmp/err" "unpack it first, with gzip -dc"
printf '\377\376a\0;\0' >"$tmp/in"
status "UTF-16" 1 "$pyrograph" collapse "$tmp/in"
has "... is told" "$tmp/err" "is text in UTF-16: convert it first: iconv -f UTF-16 -t UTF-8"
for encoding in UTF-16LE UTF-16BE; do
	iconv -f UTF-8 -t $encoding <"$tmp/two" >"$tmp/in"
	status "$encoding" 1 "$pyrograph" collapse "$tmp/in"
	has "... is told" "$tmp/err" "is text in UTF-16: convert it first: iconv -f $encoding -t UTF-8"
done

# ---- several ----
status "two files" 0 "$pyrograph" collapse "$tmp/one" "$tmp/two"
is "... are added up" "$(paste -sd, "$tmp/out")" "a;b 7,c 1"
status "... in any order" 0 "$pyrograph" collapse "$tmp/two" "$tmp/one"
is "... the same" "$(paste -sd, "$tmp/out")" "a;b 7,c 1"
status "their names" 0 "$pyrograph" collapse --root input "$tmp/two" "$tmp/one"
is "... are frames" "$(grep -v '^#' "$tmp/out" | paste -sd,)" "one;a;b 3,two;a;b 4,two;c 1"
status "stdin is one of them" 0 sh -c "$pyrograph collapse $tmp/one - <$tmp/two"
is "... and added" "$(paste -sd, "$tmp/out")" "a;b 7,c 1"
status "a filter" 0 "$pyrograph" collapse -x '^a' "$tmp/one" "$tmp/two"
is "... may leave nothing of one" "$(grep -v '^#' "$tmp/out")" "c 1"
has "... which is told" "$tmp/err" "$tmp/one: no stack is left after --exclude"
status "a filter that leaves nothing" 1 "$pyrograph" collapse -x . "$tmp/one" "$tmp/two"
status "one that is missing" 1 "$pyrograph" collapse "$tmp/one" "$tmp/nosuch" "$tmp/two"
is "... the others are folded" "$(paste -sd, "$tmp/out")" "a;b 7,c 1"
has "... it is told" "$tmp/err" "$tmp/nosuch: No such file or directory"
status "into a file" 0 "$pyrograph" collapse -o "$tmp/both" "$tmp/one" -- "$tmp/two"
is "... they are there" "$(paste -sd, "$tmp/both")" "a;b 7,c 1"
is "... and nowhere else" "$(cat "$tmp/out")" ""
status "into a format" 0 "$pyrograph" collapse --out csv "$tmp/one" "$tmp/two"
has "... it is that" "$tmp/out" "a;b,7"
status "the output is an input" 2 "$pyrograph" collapse -o "$tmp/two" "$tmp/one" "$tmp/two"
is "... as it was" "$(paste -sd, "$tmp/two")" "a;b 4,c 1"
status "recordings" 0 "$pyrograph" collapse "$tmp/rec" "$tmp/rec"
is "... are merged" "$(grep -v '^#' "$tmp/out")" "$(grep -v '^#' "$tmp/plain" | awk '{ $NF *= 2; print }')"
is "... equal headers are one" "$(grep -c '^# pyrograph:' "$tmp/out")" 1
status "with times" 0 "$pyrograph" collapse -t "$tmp/rec" "$tmp/rec"
is "... by time" "$(grep -v '^#' "$tmp/out")" "$("$pyrograph" collapse -t "$tmp/rec" | grep -v '^#' | sed p)"

# Hosts whose monotonic clocks began at different moments, but with the same wall clock.
# made NAME BOOT_NS STATE: samples at .1, .2 s, ... after 1700000000, of threads with the host's name.
made()
{
	{ echo "host $1"; echo 'event cpu-clock'; echo "clock 5000000000 $((1700000000000000000 + $2))"
	  echo "clock-state 5000000000 kernel $3"; echo "comm 0 10 10 $1d"
	  for at in 100000000 200000000 300000000; do echo "sample $((5000000000 + at)) 10 10 0 0x1100"; done
	} >"$tmp/host.txt"
	run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/$1.data" <"$tmp/host.txt"
}
made web1 0 'synchronized 1000000 1'
made web2 50000000 'synchronized 30000000 1'
made web3 -1000000000 'unsynchronized 1 1'
status "hosts" 0 "$pyrograph" collapse --root host,comm --no-stack "$tmp/web2.data" "$tmp/web1.data"
is "... are frames" "$(grep -v '^#' "$tmp/out" | paste -sd,)" "web1;web1d 3,web2;web2d 3"
is "... each with a header" "$(grep -o '^# pyrograph: host=[^ ]*\|clock-within=[^ ]*' "$tmp/out" | paste -sd' ' | sed 's/# pyrograph: //g')" \
	"host=web2 clock-within=30ms host=web1 clock-within=1ms"
status "hosts over time" 0 "$pyrograph" collapse -t --root host --no-stack "$tmp"/web?.data
is "... on one wall clock" "$(grep -v '^#' "$tmp/out" | sed 's/^@17000000*//; s/00000000 / /' | paste -sd,)" \
	"$(printf '%s\n' '@1699999999.1 web3 1' '@1699999999.2 web3 1' '@1699999999.3 web3 1' '.1 web1 1' '.15 web2 1' '.2 web1 1' \
		'.25 web2 1' '.3 web1 1' '.35 web2 1' | sed 's/\(\.[0-9]5\) /\10000000 /' | paste -sd,)"
status "a moment of all" 0 "$pyrograph" collapse -t --root host --no-stack --from @1700000000.2 --to @1700000000.3 "$tmp"/web?.data
is "... has those that were there" "$(grep -v '^#' "$tmp/out" | cut -d' ' -f2 | paste -sd,)" "web1,web2"
for host in web1 web2; do "$pyrograph" collapse --root host,comm --no-stack "$tmp/$host.data" >"$tmp/$host.folded"; done
status "hosts' folded lines" 0 "$pyrograph" collapse "$tmp/web2.folded" "$tmp/web1.folded"
is "... are merged" "$(grep -v '^#' "$tmp/out" | paste -sd,)" "web1;web1d 3,web2;web2d 3"
status "a picture of hosts" 0 sh -c "$pyrograph collapse --root host,comm $tmp/web1.data $tmp/web2.data | $pyrograph render flame"
has "... tells the larger error of their clocks" "$tmp/out" "UTC ±30ms"
status "... of one whose clock nobody keeps right" 0 sh -c "$pyrograph collapse $tmp/web1.data $tmp/web3.data | $pyrograph render flame"
has "... tells that" "$tmp/out" "UTC by an unsynchronized clock"
status "... alone" 0 sh -c "$pyrograph collapse $tmp/web3.data | $pyrograph render flame"
has_not "... that matters to nobody" "$tmp/out" "unsynchronized clock"

status "a recording and text" 0 "$pyrograph" collapse "$tmp/rec" "$tmp/one"
has "... are merged" "$tmp/out" "a;b 3"
printf '# pyrograph: unit=ns\na 1\n' >"$tmp/ns"
printf '# pyrograph: unit=samples\na 1\n' >"$tmp/samples"
status "different units" 1 "$pyrograph" collapse "$tmp/ns" "$tmp/samples"
has "... have no sum" "$tmp/err" "values in ns, samples have no sum"
status "--explain of several" 2 "$pyrograph" collapse --explain "$tmp/rec" "$tmp/rec"

# Lines that cannot be read together; each text is longer than a pipe's buffer.
printf '@1.5 a;x 1\n@2.5 b 1\n' >"$tmp/timed"
printf '# pyrograph: spans=start unit=ns\n@1.5 a 1\nb 7\n' >"$tmp/spans"
printf '# pyrograph: columns=time,count unit=ns\na 1 2\n' >"$tmp/columns"
printf 'a;b 1 2\n' >"$tmp/pairs"
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "@%d.5 a;f%d 1\n", i, i % 1000 }' >"$tmp/long"
# apart FIRST OTHER WHAT: OTHER is left out, with the message that its lines have WHAT.
apart()
{
	status "$1, then $2" 1 "$pyrograph" collapse "$tmp/$1" "$tmp/$2" "$tmp/$1"
	is "... one is left out" "$(cat "$tmp/err")" "pyrograph collapse: $tmp/$2: its lines have $3, unlike those of $tmp/$1: left out"
	run_to "$tmp/wanted" "$tmp/err" "$pyrograph" collapse "$tmp/$1" "$tmp/$1"
	same "... the other is there" "$tmp/out" "$tmp/wanted"
}
apart timed one 'no times'
apart one timed times
apart one long times
apart columns one 'other columns'
apart one pairs 'other columns'
apart timed spans 'spans of time'
status "sums of spans" 0 "$pyrograph" collapse "$tmp/spans" "$tmp/ns" "$tmp/spans"
is "... need no time" "$(grep -v '^#' "$tmp/out" | paste -sd,)" "@1.500000000 a 1,@1.500000000 a 1,a 1,b 14"

printf 'a;b 1\nx\n' >"$tmp/wrong"
status "a wrong line in one" 0 "$pyrograph" collapse "$tmp/wrong" "$tmp/one"
has "... is told with its file" "$tmp/err" "$tmp/wrong:2:1:"
has "... and counted" "$tmp/out" 'wrong lines 1'
status "... with --strict" 1 "$pyrograph" collapse --strict "$tmp/wrong" "$tmp/one"
status "a full disk" 1 sh -c "$pyrograph collapse $tmp/one $tmp/two >/dev/full"

# ---- concatenated recordings: like perf, we read the first one ----
cat "$tmp/rec" "$tmp/rec" >"$tmp/rec.rec"
status "two recordings in one file" 0 "$pyrograph" collapse "$tmp/rec.rec"
same "... the first one is read" "$tmp/out" "$tmp/plain"
has "... what is ignored is said" "$tmp/err" \
	"another recording begins at byte $(wc -c <"$tmp/rec"), and is ignored: give each as a file of its own"
