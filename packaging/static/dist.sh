#!/bin/sh
# The static programs as a tarball, with the manual pages, completion, the license and what to do with it.
#
#   packaging/static/dist.sh TREE DIRECTORY        TREE/bin has the programs
set -e
[ $# = 2 ] || { sed -n '4s/^# *//p' "$0" >&2; exit 2; }
tree=$1 to=$2 name=$(basename "$1")
epoch=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)
mkdir -p "$tree/share/man/man1" "$tree/share/bash-completion/completions" "$tree/share/zsh/site-functions" \
	"$tree/share/fish/vendor_completions.d" "$to"
for program in "$tree"/bin/*; do
	"${STRIP:-strip}" "$program"
done
cp -f report/*.1 collect/*.1 collapse/*.1 render/*.1 web/*.1 ship/*.1 "$tree/share/man/man1"
cp -f packaging/completion/pyrograph "$tree/share/bash-completion/completions"
cp -f packaging/completion/_pyrograph "$tree/share/zsh/site-functions"
cp -f packaging/completion/pyrograph.fish "$tree/share/fish/vendor_completions.d"
cp -f LICENSE packaging/static/README "$tree"
tar -c --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,go-w --mtime="@$epoch" --format=gnu \
	-C "$(dirname "$tree")" "$name" | xz -6 -T1 >"$to/$name.tar.xz"
sh packaging/checksums.sh "$to"
ls "$to/$name.tar.xz"
