#!/bin/sh
# report --keep: old runs are removed, and nothing else; the stages are stand-ins.  Also the timer that makes reports.
. tests/tap.sh

bin=$tmp/bin dir=$tmp/charts
mkdir -p "$bin" "$dir"
cp "$pyrograph" "$bin/pyrograph"
cat >"$bin/pyrograph-collect" <<'END'
#!/bin/sh
[ "$1" = usable ] && { echo cpu; exit; }
[ -n "$fail" ] && exit 1
while [ "$1" != -o ]; do shift; done
echo x >"$2"
END
printf '#!/bin/sh\nexit 0\n' >"$bin/pyrograph-collapse"
printf '#!/bin/sh\nexit 0\n' >"$bin/pyrograph-render"
printf '#!/bin/sh\necho "$*" >>"%s"\n' "$tmp/web" >"$bin/pyrograph-web"
chmod +x "$bin"/*

ours='<svg xmlns="http://www.w3.org/2000/svg"><metadata id="pyrograph">{"kind":"flame"}</metadata></svg>'
# run NAME: the files of a report
run()
{
	printf 'PERFILE2' >"$dir/$1.data"
	for suffix in '' -heat -offcpu; do echo "$ours" >"$dir/$1$suffix.svg"; done
	for suffix in '' -threads -offcpu; do printf '# pyrograph: host=db1\na 1\n' >"$dir/$1$suffix.folded"; done
	echo 'a waited' >"$dir/$1-why.txt"
	mkdir "$dir/$1-threads"
	echo "$ours" >"$dir/$1-threads/a.svg"
	echo '<head><meta name="generator" content="pyrograph render"/>' >"$dir/$1-threads/index.html"
	echo '/* pyrograph render: the script of the charts that refer to it */' >"$dir/$1-threads/flame.js"
}
# left: the runs that still have files, and how many files
left() { (cd "$dir" && find . -type f -o -type l) | sed -nE 's|^\./(.*T[0-9]{6}Z(-[0-9]+)?).*|\1|p' | sort | uniq -c | awk '{ print $2 ":" $1 }' | grep -v "^$(uname -n)" | xargs; }
at() { date -u -d "$1" +%Y-%m-%dT%H%M%SZ; }
keep() { "$bin/pyrograph" report -a -o "$dir" --keep "$@"; }

old=db1-$(at '31 days ago') young=db1-$(at '29 days ago')
run "$old"; run "$old-2"; run "web-7-$(at '400 days ago')"; run "$young"
all=$(find "$dir" -type f | wc -l) bytes=$(find "$dir" -type f ! -path "*/$young*" -exec cat {} + | wc -c)
status "report --keep 30d" 0 keep 30d
is "... old runs go, whatever their host" "$(left)" "$young:11"
has "... how many is said" "$tmp/err" "$dir: removed 3 old runs: $((all - 11)) files, $(awk "BEGIN { printf \"%.3g\", $bytes / 1024 }") KiB"
is "... directories of their threads, too" "$(find "$dir" -name '*-threads' | wc -l)" 1
has_not "... no complaints" "$tmp/err" "kept"
has "... the page is made after that" "$tmp/web" "$dir"
status "again" 0 keep 30d
has_not "... there is nothing to say" "$tmp/err" "old run"

# ---- what is not ours -----------------------------------------------------------------------

run "$old"
precious=$tmp/precious
mkdir "$precious"
echo "$ours" >"$precious/a.svg"; printf 'PERFILE2' >"$precious/x.data"
echo 'my notes' >"$dir/$old-notes.txt"
echo '<svg>drawn by hand</svg>' >"$dir/$old-drawing.svg"
echo 'a 1' >"$dir/$old-mine.folded"
echo 'not a recording' >"$dir/$old-2.data"
ln -s "$precious/a.svg" "$dir/$old-link.svg"
ln -s "$precious/x.data" "$dir/$old-3.data"
ln -s "$precious" "$dir/$old-3-threads"
ln -s "$precious/a.svg" "$dir/$old-threads/link.svg"
echo mine >"$dir/$old-threads/mine.txt"
mkdir "$dir/$old-threads/deep" "$dir/$old-other"
echo "$ours" >"$dir/$old-threads/deep/a.svg"; echo "$ours" >"$dir/$old-other/a.svg"
mkfifo "$dir/$old-fifo.svg"
for name in backup.data cpu.svg "2020-01-01T000000Z.svg" "-2020-01-01T000000Z.svg" "db1-2020-01-01T000000.svg" "db1-2020-13-01T000000Z.svg" \
	"db1-2020-01-01.svg" "db1-20200101T000000Z.svg"; do
	echo "$ours" >"$dir/$name"
done
mkdir "$dir/sub"; echo "$ours" >"$dir/sub/$old.svg"
before=$(find "$dir" | wc -l)
status "other files" 0 keep 30d
is "... stay: only the report's own are gone" "$((before - $(find "$dir" | wc -l)))" 10 # eleven, and a recording more
has "... are counted" "$tmp/err" "kept 12 old files that pyrograph did not make, or that belong to another user"
is "... links are not followed" "$(find "$precious" -type f | wc -l)" 2
for name in "$old-notes.txt" "$old-drawing.svg" "$old-mine.folded" "$old-2.data" "$old-link.svg" "$old-3.data" "$old-3-threads" \
	"$old-threads/mine.txt" "$old-threads/deep/a.svg" "$old-other/a.svg" "$old-fifo.svg" "sub/$old.svg" "cpu.svg"; do
	[ -e "$dir/$name" ] && ok "... $name is there" || not_ok "... $name is there"
done
if [ "$(id -u)" = 0 ]; then
	echo "$ours" >"$dir/$old-theirs.svg"
	chown 12345 "$dir/$old-theirs.svg"
	keep 30d 2>/dev/null
	[ -e "$dir/$old-theirs.svg" ] && ok "other users' files stay, even for root" || not_ok "other users' files stay, even for root"
else
	skip "other users' files stay" "needs root"
fi

# ---- when nothing is recorded ----------------------------------------------------------------

run "$old-9"
: >"$tmp/web"
export fail=1
status "a report that fails" 1 keep 30d
is "... has made room all the same" "$(left | grep -c "$old-9")" 0
is "... and the page knows it" "$(cat "$tmp/web")" "$dir"
: >"$tmp/web"
status "... again" 1 keep 30d
is "... leaves the page alone" "$(cat "$tmp/web")" ""
status "--keep soon" 2 keep soon
status "--keep 0" 2 keep 0
status "--keep 0d" 2 keep 0d
status "--keep 30, of which nobody knows whether it is days" 2 keep 30
has "... asks for the unit" "$tmp/err" "--keep needs a time with its unit: 30d, 12h"

# ---- the timer ----------------------------------------------------------------------------------

if command -v systemd-analyze >/dev/null; then
	sed "s|/usr/local/bin/pyrograph|$(realpath "$pyrograph")|" examples/pyrograph-report.service >"$tmp/pyrograph-report.service"
	cp examples/pyrograph-report.timer "$tmp"
	status "the service and its timer" 0 systemd-analyze verify "$tmp/pyrograph-report.service" "$tmp/pyrograph-report.timer"
	is "... are good" "$(grep pyrograph "$tmp/err")" ""
else
	skip "the service and its timer" "no systemd-analyze"
fi
# shellcheck disable=SC2046
run_words=$(sed -n 's|^ExecStart=/usr/local/bin/pyrograph ||p' examples/pyrograph-report.service)
unset fail
# shellcheck disable=SC2086
status "the service's command" 0 "$bin/pyrograph" ${run_words%/var*} "$tmp/service"
