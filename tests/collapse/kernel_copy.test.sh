# Names of the kernel from perf's copy of kallsyms, ~/.debug/[kernel.kallsyms]/BUILD-ID/kallsyms: they are the same as
# those from /proc/kallsyms.  Names of BPF programs come from the recording.
# slow: all symbols of the kernel
. tests/tap.sh

id=$(python3 - <<'END'
import struct
notes = open("/sys/kernel/notes", "rb").read()
at = 0
while at + 12 <= len(notes):
    name, size, kind = struct.unpack_from("<III", notes, at)
    value = at + 12 + (name + 3 & ~3)
    if kind == 3 and notes[at + 12:at + 16] == b"GNU\0":
        print(notes[value:value + size].hex())
        break
    at = value + (size + 3 & ~3)
END
)
text=$(awk '$3 == "_text" { print "0x" $1 }' /proc/kallsyms | head -1)
if [ -z "$id" ] || [ "${text:-0x0000000000000000}" = 0x0000000000000000 ]; then
	skip "the kernel's names from perf's copy" "its symbols or its build-id are hidden"
	exit 0
fi

copy="$tmp/.debug/[kernel.kallsyms]/$id/kallsyms"
mkdir -p "${copy%/*}"

# image: /proc/kallsyms with few lines of modules
sed '/\t\[/,$d' /proc/kallsyms >"$tmp/image"
sed -n '/\t\[/,$p' /proc/kallsyms | head -3 >"$tmp/modules"
image() { cat "$tmp/image" "$tmp/modules"; }

# keep: stdin becomes the copy.  A copy of a whole number of pages is not used, because no NUL follows it in memory.
keep()
{
	cat >"$copy"
	[ $(($(stat -c %s "$copy") % 4096)) != 0 ] || echo "ffffffffffff0000 t more	[more]" >>"$copy"
}

# samples: at every 500th symbol: its address, the byte before it, and one after it
samples()
{
	python3 - "$tmp/image" <<'END'
import sys
addresses = sorted({int(line.split()[0], 16) for line in open(sys.argv[1])} - {0})
for at in addresses[1::500]:
    for more in 0, 1, 5:
        print("sample 10 10 10 0 k: %#x %#x" % (at, at + more))
END
}
{
	echo "event cpu-clock"
	echo here
	echo "kernel-mmap $text 0x10000000 $text [kernel.kallsyms]_text"
	echo "comm 0 10 10 app"
	samples
} >"$tmp/lines"
python3 tests/collapse/make_recording.py "$tmp/image.data" <"$tmp/lines"

# folded FILE HOME [OPTION...]
folded()
{
	file=$1 home=$2
	shift 2
	HOME=$home "$pyrograph" collapse -q "$@" "$file"
}

folded "$tmp/image.data" /nonexistent --offsets >"$tmp/wanted"
[ "$(grep -c 'app;' "$tmp/wanted")" -gt 100 ] || not_ok "there are names" "$tmp/wanted"

# check WHAT: the lines with the copy are the same
check()
{
	folded "$tmp/image.data" "$tmp" --offsets >"$tmp/out"
	same "$1" "$tmp/out" "$tmp/wanted"
}

image | keep
check "the copy gives the same names"
image | sed 's/ \([tT]\) vfs_read$/ \1 of_the_copy/' | keep
at=$(awk '$3 == "vfs_read" { print "0x" $1 }' /proc/kallsyms | head -1)
one()
{
	sed '/^sample/d' "$tmp/lines"
	echo "sample 10 10 10 0 k: $at"
}
one | python3 tests/collapse/make_recording.py "$tmp/one.data"
is "... and it is where they come from" "$(folded "$tmp/one.data" "$tmp" | grep app)" "app;of_the_copy 1"
if command -v strace >/dev/null; then
	HOME=$tmp strace -f -e trace=openat,read -P /proc/kallsyms -o "$tmp/trace" "$pyrograph" collapse -q "$tmp/one.data" >/dev/null
	is "... the other is looked at for _text only" "$(awk '/read\(.*= [1-9]/' "$tmp/trace" | wc -l | awk '{ print $1 < 20 }')" 1
fi
chmod 666 "$copy"
is "a file that others may write is not used" "$(folded "$tmp/one.data" "$tmp" | grep app)" "app;vfs_read 1"
chmod 644 "$copy"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$copy"
	is "... nor that of another user" "$(folded "$tmp/one.data" "$tmp" | grep app)" "app;vfs_read 1"
	chown 0 "$copy"
fi
python3 - "$tmp/image" <<'END' | keep
import sys
for line in open(sys.argv[1]):
    print("%016x%s" % (int(line[:16], 16) - 0x7000000 & (1 << 64) - 1, line[16:]), end="")
END
check "a copy of the kernel at another address"
image | head -c 2000000 | keep
check "a copy that is cut off"
image | grep -v ' _text$' | keep
check "one without _text"
sed 's/^[0-9a-f]*/0000000000000000/' "$tmp/image" | keep
check "one that hides addresses"
head -c 100000 /dev/zero | keep
check "bytes that are no text"
: >"$copy"
check "an empty one"
image | tr '\n' ' ' | keep
check "one line"
image | tac | keep
folded "$tmp/image.data" "$tmp" >/dev/null || not_ok "lines in another order"

# BPF programs: of several that were at one address one after the other, the last one counts; the byte before the first
# one belongs to it, too.
free=0xffffffffc7654000
image | keep
{
	cat "$tmp/lines"
	echo "kernel-code 1 $free 0x100 bpf_prog_0123456789abcdef_first"
	echo "kernel-code 9 $free 0x80 bpf_prog_0123456789abcdef_last"
	echo "kernel-code 5 0xffffffffc7654080 0x200 bpf_prog_0123456789abcdef_other"
	for at in 3fff 4000 407f 4080 427f; do echo "sample 10 20 20 0 k: 0xffffffffc765$at"; done
	echo "comm 0 20 20 bpf"
} >"$tmp/code"
python3 tests/collapse/make_recording.py "$tmp/code.data" <"$tmp/code"
cat >"$tmp/wanted" <<'END'
bpf;bpf_prog_0123456789abcdef_last 3
bpf;bpf_prog_0123456789abcdef_other 2
END
folded "$tmp/code.data" "$tmp" | grep '^bpf' >"$tmp/out"
same "BPF programs of the recording" "$tmp/out" "$tmp/wanted"
folded "$tmp/code.data" /nonexistent | grep '^bpf' >"$tmp/out"
same "... also without a copy" "$tmp/out" "$tmp/wanted"
folded "$tmp/code.data" "$tmp" | grep '^app' >"$tmp/with"
folded "$tmp/code.data" /nonexistent | grep '^app' >"$tmp/without"
same "... and the others beside them" "$tmp/with" "$tmp/without"
{ cat "$tmp/lines"; echo "sample 10 20 20 0 k: 0xffffffffc7655000"; } | python3 tests/collapse/make_recording.py "$tmp/far.data"
# (That address is behind the program that was loaded last.)
folded "$tmp/far.data" "$tmp" | grep '^app' >"$tmp/with"
folded "$tmp/far.data" /nonexistent | grep '^app' >"$tmp/without"
same "an address that neither has: all are looked up in /proc/kallsyms" "$tmp/with" "$tmp/without"
for bytes in 11000000000018000000000000000000 1100000000000800 11000000000020000000654700c0ffffffff00000000010000004142434445464748; do
	{ cat "$tmp/lines"; echo "raw $bytes"; } | python3 tests/collapse/make_recording.py "$tmp/bad.data"
	folded "$tmp/bad.data" "$tmp" >/dev/null || not_ok "a damaged record of a program"
done
ok "damaged records of programs are ignored"
