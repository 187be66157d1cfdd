# Short stacks: advice is given on stacks without frame pointers, but not on stacks that really are short; and all
# advice is given only once.
# live: advice on stacks; sanitized, too
. tests/tap.sh
. tests/collect/common.sh
need_sampling "stacks of collect cpu"
body=${BUILD:-build}/tests/workloads/thread_body
short="do not reach back to the start of their thread"

one_function()
{
	status "a thread that is one function" 0 $collect -F 999 --call-graph fp -o "$tmp/a.data" -- "$body" 0.5
	has_not "... has stacks of two frames, and no hint" "$tmp/err" "$short"
	has "... and a summary that says how many are whole" "$tmp/err" "% of user stacks are whole"
	told=$(sed -n 's/^pyrograph collect cpu: \(.* of user stacks are whole.*\)/\1/p' "$tmp/err")
	is "... as the recording does" "$(grep -acxF "$told" "$tmp/a.data")" 1
	status "... and its report" 0 "$pyrograph" collapse --quality "$tmp/a.data"
	is "... has the sentence, once" "$(grep -cF "$told" "$tmp/out")" 1
	status "... in the folded lines either" 0 "$pyrograph" collapse "$tmp/a.data"
	has_not "... which say so" "$tmp/out" "broken user stacks"
	some "... of two frames" "$(grep -cE '^thread_body;[^;]*;work [0-9]+$' "$tmp/out")" 1
}
live one_function

if ${CC:-cc} -O2 -fomit-frame-pointer -D_GNU_SOURCE tests/workloads/thread_body.c -o "$tmp/body" \
	-lpthread 2>"$tmp/cc.err"; then
	without_frame_pointers()
	{
		status "the same without frame pointers" 0 $collect -F 999 --call-graph fp -o "$tmp/b.data" -- "$tmp/body" 0.5
		has "... has a hint" "$tmp/err" "$short"
		has "... that says where, and what to do" "$tmp/err" "most of them in body: built without frame pointers? --call-graph dwarf"
		status "... unwound, as by default" 0 $collect -F 999 -o "$tmp/c.data" -- "$tmp/body" 0.5
		has_not "... has none" "$tmp/err" "$short"
		rm -rf "$tmp/charts"
		status "... which the report gives" 0 "$pyrograph" report -F 999 --call-graph fp -o "$tmp/charts" -- "$tmp/body" 0.5
		is "... once" "$(grep -c "frame pointers" "$tmp/err")" 1
		is "... in its own name" "$(grep -vc '^pyrograph report: ' "$tmp/err")" 0
		has "... and on its picture" "$(ls "$tmp"/charts/*Z.svg)" "broken user stacks"
	}
	live without_frame_pointers
else
	skip "the same without frame pointers" "no compiler"
fi
