# Stubs of the PLT have the names that objdump gives them, whatever the linker made.
. tests/tap.sh
. tests/symbols/common.sh

cat >"$tmp/calls.c" <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;
int (*volatile kept)(const char *) = puts;  /* a slot without a call */
void *volatile slot;

int main(int argc, char **argv)
{
	slot = (void *)strtol;
	printf("%d %f\n", atoi(argv[0]), sqrt(argc + 0.5));
	qsort(argv, (size_t)argc, sizeof(*argv), (int (*)(const void *, const void *))strcmp);
	return (int)strlen(argv[0]) + (int)strtol(argv[0], NULL, 10) + kept(*environ);
}
END

# stubs FILE: prints "OFFSET NAME" of each stub, as objdump shows it ("free@plt-0x10" is the one that looks functions
# up)
stubs()
{
	$objdump -d -j .plt -j .plt.sec -j .plt.got -j .iplt "$1" 2>/dev/null |
		sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p; s/^0*\([0-9a-f]*\) <\(.*\)@plt-0x10>:$/\1 .plt/p'
}

# as_objdump WHAT FILE AT_LEAST: compares every stub, at its first byte and at its last but one
as_objdump()
{
	stubs "$2" | offsets "$2" >"$tmp/wanted"
	named "$2" <"$tmp/wanted" >"$tmp/got"
	if [ "$(wc -l <"$tmp/wanted")" -lt "$3" ]; then
		not_ok "$1: stubs to compare" "$tmp/wanted"
	else
		same "$1" "$tmp/got" "$tmp/wanted"
	fi
}

# Converts addresses to offsets, by the code segment.
offsets()
{
	move=$(readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $3, $2; exit }')
	python3 -c '
import sys
address, offset = [int(word, 16) for word in sys.argv[1:3]]
lines = [line.split(" ", 1) for line in sys.stdin]
for at, name in sorted((int(at, 16) - address + offset, name) for at, name in lines):
    print("%x %s" % (at, name), end="")' $move
}

objdump=objdump
make_it() { out=$1; shift; "$@" -O1 -fno-builtin "$tmp/calls.c" -o "$out" -lm 2>"$tmp/err"; }
case $(uname -m) in
x86_64)
	make_it "$tmp/now" gcc -Wl,-z,now && as_objdump "-z now" "$tmp/now" 3
	make_it "$tmp/lazy" gcc -Wl,-z,lazy && as_objdump "lazy" "$tmp/lazy" 6
	make_it "$tmp/ibt" gcc -Wl,-z,lazy -fcf-protection -Wl,-z,ibtplt && as_objdump "for indirect branch tracking" "$tmp/ibt" 6
	make_it "$tmp/fixed" gcc -no-pie -Wl,-z,lazy && as_objdump "at a fixed address" "$tmp/fixed" 6
	make_it "$tmp/clang" clang && as_objdump "clang" "$tmp/clang" 3
	strip -o "$tmp/stripped" "$tmp/ibt" && as_objdump "stripped" "$tmp/stripped" 6
	for file in /lib/x86_64-linux-gnu/libc.so.6 "$(command -v perl)" /usr/lib/x86_64-linux-gnu/libstdc++.so.6; do
		[ -f "$file" ] && as_objdump "$file" "$file" 3
	done
	# In a static program, the slots have no symbols, but the resolver functions, which tell what to put there,
	# have.
	make_it "$tmp/static" gcc -static -no-pie
	readelf -rW "$tmp/static" | awk '/IRELATIV/ { print $NF }' >"$tmp/resolvers"
	readelf -SW "$tmp/static" | awk '{ sub(/^ *\[ */, ""); if ($2 == ".plt" || $2 == ".iplt") print $5, $6 }' >"$tmp/sections"
	python3 - "$tmp/sections" >"$tmp/at" <<'END'
import sys
for line in open(sys.argv[1]):
    offset, size = [int(word, 16) for word in line.split()]
    print("\n".join("%x x" % at for at in range(offset, offset + size, 8)))
END
	named "$tmp/static" <"$tmp/at" | awk '$2 ~ /@plt$/ { sub(/@plt$/, "", $2); print $2 }' | sort -u >"$tmp/got"
	readelf -sW "$tmp/static" | awk 'NR == FNR { resolver[$1]; next } $4 == "IFUNC" { sub(/^0+/, "", $2)
		if ($2 in resolver) print $8 }' "$tmp/resolvers" - | sort -u >"$tmp/known"
	comm -23 "$tmp/got" "$tmp/known" >"$tmp/strange"
	is "a static program: stubs have the names of their resolvers" "$(cat "$tmp/strange")" ""
	is "... many" "$([ "$(wc -l <"$tmp/got")" -gt 5 ] && echo yes)" yes
	# In a PLT for branch tracking, the first stubs push a number, by which the name is found.
	readelf -rW "$tmp/ibt" | sed -n '/rela.plt/,$p' | awk '/JUMP_SLO/ { sub(/@.*/, "", $5); print $5 "@plt" }' >"$tmp/order"
	start=$(readelf -SW "$tmp/ibt" | awk '{ sub(/^ *\[ */, ""); if ($2 == ".plt") print $5 }')
	i=0
	while read -r name; do
		i=$((i + 1))
		printf '%x %s\n' $((0x$start + 16 * i)) "$name"
	done <"$tmp/order" >"$tmp/wanted"
	names_all "the first half of stubs for branch tracking" "$tmp/ibt"
	;;
esac

# aarch64, built here with clang and lld: a library whose slots are far away; and a program with branch target
# identification that takes the address of a function, whose stub therefore begins with bti.
arm() { clang --target=aarch64-linux-gnu -mbranch-protection=bti -x c -c "$@" 2>"$tmp/err"; }
cat >"$tmp/arm.c" <<'END'
int outer(int), other(void);
int (*slot(void))(void) { return other; }
int begin(int n) { return outer(n) + other(); }
END
if arm -fPIC -o "$tmp/library.o" - <<'END' && ld.lld -shared "$tmp/library.o" -o "$tmp/library.so" 2>"$tmp/err" &&
int outer(int n) { return n; }
int other(void) { return 1; }
END
	arm -fPIC -mbranch-protection=none -o "$tmp/far.o" "$tmp/arm.c" && arm -fno-pic -o "$tmp/arm.o" "$tmp/arm.c"; then
	ld.lld -shared --section-start=.got.plt=0x82000 --section-start=.plt=0xa7000 "$tmp/far.o" -o "$tmp/far" 2>"$tmp/err"
	ld.lld -z force-bti -e begin "$tmp/arm.o" "$tmp/library.so" -o "$tmp/bti" 2>"$tmp/err"
	for file in far:16 bti:24; do
		size=${file#*:} file=${file%:*}
		start=$(readelf -SW "$tmp/$file" | awk '{ sub(/^ *\[ */, ""); if ($2 == ".plt") print $5 }')
		# A header of 32 bytes, then a stub for each relocation, in the same order.
		readelf -rW "$tmp/$file" | awk '/JUMP_SLO/ { print $5 "@plt" }' | {
			printf '%x .plt\n' $((0x$start))
			i=0
			while read -r name; do
				printf '%x %s\n' $((0x$start + 32 + size * i)) "$name"
				i=$((i + 1))
			done
		} >"$tmp/wanted"
		names_all "aarch64, $file" "$tmp/$file"
		is "... two stubs" "$(wc -l <"$tmp/wanted")" 3
	done
else
	skip "aarch64" "$(tail -1 "$tmp/err")"
fi
