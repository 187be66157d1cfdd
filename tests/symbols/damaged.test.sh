# Damaged ELF files: no crash, and everything else still works.
# slow: hundreds of damaged files
. tests/tap.sh
. tests/symbols/common.sh
runs=300
[ -z "${SAN:-}" ] || runs=160

build "$tmp/whole" -Wl,-z,lazy || not_ok "build"
functions "$tmp/whole" >"$tmp/wanted"
start=$(readelf -SW "$tmp/whole" | awk '{ sub(/^ *\[ */, ""); if ($2 == ".plt") print $5 }')
{ cut -d' ' -f1 "$tmp/wanted"; printf '%x\n' $((0x$start)) $((0x$start + 16)) $((0x$start + 36)); } | sort >"$tmp/offsets"
damaged() { python3 tests/symbols/damaged.py "$names" "$@"; }

damaged $runs "$tmp/whole" "$tmp/offsets"
strip -o "$tmp/bare" "$tmp/whole"
damaged $runs "$tmp/bare" "$tmp/offsets"

# Separate debug file
mkdir "$tmp/linked"
objcopy --only-keep-debug "$tmp/whole" "$tmp/linked/program.debug"
cp "$tmp/bare" "$tmp/linked/program"
(cd "$tmp/linked" && objcopy --add-gnu-debuglink=program.debug program)
damaged $((runs / 2)) "$tmp/linked/program" "$tmp/offsets"
damaged $((runs / 4)) "$tmp/linked/program" "$tmp/offsets" "$tmp/linked/program.debug"

# .gnu_debugdata
if command -v xz >/dev/null; then
	objcopy -S --keep-symbol=hidden_one --keep-symbol=hidden_two "$tmp/linked/program.debug" "$tmp/little" 2>/dev/null
	xz -kf "$tmp/little"
	cp "$tmp/bare" "$tmp/packed"
	objcopy --add-section .gnu_debugdata="$tmp/little.xz" "$tmp/packed"
	damaged $runs "$tmp/packed" "$tmp/offsets"
else
	skip "damaged .gnu_debugdata" "no xz"
fi
