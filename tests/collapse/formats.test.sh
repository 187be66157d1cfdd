# Texts of other tools are recognised and folded: tests/collapse/formats/cases.
. tests/tap.sh
dir=tests/collapse/formats

python3 tests/collapse/formats.py "$tmp"

# Names of libraries may be longer than the text that is examined to recognise a format.
awk '{ for (i = 0; i < 3000; i++) libs = libs "{\\\"breakpadId\\\":\\\"AB0\\\"},"; sub(/"libs":"\[/, "&" libs); print }' \
	"$dir/gecko.2016.txt" >"$tmp/large"
"$pyrograph" collapse -q --tid "$tmp/large" >"$tmp/got"
same "gecko: long names of libraries" "$tmp/got" "$dir/gecko.2016.plain.folded"

# ---- what is wrong ----
# wrong FORMAT TEXT MESSAGE: TEXT, with printf's escapes, has no sample, and MESSAGE tells the reason.
wrong()
{
	printf "$2" >"$tmp/in"
	status "$1: $3" 1 "$pyrograph" collapse --format "$1" "$tmp/in"
	has "... is said" "$tmp/err" "$3"
}
big=18446744073709551616
wrong bpftrace "@[\n    a+1\n]: $big\n" "in:3:4: a value that is too large"
wrong bpftrace '@[\n    a+1\n]: \n[4, 8)   1 |@@|\n' "in:3:4: a histogram, not a value"
wrong bpftrace '@start[12]: 4\n' "in:1:1: a map without a stack in its key"
wrong bpftrace '@n: 4\n' "in:1:1: a map without a stack in its key"
wrong bpftrace '@[\n    a+1\n' "in:1:1: a stack that does not end"
wrong bpftrace '@[\n    a+1\nb]: 1\n' "in:3:1: a line that does not belong to a stack"
wrong bcc '    a\n    -                x (y)\n        1\n' "in:2:22: no 'name (pid)'"
wrong bcc '    a\n' "in:2:1: a stack without a name and a value"
wrong bcc '    target:          a\n    target:          b\n    waker:           c\n' "in:2:1: a stack without a name and a value"
wrong bcc '    waker:           a 1\n    --               --\n    f\n    target:          b x\n' "in:4:22: no 'name pid'"
wrong bcc '    waker:           a\n    --               --\n' "in:1:22: no 'name pid'"
wrong stackcount '  f\n    x\n' "in:2:5: no value"
wrong stackcount '  f\n' "in:2:1: a stack without a value"
wrong dtrace "\n       m\`f+0x1\n          $big\n" "in:3:11: a value that is too large"
wrong dtrace '\n       m`f+0x1\n' "in:3:1: a stack without a value"
wrong systemtap ' 0x12 : f+0x1/0x2 [kernel]\n' "in:2:1: a stack without a value"
wrong systemtap ' 0x12 : f+0x1/0x2 [kernel]\nx\n' "in:2:1: neither a frame nor a value"
wrong faulthandler 'Thread 0x12 (most recent call first):\n  File "a.py", line 3\n' "in:2:21: no 'line N in name'"
wrong austin 'P1;T2;f x\n' "in:1:9: no value"
wrong austin 'P1;T2;f 1,2\n' "two values: expected one or three"
wrong austin 'f 1\n' "in:1:1: no process and thread"
wrong go-raw 'Samples:\nsamples/count\n  1: 7\nLocations\n' "in:3:1: a location that is not listed"
wrong go-raw 'Samples:\na/count b/count\n  1: 1\nLocations\n 1: 0x12 M=1 f f.c:1 s=0\n' "in:3:1: not a value for each of the columns"
wrong sample 'Call graph:\n    x Thread_1\n' "in:2:5: no number of samples"
wrong sample 'Call graph:\n    0 Thread_1\n          1 f  (in m)\n' "in:3:11: a line that is too deep for the one above"
wrong instruments 'Running Time\n1 ms 1%%\t1 h\t \tf\n' "in:2:1: no self time and symbol"
wrong vtune 'Function Stack,CPU Time:Self,Module\n,1,m\n' "in:2:1: no function"
wrong vtune 'Function Stack,CPU Time:Self,Module\nf,x,m\n' "in:2:1: no value"
wrong vsprof 'Level,Function Name,Exclusive Samples\n2,"f",1\n' "in:2:1: a line that is too deep for the one above"
wrong vsprof 'Level,Function Name,Exclusive Samples\n1,"",1\n' "in:2:1: no function"
wrong pmcstat '1.0%%  [x] f\n' "in:1:1: no '%  [count]  function'"
wrong procstack '0x12\n' "in:1:1: no address and function"
wrong pstack '12:\t/a\n 08054a2c f\n' "in:2:1: no address, function and arguments"
wrong ghc 'COST CENTRE MODULE no. entries %%time %%alloc\nMAIN 1 0 0\n' "in:2:1: too few columns"
wrong xdebug 'TRACE START [x]\n1\t0\t1\t0.1\t0\n' "in:2:1: neither a call nor the end of one"
wrong xdebug 'TRACE START [x]\nx\t0\t1\t0.1\t0\n' "in:2:1: no level"
wrong wallclock "Full stacks\n1.0%% = ($big samples)\n1: f\n" "in:2:9: a value that is too large"
wrong samples '# pyrograph: unit=x\nl 0 comm=a\ns 0 b\n#1 "main"\n' "in:4:1: not a line of samples"
wrong goroutine "$big @ 0x12\n#\t0x12\tf+0x1\ta.go:1\n" "in:1:1: a value that is too large"
wrong memleak "$big bytes in 1 allocations from stack\n\tf+0x1 [a]\n" "in:1:1: a value that is too large"
wrong memleak "1 bytes in $big allocations from stack\n\tf+0x1 [a]\n" "in:1:12: a value that is too large"
wrong bpftrace-json '{"type": "hist", "data": {"@h": {"\\\\n    f\\\\n": []}}}\n' "in:1:33: a histogram, not a value"
wrong bpftrace-json '{"type": "map", "data": {"@": {"a": 1}}}\n' "in:1:31: a map without a stack in its key"
wrong dhat '{"dhatFileVersion":2,"pps":[{"tb":"x","fs":[7]}],"ftbl":["[root]"]}' "in:1:45: a frame that is not listed"
wrong dhat '{"dhatFileVersion":2,"pps":[{"tb":"x","fs":[]}],"ftbl":["[root]"]}' "in:1:35: no value"
wrong rprof 'sample.interval=1\n"f\n' "in:2:1: no name in quotes"
wrong phpspy '1 f\n' "in:1:1: no 'depth function file:line'"
wrong rbspy 'rbspy02\nx\n' "in:2:1: no JSON"
wrong rbspy 'rbspy02\n{"trace":[{"name":""}]}\n' "in:2:11: a frame without a name"
wrong py-spy-json '[{"frames": [{"name": "f"}' "in:1:27: JSON that ends here, or is damaged"
wrong ljp 'f(A.java:1)\n' "in:1:1: a frame without a number of samples"
wrong gecko '{"libs":"[{\\"breakpadId\\":1}]","meta":{"version":2},"threads":[{"samples":[{"frames":[]}]}]}' "in:1:75: samples of a version before 3"
for format in gdb lldb eu-stack py-spy; do wrong $format 'x\n' "has no line of the form"; done
wrong xctrace "<trace-query-result>\n$(printf '<a>%.0s' $(seq 1100))\n" "in:2:3070: elements in more than 1024 others"
wrong cpuprofile '{"nodes":[],"samples":[],"timeDeltas":[]}' "has no sample of a V8 CPU profile"
wrong heapprofile '{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}' "has no node of a sampled heap"

# One word of a text must not make it count as another format.
for text in 'a:b\n' '@[x\n' '#0 main\n' 'Samples:\n' 'Call graph:\n' 'P1;T2\n' ' 0x12 : f\n' 'Level,x\n'; do
	printf "$text" >"$tmp/in"
	status "'$text'" 1 "$pyrograph" collapse "$tmp/in"
	has "... is not recognised" "$tmp/err" "nor text of a known format"
done

# ---- what is large ----
# A name of 10 MB, a NUL, and trees and stacks that are deeper than any program's.
long=$(head -c 10000000 /dev/zero | tr '\0' x)
printf '@[\n    %s+1\n    \0a\n]: 3\n' "$long" >"$tmp/in"
status "a name of 10 MB" 0 "$pyrograph" collapse -q "$tmp/in"
is "... is kept" "$(tr -cd x <"$tmp/out" | wc -c)" 10000000
awk 'BEGIN { print "@["; for (i = 0; i < 100000; i++) print "    f" i "+1"; print "]: 3" }' >"$tmp/in"
status "a stack of 100,000 frames" 0 "$pyrograph" collapse -q "$tmp/in"
is "... is kept" "$(tr ';' '\n' <"$tmp/out" | grep -c '^f')" 100000
awk 'BEGIN { print "Level,Function Name,Exclusive Samples"; for (i = 1; i < 100000; i++) print i ",f,1" }' >"$tmp/in"
status "a tree of 100,000 levels" 0 "$pyrograph" collapse "$tmp/in"
is "... is kept down to 4096" "$(grep -c '^f' "$tmp/out")" 4096
has "... which is said" "$tmp/err" "in:4098:1: a stack that is too deep"
