#!/bin/sh
# One arrow: collect -> collapse -> render -> web.  A stage sees the core and itself; inside it, a folder sees those
# that tests/architecture.py lists.
. tests/tap.sh

if command -v python3 >/dev/null; then
	python3 tests/architecture.py "$BUILD"
else
	skip "folders" "no python3"
fi

# A recording, or the file of a failed redirection, must not become part of the project.
is "nothing is in the root but what belongs there" "$(git ls-files 2>/dev/null |
	grep -vE '/|^(\.(clang-format|clang-tidy|editorconfig|gitignore|shellcheckrc)|CHANGELOG\.md|LICENSE|Makefile|README\.md)$')" ""

# The neighbour stages would see every header that a format header includes.
for format in core/format/*.h; do
	dragged=$(${CC:-cc} -I. -D_GNU_SOURCE -MM -x c "$format" | tr ' \\' '\n\n' | grep '/.*\.h$' |
		grep -vE "^core/|^$format$" | tr '\n' ' ')
	is "$format drags in no header of a stage" "$dragged" ""
done

# links PROGRAM LIBRARIES: which of these libraries the program links.
links()
{
	ldd "$BUILD/pyrograph$1" | grep -oE "^[[:space:]]*lib($2)\.so" | tr -d ' \t\n'
}
is "pyrograph links nothing of the stages" "$(links '' 'elf|dw|bpf|cairo|zstd')" ""
is "pyrograph-render opens no binary: no libelf, libdw" "$(links -render 'elf|dw|bpf')" ""
is "pyrograph-collapse needs no BPF and does not draw" "$(links -collapse 'bpf|cairo')" ""
is "pyrograph-collect does not draw" "$(links -collect 'cairo')" ""
is "pyrograph-web needs nothing" "$(links -web 'elf|dw|bpf|cairo|zstd|z|pcre2-8')" ""
is "... and this test would see it" "$(links -collapse 'elf')" "libelf.so"

# The compiler must not take a function that only loads memory ahead for one without effect.
is "no prefetch but those of core/load_ahead.h" "$(grep -rl __builtin_prefetch core collect collapse render report ship web)" core/load_ahead.h
cat >"$tmp/ahead.c" <<'end'
#include "core/load_ahead.h"
static void load(const char *const *p, size_t i, size_t count)
{
	if (i + 8 < count)
		load_ahead(p[i + 8], 2 * CACHE_LINE);
}
void use(const char *const *p, size_t count);
void use(const char *const *p, size_t count)
{
	for (size_t i = 0; i < count; i++)
		load(p, i, count);
}
end
is "... which compilers keep" "$(${CC:-cc} -I. -O2 -S -o - "$tmp/ahead.c" | grep -cE 'prefetch|prfm')" 2

flags="-I. -D_GNU_SOURCE -std=c11 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags cairo-ft fontconfig zlib 2>/dev/null)"
export flags
# headers first|other: lists headers.  first: those that their own .c file includes before all others, so that compiling
# this file shows that they need no other header; other: all other headers
headers()
{
	find core collect collapse render report web -name "*.h" | while read -r header; do
		base=${header%.h} how=other
		if [ -e "$BUILD/$base.o" ]; then
			while read -r line; do
				case $line in '#'*) [ "$line" != "#include \"$header\"" ] || how=first; break ;; esac
			done <"$base.c"
		fi
		[ $how != "$1" ] || echo "$header"
	done
}
# shellcheck disable=SC2016 # for the inner shell
alone=$(headers other | xargs -P "$(nproc)" -n 1 sh -c 'echo "#include \"$0\"" | ${CC:-cc} $flags -x c - 2>/dev/null || echo "$0"')
is "every header compiles alone" "$alone" ""
for stage in core collect collapse render report web; do
	# shellcheck disable=SC2086 # words
	find $stage -name "*.h" | sed 's/.*/#include "&"/' | ${CC:-cc} $flags -x c - 2>"$tmp/err"
	is "... those of $stage beside each other, too, without a warning" "$(cat "$tmp/err")" ""
done

# The files of the project: those that git tracks or would add; without git, all files.
sources()
{
	git ls-files -co --exclude-standard 2>/dev/null | grep . ||
		find . -type f ! -path './.git/*' ! -path './build/*' ! -path '*/node_modules/*'
}
elsewhere='/wor[k]/(main|shared)|\.\./share[d]/|desig[n]\.md|/tmp/[w]/'
is "no path of anybody's machine" \
	"$(sources | grep -vE '\.(png|svg|data|zst)$' | tr '\n' '\0' | xargs -0 grep -lIE "$elsewhere" 2>/dev/null | tr '\n' ' ')" ""

if command -v node >/dev/null; then
	status "node reads the scripts" 0 node -e 'const fs = require("fs"), vm = require("vm");
		for (const path of process.argv.slice(1)) {
			try { vm.compileFunction(fs.readFileSync(path, "utf8"), [], { filename: path }); }
			catch (e) { console.log(path + ": " + e); }
		}' render/browser/*/*.js web/*.js
	cp "$tmp/out" "$tmp/broken"
	for script in render/browser/*/*.js web/*.js; do
		is "$script is a script" "$(grep -F "$script: " "$tmp/broken")" ""
	done
else
	skip "scripts" "no node"
fi
