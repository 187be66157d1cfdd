# Stripped programs: their stacks are as whole as those of others, and their names come from a file beside them, from
# one found by build-id, or from packed data inside.
# live: stacks
. tests/tap.sh
. tests/unwind/common.sh
can_record "stripped programs"
program=$tmp/built/chains
build_chains "$tmp/built" gcc -g -O2 -fomit-frame-pointer -falign-functions=1 2>"$tmp/err" ||
	{ skip "stripped programs" "gcc: $(tail -1 "$tmp/err")"; exit 0; }

# strip_to DIRECTORY: makes stripped copies of all files, and NAME.debug for each
strip_to()
{
	mkdir -p "$1"
	for file in chains libchains.so libone.so libtwo.so; do
		objcopy --only-keep-debug "$tmp/built/$file" "$1/$file.debug" &&
			objcopy -S "$tmp/built/$file" "$1/$file"
	done
}

# .gnu_debuglink
strip_to "$tmp/link"
for file in chains libchains.so libone.so libtwo.so; do
	(cd "$tmp/link" && objcopy --add-gnu-debuglink=$file.debug $file)
done
both "by .gnu_debuglink" "$tmp/link/chains"

# .gnu_debugdata: only the symbols, xz-compressed
if command -v xz >/dev/null; then
	strip_to "$tmp/mini"
	for file in chains libchains.so libone.so libtwo.so; do
		(
			cd "$tmp/mini" || exit
			objcopy --strip-debug $file.debug mini.debug && xz -qf mini.debug &&
				objcopy --add-section .gnu_debugdata=mini.debug.xz $file
			rm -f $file.debug mini.debug.xz
		)
	done
	export INLINED=no
	live by_collect "by .gnu_debugdata" "$tmp/mini/chains"
	unset INLINED
else
	skip "by .gnu_debugdata" "no xz"
fi

# By build-id, in a /usr/lib/debug that only this test sees.
strip_to "$tmp/id"
for file in chains libchains.so libone.so libtwo.so; do
	id=$(readelf -n "$tmp/id/$file" | sed -n 's/.*Build ID: //p')
	mkdir -p "$tmp/debug/.build-id/$(echo "$id" | cut -c1-2)"
	mv "$tmp/id/$file.debug" "$tmp/debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug"
done
if [ -d /usr/lib/debug ] && unshare -m mount --bind "$tmp/debug" /usr/lib/debug 2>"$tmp/err"; then
	real=$pyrograph
	cat >"$tmp/with_debug" <<-END
		#!/bin/sh
		exec unshare -m sh -c 'mount --bind "$tmp/debug" /usr/lib/debug && exec "\$0" "\$@"' "$real" "\$@"
	END
	chmod +x "$tmp/with_debug"
	pyrograph=$tmp/with_debug
	live by_perf "by build-id" "$tmp/id/chains"
	pyrograph=$real
else
	skip "by build-id" "no mount namespace: $(tail -1 "$tmp/err")"
fi

# Without debug files: the stacks are as long, and functions are told apart by their beginnings.
strip_to "$tmp/none"
rm -f "$tmp"/none/*.debug
without_any()
{
	perf record -q -B -N -F $rate --call-graph dwarf,$bytes -o "$tmp/perf.data" -- \
		"$tmp/none/chains" realigned >/dev/null 2>"$tmp/err" || { not_ok "without any" "$tmp/err"; return; }
	"$pyrograph" collapse -q --files=never --kernel "$tmp/perf.data" >"$tmp/folded" 2>"$tmp/err"
	deep=$(awk '/^chains;/ { sub(/(;[^;]*_\[k\])* [0-9]+$/, ""); if (gsub(/;(\[chains\]|chains\+0x[0-9a-f]+)/, "") >= 3) n++ }
		END { print (n > 0) }' "$tmp/folded")
	is "without any: as long" "$deep" 1
}
live without_any
