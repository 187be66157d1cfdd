# make install and uninstall: into a directory with blanks, and nothing of it stays, but what was there before.
# slow: installs and removes
. tests/tap.sh

# Where who runs the tests installs to, by the environment or by make's own command line, is not meant here.
unset PREFIX DESTDIR
MAKEFLAGS=$(printf '%s\n' "${MAKEFLAGS:-}" | sed -E 's/(^| )(PREFIX|DESTDIR)=[^ ]*//g')
export MAKEFLAGS
make_it() { make --no-print-directory ${CC:+CC="$CC"} ${SAN:+SAN=$SAN} "$@" >"$tmp/out" 2>"$tmp/err"; }
# What is in the source tree, but for files by which others ask a JVM of a test beside this one to listen.
tree() { { git status --porcelain 2>/dev/null; ls -A; } | grep -v '\.attach_pid[0-9]*$'; }
# is_made WHAT GOT WANTED: and what make said, if it is not
is_made()
{
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: $3" "make said:" "$tmp/out" "$tmp/err"; fi
}
before=$(tree)
to="$tmp/in st3 'quoted'"
make_it install DESTDIR="$to"
is_made "install into a directory with blanks" $? 0
is_made "... the programs" "$(ls "$to/usr/local/bin" | tr '\n' ' ')" \
	"pyrograph pyrograph-collapse pyrograph-collect pyrograph-render pyrograph-ship pyrograph-web "
is_made "... the manuals" "$(ls "$to/usr/local/share/man/man1" | wc -l)" 6
is_made "... completion for bash, zsh and fish" "$(cd "$to/usr/local/share" && find . -path ./man -prune -o -type f -print | sort | tr '\n' ' ')" \
	"./bash-completion/completions/pyrograph ./fish/vendor_completions.d/pyrograph.fish ./zsh/site-functions/_pyrograph "
is "... and nothing in the source tree" "$(tree)" "$before"
is_made "the installed program runs" "$("$to/usr/local/bin/pyrograph" --version | cut -d' ' -f1)" pyrograph
make_it install DESTDIR="$to"
make_it uninstall DESTDIR="$to"
is_made "uninstall" $? 0
is_made "... nothing stays" "$(find "$to" 2>/dev/null)" ""

mkdir -p "$tmp/there/opt/bin" "$tmp/there/opt/share/man"
: >"$tmp/there/opt/bin/other"
find "$tmp/there" | sort >"$tmp/wanted"
make_it install DESTDIR="$tmp/there" PREFIX=/opt
make_it uninstall DESTDIR="$tmp/there" PREFIX=/opt
find "$tmp/there" | sort >"$tmp/got"
same "what was there before stays, empty or not" "$tmp/got" "$tmp/wanted"
