# Frames of stacks are made in a second thread, beside the one that reads the samples; the lines are the same without
# that thread (--jobs 1).
# slow: large recordings
. tests/tap.sh
. tests/served.sh

# same_lines WHAT FILE [OPTIONS]
same_lines()
{
	what=$1 file=$2
	shift 2
	run_to "$tmp/one" "$tmp/one.err" "$pyrograph" collapse --jobs 1 "$@" "$file" || not_ok "$what: alone" "$tmp/one.err"
	run_to "$tmp/two" "$tmp/two.err" "$pyrograph" collapse --jobs 2 "$@" "$file" || not_ok "$what: beside" "$tmp/two.err"
	same "$what" "$tmp/two" "$tmp/one"
	same "$what: messages" "$tmp/two.err" "$tmp/one.err"
}

# Processes that fork and map while they are sampled, and unknown ones; addresses where nothing is mapped, stacks at the
# kernel's depth limit, frame pointers that lead back to themselves.  All of these are more than fit into all blocks.
python3 - >"$tmp/many.txt" <<'END'
x = 1
def random(n):
    global x
    x = x * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
    return (x >> 33) % n
print("event cpu-clock 1 0")
for pid in range(1, 40):
    print(f"comm 0 {pid} {pid} app{pid}")
    for n in range(pid % 5):
        print(f"mmap {n * 100000} {pid} {0x400000 + n * 0x1800:#x} 0x3000 {n * 0x1000:#x} /bin/app{pid % 7}")
for time in range(1000, 1009000):
    if time % 1009 == 0:
        print(f"fork {time} {1000 + time // 1009} {1 + time % 39}")
    if time % 150:
        continue
    pid = random(60) + (random(2) and 1000)
    depth = 130 if random(50) == 0 else random(20)
    chain = [0x400000 + random(0x40) * 0x100 if random(8) else random(1 << 47) for _ in range(depth)]
    if random(30) == 0:
        chain += [0x123456789000] * 5
    kernel = [f"k: {0xffffffff81000000 + random(64) * 256:#x}"] if random(2) else []
    print("sample", time, pid, pid, 0, *kernel, "u:" if kernel else "", *(f"{a:#x}" for a in chain or [0x400100]))
END
run_to "$tmp/made" "$tmp/err" python3 tests/collapse/make_recording.py "$tmp/many.data" <"$tmp/many.txt" || not_ok "recording"
"$pyrograph" collapse -q "$tmp/many.data" >"$tmp/lines" 2>/dev/null
has "there are many" "$tmp/lines" "lost=0/$(grep -c ^sample "$tmp/many.txt")"
has "... some of them cut" "$tmp/lines" "stacks cut"
same_lines "lines" "$tmp/many.data"
same_lines "addresses" "$tmp/many.data" --addrs
same_lines "threads, timed" "$tmp/many.data" --timed --root tid
same_lines "quality" "$tmp/many.data" --quality
same_lines "without stacks" "$tmp/many.data" --no-stack --root tid
for i in 1 2 3 4 5; do
	run_to "$tmp/again.$i" "$tmp/err" "$pyrograph" collapse -q --jobs 2 --addrs "$tmp/many.data"
done
for i in 2 3 4 5; do
	cmp "$tmp/again.1" "$tmp/again.$i" >"$tmp/err" || not_ok "the same each time" "$tmp/err"
done
