# make install and uninstall, with a directory whose name has blanks: uninstall leaves only what was there before.
# slow: installs and removes
. tests/tap.sh

# Ignore the directory that whoever runs the tests may have chosen, in the environment or on make's command line.
unset PREFIX DESTDIR
MAKEFLAGS=$(printf '%s\n' "${MAKEFLAGS:-}" | sed -E 's/(^| )(PREFIX|DESTDIR)=[^ ]*//g')
export MAKEFLAGS
make_it() { make --no-print-directory ${CC:+CC="$CC"} ${SAN:+SAN=$SAN} "$@" >"$tmp/out" 2>"$tmp/err"; }
# The files of the source tree, without those by which another test asks a JVM to listen.
tree() { { git status --porcelain 2>/dev/null; ls -A; } | grep -v '\.attach_pid[0-9]*$'; }
# is_made WHAT GOT WANTED: like is, with make's messages on failure
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
