# A build without clang and bpftool: commands that need BPF say so, and the rest works.
# slow: a second build, of what differs
. tests/tap.sh
. tests/collect/common.sh
need_sampling "a build without BPF"
if [ -n "${SAN:-}" ]; then
	skip "a build without BPF" "one build of it is enough"
	exit 0
fi
bare=$tmp/bare
# Objects of sources that do not mention NO_BPF are the same in both builds, so only the others are compiled again.
grep -rl --include='*.[ch]' NO_BPF core collect report | sed 's/\.c$/.o/' >"$tmp/knows"
if ! grep -q '\.h$' "$tmp/knows"; then
	(cd "$BUILD" && find core collect report -name '*.o') | grep -vxFf "$tmp/knows" >"$tmp/same"
	mkdir "$bare" && tar -C "$BUILD" -cf - -T "$tmp/same" | tar -C "$bare" -xmf -
fi
if ! make -s -j2 NO_BPF=1 BUILD="$bare" CFLAGS=-O0 "$bare/pyrograph" "$bare/pyrograph-collect" >"$tmp/err" 2>&1; then
	not_ok "it builds" "$tmp/err"
	exit 1
fi
ok "it builds"
is "... and links no libbpf" "$(ldd "$bare/pyrograph-collect" | grep -c libbpf)" 0
status "usable" 0 "$bare/pyrograph" collect usable
is "... cpu, and alloc, whose probes are those of perf" "$(cat "$tmp/out")" "cpu,alloc"
has "... says why" "$tmp/err" "this build has no BPF (clang and bpftool were missing)"
for source in sched offcpu wakeup faults syscalls io locks lanes processes wall cpu,sched; do
	status "collect $source" 1 "$bare/pyrograph" collect "$source" -a -d 0.1 -o "$tmp/x.data"
	has "... says what is missing" "$tmp/err" "install clang and bpftool"
	is "... and leaves no file" "$(ls "$tmp/x.data" 2>/dev/null)" ""
done
status "collect noise" 1 "$bare/pyrograph" collect noise -C 0 -d 0.1
has "... says what is missing" "$tmp/err" "install clang and bpftool"
status "collect cpu" 0 "$bare/pyrograph" collect cpu -a -d 0.2 -o "$tmp/a.data"
