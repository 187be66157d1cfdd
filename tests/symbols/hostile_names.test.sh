# Names that a program may give its functions, which must not harm whoever records it.
# live: names of functions; sanitized, too
. tests/tap.sh
. tests/collect/common.sh
need_sampling "names of a hostile program"

cat >"$tmp/hot.c" <<'END'
volatile unsigned long sink;
__attribute__((noinline)) void hot(void) { for (unsigned i = 0; i < 300000000; i++) sink += i; }
int main(void) { hot(); return 0; }
END
if ! command -v objcopy >/dev/null || ! ${CC:-cc} -O1 -fno-omit-frame-pointer -c "$tmp/hot.c" -o "$tmp/hot.o" 2>"$tmp/err"; then
	skip "names of a hostile program" "no objcopy or no compiler"
	exit 0
fi

repeat() { i=0; while [ $i -lt "$2" ]; do printf %s "$1"; i=$((i + 1)); done; }

# named NAME SHOWN: records a program that spends its time in NAME, which is shown as SHOWN.
named()
{
	objcopy --redefine-sym hot="$1" "$tmp/hot.o" "$tmp/named.o" && ${CC:-cc} "$tmp/named.o" -o "$tmp/named" || {
		not_ok "$3: cannot be built"
		return
	}
	status "$3: recorded" 0 timeout 60 "$pyrograph" collect cpu -q -F 499 -o "$tmp/rec.data" -- "$tmp/named"
	status "... folded" 0 timeout 60 "$pyrograph" collapse "$tmp/rec.data"
	has "... by name" "$tmp/out" ";$2"
	rm -f "$tmp/rec.data"
}

named _RB_ _RB_ "Rust, within itself"
name=_ZN1AcvT_I$(repeat L_ZN1AcvT_I 60)i$(repeat EEvE 60)EEv
named "$name" "$name" "C++, 2^60 ways to read it"
name=_D1aFHiiHQeQg$(repeat HQgQi 60)Zv
named "$name" "$name" "D, 2^60 letters"
named _ZN3Foo3barEi Foo::bar "C++"

# Terminal commands, and text that runs backwards, must not get through (core/utf8.h).
csi=$(printf '\302\2332J') override=$(printf '\342\200\256drow')
named "x$csi" "x?2J" "a command for a terminal"
named "x$override" "x?drow" "text that runs backwards"
status "a file that is not there" 1 "$pyrograph" collapse "$tmp/x$csi$override"
has "... is named without them" "$tmp/err" "x?2J?drow: No such file"
printf 'main;x%s%s 3\n' "$csi" "$override" >"$tmp/in.folded"
"$pyrograph" render flame "$tmp/in.folded" >"$tmp/out.svg"
LC_ALL=C grep -q "$(printf '\302\233\|\342\200\256')" "$tmp/out.svg" && not_ok "nor into a picture" || ok "nor into a picture"
