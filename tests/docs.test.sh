# README.md and the pages in docs/ and examples/: their links, anchors, sizes, and the make targets and files that they
# name.
. tests/tap.sh

if command -v python3 >/dev/null; then
	python3 tests/docs.py
else
	skip "pages" "no python3"
fi

# The table of kernels.
status "collect usable --kernels" 0 $pyrograph collect usable --kernels
if grep -q "this build has no BPF" "$tmp/out"; then
	skip "the least Linux of each collector" "a build without BPF"
else
	awk 'NR > 1 && $2 ~ /^[0-9.]+$/ { print $1, $2 }' "$tmp/out" >"$tmp/least"
	sed -n 's/^| `\([a-z]*\)` | \([5-9][.][0-9]*\) |.*/\1 \2/p' docs/platforms.md >"$tmp/documented"
	is "... is what docs/platforms.md says" "$(cat "$tmp/documented")" "$(cat "$tmp/least")"
	has "... as is which were run, and when" docs/platforms.md "$(tail -1 "$tmp/out")"
	is "... of each collector" "$(grep -c . "$tmp/least")" "$($pyrograph collect --help | grep -cE '^  (cpu|sched|offcpu|wakeup|faults|syscalls|io|locks|lanes|processes|wall|windows|noise|alloc) ')"
fi

is "pictures in examples/ have colours for the dark" "$(grep -L 'prefers-color-scheme:dark' examples/*.svg)" ""
