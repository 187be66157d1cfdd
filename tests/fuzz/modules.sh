# modules.sh DIRECTORY: small ELF files of every kind that is read, for tests/fuzz/module.c.
set -e
to=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
small="-shared -fPIC -nostdlib -Wl,-z,noseparate-code -Wl,-z,lazy -Wl,--build-id"

# file NAME SOURCE COMPILER FLAGS...: what cannot be built here is left out
file()
{
	name=$1
	source=$2
	shift 2
	"$@" $small "$source" -o "$to/$name" 2>/dev/null || rm -f "$to/$name"
}

file gcc-5 tests/symbols/inlined.c gcc -O2 -gdwarf-5
file gcc-4 tests/symbols/inlined.c gcc -O2 -gdwarf-4
file gcc-3 tests/symbols/inlined.c gcc -O2 -gdwarf-3 -gstrict-dwarf
file packed tests/symbols/inlined.c gcc -O2 -gdwarf-5 -gz
file clang-5 tests/symbols/inlined.c clang -O2 -gdwarf-5
file clang-4 tests/symbols/inlined.c clang -O2 -gdwarf-4 -fuse-ld=bfd
cat >"$tmp/classes.cc" <<'END'
namespace app {
namespace {
template <typename T> struct Box {
	T value;
	inline T twice() const { struct Inner { static T of(T n) { return n * n; } }; return Inner::of(value) + value; }
	T often(int n) { for (T i = 0; i < n; i++) value += twice(); return value; }
};
}
int run(int n) { Box<int> box = { n }; auto more = [&](int k) { return box.often(k) + n; }; return more(n) + more(3); }
}
END
file cxx "$tmp/classes.cc" g++ -O2 -g
file debug-frame tests/symbols/inlined.c gcc -O2 -g -fno-asynchronous-unwind-tables
file plain tests/symbols/inlined.c gcc -O1
cp "$to/plain" "$to/bare"
strip "$to/bare"
objcopy --only-keep-debug "$to/gcc-5" "$to/only-debug"
cp "$to/bare" "$to/linked"
objcopy --add-gnu-debuglink="$to/only-debug" "$to/linked"
if command -v xz >/dev/null; then
	cp "$to/plain" "$to/little"
	objcopy -S --keep-symbol=main "$to/little" 2>/dev/null
	xz -kfc "$to/little" >"$to/little.xz"
	cp "$to/bare" "$to/debugdata"
	objcopy --add-section .gnu_debugdata="$to/little.xz" "$to/debugdata"
	rm -f "$to/little.xz"
fi
