# --inline for the text of perf script: compared with addr2line at each address of programs, and with our own output for
# a recording; files that differ from what the text says.
# live: inlined functions; sanitized, too
. tests/tap.sh
. tests/served.sh

# text PROGRAM BASE SHIFT [LEAF]: $tmp/script.txt gets a sample at each address of the program's own functions, as if
# the program were mapped at BASE; the command is the address.  SHIFT is added to the address in the frame, and LEAF is
# a line before the frame.
text()
{
	nm -S --defined-only ${NAMES:+"$NAMES"} "$1" >"$tmp/nm"
	run_to "$tmp/script.txt" "$tmp/err" python3 tests/collapse/inline_text.py text "$@" <"$tmp/nm"
}

# as_addr2line WHAT PROGRAM BASE SHIFT [LEAF]
as_addr2line()
{
	text "$2" "$3" "$4" "$5"
	run_to "$tmp/lines" "$tmp/err" "$pyrograph" collapse --inline --context --demangle full "$tmp/script.txt"
	run_to "$tmp/ours" "$tmp/chains.err" python3 tests/collapse/inline_text.py chains <"$tmp/lines"
	grep '^0x' "$tmp/ours" | addr2line -a -i -f -s -C -e "$2" | sed 's/^0x0*\(.\)/0x\1/' >"$tmp/theirs"
	judged python3 tests/symbols/same_inlined.py "$1" "$tmp/ours" "$tmp/theirs" --except=8
	is "... and all are in the file" "$(grep -v ': no debug information: ' "$tmp/err")" ""
}

flags="-O2 -g -fno-omit-frame-pointer"
# shellcheck disable=SC2086 # words
if ! gcc $flags -pie -fPIE tests/symbols/inlined.c -o "$tmp/pie" 2>"$tmp/err" ||
	! gcc $flags -no-pie tests/symbols/inlined.c -o "$tmp/fixed" 2>>"$tmp/err" ||
	! g++ $flags tests/symbols/inlined.cc -o "$tmp/plus" 2>>"$tmp/err"; then
	not_ok "compile" "$tmp/err"
	exit 1
fi
mapped=94369237041152 # a multiple of a page, such as 0x55d3f7a4e000
mapped=$((mapped - mapped % 4096))
as_addr2line "as addr2line: mapped anywhere" "$tmp/pie" $mapped 0
as_addr2line "as addr2line: addresses in the file, as newer perf prints them" "$tmp/pie" 0 0
as_addr2line "as addr2line: a program that is not position-independent" "$tmp/fixed" 0 0
as_addr2line "as addr2line: C++, names as in the symbol table" "$tmp/plus" $mapped 0
NAMES=-C as_addr2line "as addr2line: C++, demangled" "$tmp/plus" $mapped 0
# A caller is seen at the address after the call.
as_addr2line "as addr2line: callers" "$tmp/pie" $mapped 1 "	               1 [unknown] ([unknown])"

# ---- rows ----
at=$(nm "$tmp/pie" | awk '$3 == "outer" { print $1 }')
text "$tmp/pie" 0 0
inside=$(awk '/ outer\+/ { print $2 }' "$tmp/script.txt" | sed -n 's/outer+0x//p' | while read -r offset; do
	printf '%s 0x%x\n' "$offset" $((0x$at + 0x$offset)); done | while read -r offset address; do
	# bare addr2line: finds the first address at which three functions are
	[ "$(addr2line -a -i -f -e "$tmp/pie" "$address" | grep -c '^[a-z]')" = 3 ] && { echo "$offset"; break; }; done)
in_file=$(printf %x $((0x$at + 0x$inside))) # the first segments are mapped unchanged, so offsets are addresses
where=$(printf %x $((mapped + 0x$at + 0x$inside)))
three='a;outer;middle_[i];innermost_[i] 1'

# row WHAT LINES WANTED [OPTIONS]
row()
{
	what=$1 lines=$2 wanted=$3
	shift 3
	printf "a 1 1.0: 1 cycles:\n$lines\n\n" >"$tmp/in"
	run_to "$tmp/row" "$tmp/err" "$pyrograph" collapse "$@" "$tmp/in"
	lines_of "$tmp/row"
	is "$what" "$listed" "$wanted"
}
row "an address of memory" "\t    $where outer+0x$inside ($tmp/pie)" "$three" --inline
row "... not asked for" "\t    $where outer+0x$inside ($tmp/pie)" 'a;outer 1'
row "... the last of two options counts" "\t    $where outer+0x$inside ($tmp/pie)" 'a;outer 1' --inline --no-inline
row "... with the offset in the function" "\t    $where outer+0x$inside ($tmp/pie)" "a;outer+0x$inside;middle_[i];innermost_[i] 1" --inline --offsets
row "... removed since" "\t    $where outer+0x$inside ($tmp/pie (deleted))" "$three" --inline
row "an offset in the file (-F +dsoff)" "\t    $where outer ($tmp/pie+0x$in_file)" "$three" --inline
row "... without a name" "\t    $where [unknown] ($tmp/pie+0x$in_file)" "$three" --inline
row "... without a symbol's offset, an address in the file" "\t    $in_file outer ($tmp/pie)" "$three" --inline
row "without -g" "\t    7f00 x ([unknown])\n\nb 1 1.0: 1 cycles:    $where outer+0x$inside ($tmp/pie)" "a;x 1
$(echo "$three" | sed s/a/b/)" --inline
row "what perf script has found itself" "\t    $where mine (inlined)\n\t    $where outer+0x$inside ($tmp/pie)" 'a;outer;mine_[i] 1' --inline
line() { grep -n "$1" tests/symbols/inlined.c | cut -d: -f1; }
row "source lines of the text" "\t    $where outer+0x$inside ($tmp/pie)\n  x.c:7" 'a;outer:x.c:7 1' --srcline
row "... and of the file" "\t    $where outer+0x$inside ($tmp/pie)\n  x.c:7" \
	"a;outer:inlined.c:$(line 'return middle(x) + middle');middle:inlined.c:$(addr2line -i -s -e "$tmp/pie" "0x$in_file" | sed -n '2s/.*://p' | tr -d ' ')_[i];innermost:inlined.c:$(addr2line -s -e "$tmp/pie" "0x$in_file" | sed 's/.*c://; s/ .*//')_[i] 1" --inline --srcline
row "the kernel, JIT code, the vdso" "\tffffffff81000000 f+0x1 ($tmp/pie)\n\t    $where f+0x1 ([vdso])\n\t    $where f+0x1 (/tmp/perf-1.map)\n\t    $where f+0x1 (//anon)" 'a;f;f;f;f 1' --inline
has "... are not looked up, which is told" "$tmp/err" "--inline: frames of the kernel, JIT code and the vdso are not looked up: they stay as they are"
row "the kernel" "\t    $where outer+0x$inside ($tmp/pie)\n\tffffffff81000000 f+0x1 ([kernel.kallsyms])" "a;f;${three#a;}" --inline
has "... is told" "$tmp/err" "--inline: frames of the kernel are not looked up: they stay as they are"
row "... not without --inline" "\tffffffff81000000 f+0x1 ([kernel.kallsyms])" 'a;f 1'
is "... silently" "$(cat "$tmp/err")" ""
row "JIT code, inlined by its own map" "\t    $where La/A;::f->La/B;::g (/tmp/perf-1.map)" 'a;a/A::f;a/B::g_[i] 1' --inline
has "... which is told" "$tmp/err" "--inline: frames of JIT code are not looked up"
row "a stub of the PLT" "\t    $where puts@plt+0x4 ($tmp/pie)" 'a;puts@plt 1' --inline

# ---- files that cannot tell ----
# told WHAT FILE REASON [SYMBOL]: the frame is unchanged, and the reason is reported
told()
{
	row "$1" "\t    $where ${4:-outer+0x$inside} ($2)" "a;$(echo "${4:-outer}" | sed 's/+.*//') 1" --inline
	has "... and why" "$tmp/err" "--inline: 1 of 1 addresses were not looked up: $3: $2"
}
strip -g -o "$tmp/stripped" "$tmp/pie"
strip -o "$tmp/naked" "$tmp/pie"
{ echo 'int before(int x) { return x * 17; }'; cat tests/symbols/inlined.c; } >"$tmp/other.c"
# shellcheck disable=SC2086 # words
gcc $flags -pie -fPIE "$tmp/other.c" -o "$tmp/other"
told "no debug information" "$tmp/stripped" "no debug information"
told "no symbols" "$tmp/naked" "the file has no such function: it is stripped, or another build"
told "another build" "$tmp/other" "the file is another build than the one recorded"
told "no file" /nowhere/at/all "the file is not here"
told "no offset" "$tmp/pie" "the text has no offsets in functions (perf script -F +symoff)" outer
head -c 5000 "$tmp/pie" >"$tmp/cut"
told "a file cut short" "$tmp/cut" "the file has no such function: it is stripped, or another build"
head -c 5000 /dev/urandom >"$tmp/noise"
told "no ELF file" "$tmp/noise" "the file, or its debug information, is damaged"
cat >"$tmp/twin.c" <<'C'
__attribute__((aligned(4096), noinline)) static int twin(int x) { return x * x + 1; }
int NAME(int x) { return twin(x) + twin(x + 1); }
C
if gcc -O1 -g -c -DNAME=one "$tmp/twin.c" -o "$tmp/one.o" && gcc -O1 -g -c -DNAME=two "$tmp/twin.c" -o "$tmp/two.o" &&
	gcc -shared -z noseparate-code "$tmp/one.o" "$tmp/two.o" -o "$tmp/twins.so" 2>/dev/null; then
	row "two functions of one name, at the same place in their pages" "\t    7f0000000004 twin+0x4 ($tmp/twins.so)" 'a;twin 1' --inline
	has "... and why" "$tmp/err" "several functions have this name: $tmp/twins.so"
else
	not_ok "two functions of one name" "they cannot be linked"
fi

# None of these files is opened for reading, and none blocks us.
mkfifo "$tmp/fifo"
ln -s /dev/zero "$tmp/zero"
ln -s loop "$tmp/loop"
truncate -s 8T "$tmp/hole" 2>/dev/null || truncate -s 100G "$tmp/hole"
head -c 64 "$tmp/pie" | dd of="$tmp/hole" conv=notrunc status=none
for file in "$tmp/fifo" /dev/zero /dev/stdin /dev/full "$tmp/zero" "$tmp/hole" /proc/kmsg /proc/self/mem /proc/kcore \
	/sys/kernel/tracing/trace_pipe "$tmp" /proc/self/fd/0 "$tmp/loop" "/$(head -c 9000 /dev/zero | tr '\0' x)" \
	"$tmp/pie/" "$tmp/../../../../../../.."; do
	printf "a 1 1.0: 1 cycles:\n\t    %s outer+0x%s (%s)\n\n" "$where" "$inside" "$file" >"$tmp/in"
	# shellcheck disable=SC2094 # stdin is one of the files
	is "not read: $(echo "$file" | cut -c1-60 | sed "s,$tmp,TMP,")" "$(timeout 20 "$pyrograph" collapse --inline "$tmp/in" 2>"$tmp/err" <"$tmp/in" |
		grep -v '^#'; grep -c 'not looked up' "$tmp/err")" "a;outer 1
1"
done

# ---- the result is the same for any number of threads ----
nm -S --defined-only "$tmp/plus" >"$tmp/nm"
run_to "$tmp/large" "$tmp/err" python3 tests/collapse/inline_text.py many "$tmp/plus" $mapped 12 <"$tmp/nm"
run_to "$tmp/one" "$tmp/one.err" "$pyrograph" collapse --inline --jobs 1 "$tmp/large"
run_to "$tmp/five" "$tmp/five.err" "$pyrograph" collapse --inline --jobs 5 "$tmp/large"
has "files that are not here are counted, and three are named" "$tmp/one.err" "12 of $(grep -c '^	' "$tmp/large") addresses were not looked up: the file is not here: /nowhere/0, /nowhere/1, /nowhere/2 and 2 more"
same "five threads" "$tmp/five" "$tmp/one"
same "... and their messages" "$tmp/five.err" "$tmp/one.err"

# ---- a recording, and its text ----
recorded()
{
	perf record -q -B -F 999 -g -o "$tmp/rec.data" -- "$tmp/plus" 50000 >/dev/null 2>"$tmp/err" &&
		perf script --no-inline -F "$2" -i "$tmp/rec.data" >"$tmp/rec.txt" 2>"$tmp/err" || not_ok "$1" "$tmp/err"
	for options in "" --srcline; do
		# shellcheck disable=SC2086 # words
		# (A function of a stripped libc is shown by its offset in the file, which perf script does not print.)
		"$pyrograph" collapse -q --files=never $options --include '^plus;.*;main' "$tmp/rec.data" | grep -v '^#' |
			sed 's/;\(libc[^;]*\)+0x[0-9a-f]*;/;[\1];/' | LC_ALL=C sort >"$tmp/wanted"
		# shellcheck disable=SC2086 # words
		# (The demangler of perf 6.12 adds the return type of a template.)
		"$pyrograph" collapse -q --inline $options --include '^plus;.*;main' "$tmp/rec.txt" | grep -v '^#' |
			sed 's/;void std::/;std::/g' | LC_ALL=C sort >"$tmp/got"
		same "$1${options:+, $options}" "$tmp/got" "$tmp/wanted"
	done
	has "... with inlined functions" "$tmp/got" "_[i]"
}
if command -v perf >/dev/null && perf record -q -B -g -o "$tmp/try" -- true 2>"$tmp/err"; then
	live recorded "the text of a recording has the lines of the recording" comm,tid,time,period,event,ip,sym,symoff,dso
else
	skip "the text of a recording" "perf record does not work here: $(tail -1 "$tmp/err")"
fi
