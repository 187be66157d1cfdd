#!/bin/sh
# One arrow: collect -> collapse -> render -> web.  A stage sees the core, itself
# and, of its left neighbour, the header that defines the format between them.
. tests/tap.sh

# includes DIR ALLOWED_PATTERN: the project's headers that DIR includes beyond it.
includes()
{
	grep -rhoE '^#[[:space:]]*include[[:space:]]+"[^"]+"' --include='*.[ch]' "$1" |
		sed 's/.*"\(.*\)"/\1/' | sort -u | grep -vE "^($2)" | tr '\n' ' '
}

is "core/ includes only itself" "$(includes core 'core/')" ""
is "collect/ includes itself, the core and what BPF programs share" "$(includes collect '(collect|core|bpf)/')" ""
is "collapse/ includes of collect/ the format only" "$(includes collapse '(collapse|core)/|collect/recording\.h$')" ""
is "render/ includes of collapse/ the format only" "$(includes render '(render|core)/|collapse/folded\.h$')" ""
is "web/ includes of render/ the format only" "$(includes web '(web|core)/|render/picture\.h$')" ""
# Inside render/, from the lines to the picture.
is "render/profile/ knows no picture" "$(includes render/profile '(core|render/profile)/|collapse/folded\.h$')" ""
is "render/colours/ knows profiles" "$(includes render/colours '(core|render/(profile|colours))/')" ""
is "render/encoding/ knows profiles and colours" \
	"$(includes render/encoding '(core|render/(profile|colours|encoding))/|render/picture\.h$|collapse/folded\.h$')" ""
is "render/drawing/ knows no chart" \
	"$(includes render/drawing '(core|render/(profile|colours|drawing))/|collapse/folded\.h$')" ""
is "render/bars/ knows no flame graph" \
	"$(includes render/bars '(core|render/(profile|colours|drawing|encoding|bars))/|render/(picture|assets|topology)\.h$|collapse/folded\.h$')" ""
is "render/timeline/ knows no flame graph" \
	"$(includes render/timeline '(core|render/(profile|colours|drawing|encoding|bars|timeline))/|render/(picture|assets|topology)\.h$|collapse/folded\.h$')" ""
is "render/heat/ knows no other chart" \
	"$(includes render/heat '(core|render/(profile|colours|drawing|encoding|heat))/|render/(picture|assets)\.h$|collapse/folded\.h$')" ""
is "the dispatcher includes no stage" \
	"$(cat ./*.[ch] | sed -n 's/^#include "\(.*\)"/\1/p' | sort -u | grep '/' | grep -v '^core/' | tr '\n' ' ')" ""

# What a format header drags in, its neighbour would see as well.
for format in core/format/recording.h core/format/folded.h core/format/picture.h; do
	dragged=$(${CC:-cc} -I. -D_GNU_SOURCE -MM -x c "$format" | tr ' \\' '\n\n' | grep '/.*\.h$' |
		grep -vE "^core/|^$format$" | tr '\n' ' ')
	is "$format drags in no other header of its stage" "$dragged" ""
done

# links PROGRAM LIBRARIES: those of them that it links.
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

flags="-I. -D_GNU_SOURCE -std=c11 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags cairo-ft fontconfig zlib 2>/dev/null)"
export flags
# shellcheck disable=SC2016 # for the inner shell
alone=$(printf '%s\n' *.h core/*.h core/*/*.h collect/*.h collapse/*.h render/*.h render/*/*.h web/*.h |
	xargs -P "$(nproc)" -n 1 sh -c 'echo "#include \"$0\"" | ${CC:-cc} $flags -x c - 2>/dev/null || echo "$0"')
is "every header compiles alone" "$alone" ""

# The files of the project: what git knows or would add, else what is there.
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
		}' render/browser/*.js web/*.js
	cp "$tmp/out" "$tmp/broken"
	for script in render/browser/*.js web/*.js; do
		is "$script is a script" "$(grep -F "$script: " "$tmp/broken")" ""
	done
else
	skip "scripts" "no node"
fi
