# Sources of symbols: each source gives the same names as the program's own symbol table.
. tests/tap.sh
. tests/symbols/common.sh

build "$tmp/whole" || not_ok "build"
functions "$tmp/whole" >"$tmp/wanted"
grep -q ' hidden_two$' "$tmp/wanted" || not_ok "the list of functions" "$tmp/wanted"
names_all ".symtab" "$tmp/whole"
names_all "... of the file with this build-id" "$tmp/whole" "$(build_id "$tmp/whole")"
is "another build-id: not used, and said" "$(reason "$tmp/whole" 0123456789abcdef 0 0)" "- other-build"

# stripped NAME: without its symbols
stripped() { mkdir -p "$tmp/$1" && strip -o "$tmp/$1/program" "$tmp/whole"; }

stripped bare
named "$tmp/bare/program" <"$tmp/wanted" >"$tmp/got"
has_not "stripped: no name" "$tmp/got" hidden
has "... but where it begins" "$tmp/got" " _start"
is "... and the reason" "$(grep ' hidden_one' "$tmp/wanted" | cut -d' ' -f1 |
	"$names" "$tmp/bare/program" - 0 0 | awk '{ print $2, $4 }')" "- no-symbols"
build "$tmp/dynamic" -rdynamic && functions "$tmp/dynamic" >"$tmp/dynamic.wanted"
strip "$tmp/dynamic"
grep -E ' (shown|main)$' "$tmp/dynamic.wanted" >"$tmp/wanted.some"
named "$tmp/dynamic" <"$tmp/wanted.some" >"$tmp/got"
same ".dynsym" "$tmp/got" "$tmp/wanted.some"

build "$tmp/library.so" -shared -fPIC
build "$tmp/library.so" -shared -fPIC -Wl,-e,0x$(nm "$tmp/library.so" | awk '$3 == "hidden_two" { print $1 }')
functions "$tmp/library.so" >"$tmp/library.wanted"
objcopy -S "$tmp/library.so" "$tmp/library.bare"
named "$tmp/library.bare" <"$tmp/library.wanted" >"$tmp/got"
has_not "a library does not begin anywhere" "$tmp/got" _start

# .gnu_debuglink, at its three places
objcopy --only-keep-debug "$tmp/whole" "$tmp/program.debug"
link()
{
	stripped "$1"
	(cd "$tmp" && objcopy --add-gnu-debuglink=program.debug "$1/program")
}
link beside && cp "$tmp/program.debug" "$tmp/beside"
names_all ".gnu_debuglink: beside the file" "$tmp/beside/program"
link below && mkdir "$tmp/below/.debug" && cp "$tmp/program.debug" "$tmp/below/.debug"
names_all "... in .debug" "$tmp/below/program"
link wrong && { cat "$tmp/program.debug"; echo; } >"$tmp/wrong/program.debug"
named "$tmp/wrong/program" <"$tmp/wanted" >"$tmp/got" 2>"$tmp/err"
has_not "... with another CRC: not used" "$tmp/got" hidden
is "... which is said, once" "$(grep -c "/wrong/program.debug: not used: from another build, or damaged" "$tmp/err")" 1
: >"$tmp/wrong/program.debug"
named "$tmp/wrong/program" <"$tmp/wanted" >"$tmp/got" 2>"$tmp/err"
has "... also of an empty one" "$tmp/err" "/wrong/program.debug: not used"

# Both files have a build-id, but different ones: the link alone is not enough.
build "$tmp/other" -DOTHER=1 -Wl,--build-id=0x0123456789abcdef
objcopy --only-keep-debug "$tmp/other" "$tmp/other.debug"
stripped alien
(cd "$tmp" && objcopy --add-gnu-debuglink=other.debug alien/program) && cp "$tmp/other.debug" "$tmp/alien"
named "$tmp/alien/program" <"$tmp/wanted" >"$tmp/got" 2>"$tmp/err"
has_not "... with another build-id: not used" "$tmp/got" hidden
has "... which is said" "$tmp/err" "/alien/other.debug: not used"

# .gnu_debugdata, made as gdb's manual says
if command -v xz >/dev/null; then
	nm -D "$tmp/whole" --format=posix --defined-only | awk '{ print $1 }' | sort >"$tmp/dynamic.names"
	nm "$tmp/whole" --format=posix --defined-only | awk '$2 ~ /[TtD]/ { print $1 }' | sort >"$tmp/all.names"
	comm -13 "$tmp/dynamic.names" "$tmp/all.names" >"$tmp/keep"
	objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols="$tmp/keep" \
		"$tmp/program.debug" "$tmp/little" 2>/dev/null
	xz -kf "$tmp/little"
	stripped little.dir
	objcopy --add-section .gnu_debugdata="$tmp/little.xz" "$tmp/little.dir/program"
	names_all ".gnu_debugdata" "$tmp/little.dir/program"
	head -c 100 "$tmp/little.xz" >"$tmp/short.xz"
	stripped short.dir
	objcopy --add-section .gnu_debugdata="$tmp/short.xz" "$tmp/short.dir/program"
	named "$tmp/short.dir/program" <"$tmp/wanted" >"$tmp/got"
	has "... cut short: as if it were not there" "$tmp/got" " _start"
else
	skip ".gnu_debugdata" "no xz"
fi

# By build-id, below /usr/lib/debug in the process's root directory, and in ours.
id=$(build_id "$tmp/whole")
if [ "$(id -u)" = 0 ] && build "$tmp/static" -static 2>"$tmp/err"; then
	functions "$tmp/static" | grep -E ' (hidden_one|hidden_two|shown|main)$' >"$tmp/static.wanted"
	id=$(build_id "$tmp/static")
	at=$tmp/root/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)
	mkdir -p "$at" "$tmp/root/bin"
	objcopy --only-keep-debug "$tmp/static" "$at/$(echo "$id" | cut -c3-).debug"
	strip -o "$tmp/root/bin/program" "$tmp/static"
	mkfifo "$tmp/in" "$tmp/out.fifo"
	chroot "$tmp/root" /bin/program wait <"$tmp/in" >"$tmp/out.fifo" &
	exec 8>"$tmp/in"
	read -r line <"$tmp/out.fifo"
	named /bin/program "$id" $! <"$tmp/static.wanted" >"$tmp/got"
	same "/usr/lib/debug/.build-id of a process in its own root directory" "$tmp/got" "$tmp/static.wanted"
	exec 8>&-
	wait $!
else
	skip "/usr/lib/debug/.build-id of a process in its own root directory" "needs root, and a static libc"
fi
cp "$tmp/program.debug" "$tmp/our.debug"
if unshare --mount true 2>"$tmp/err"; then
	id=$(build_id "$tmp/whole")
	unshare --mount sh -c 'mount -t tmpfs none /usr/lib/debug && mkdir -p /usr/lib/debug/.build-id/$1 &&
		cp "$3" "/usr/lib/debug/.build-id/$1/$2.debug" && cut -d" " -f1 "$6" | "$4" "$5" - 0 0' - \
		"$(echo "$id" | cut -c1-2)" "$(echo "$id" | cut -c3-)" "$tmp/our.debug" \
		"$names" "$tmp/bare/program" "$tmp/wanted" 2>"$tmp/err" | awk '{ print $1, $2 }' >"$tmp/got"
	same "/usr/lib/debug/.build-id" "$tmp/got" "$tmp/wanted"
else
	skip "/usr/lib/debug/.build-id" "needs to mount: $(tail -1 "$tmp/err")"
fi
