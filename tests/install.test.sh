# make install and uninstall: into a directory with blanks, and nothing of it stays, but what was there before.
# slow: installs and removes
. tests/tap.sh

make_it() { make -s ${CC:+CC="$CC"} ${SAN:+SAN=$SAN} "$@" >"$tmp/out" 2>"$tmp/err"; }
# What is in the source tree, but for files by which others ask a JVM of a test beside this one to listen.
tree() { { git status --porcelain 2>/dev/null; ls -A; } | grep -v '\.attach_pid[0-9]*$'; }
before=$(tree)
to="$tmp/in st3 'quoted'"
make_it install DESTDIR="$to"
is "install into a directory with blanks" $? 0
is "... the programs" "$(ls "$to/usr/local/bin" | tr '\n' ' ')" \
	"pyrograph pyrograph-collapse pyrograph-collect pyrograph-render pyrograph-ship pyrograph-web "
is "... the manuals" "$(ls "$to/usr/local/share/man/man1" | wc -l)" 6
is "... and nothing in the source tree" "$(tree)" "$before"
is "the installed program runs" "$("$to/usr/local/bin/pyrograph" --version | cut -d' ' -f1)" pyrograph
make_it install DESTDIR="$to"
make_it uninstall DESTDIR="$to"
is "uninstall" $? 0
is "... nothing stays" "$(find "$to" 2>/dev/null)" ""

mkdir -p "$tmp/there/opt/bin" "$tmp/there/opt/share/man"
: >"$tmp/there/opt/bin/other"
find "$tmp/there" | sort >"$tmp/wanted"
make_it install DESTDIR="$tmp/there" PREFIX=/opt
make_it uninstall DESTDIR="$tmp/there" PREFIX=/opt
find "$tmp/there" | sort >"$tmp/got"
same "what was there before stays, empty or not" "$tmp/got" "$tmp/wanted"
