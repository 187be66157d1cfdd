# A directory of another user, who has planted links, pipes and directories under the names that we choose: nothing is
# written through them, and no program blocks on them.
. tests/tap.sh
. tests/collect/common.sh

other=$(id -u nobody 2>/dev/null)
[ "$(id -u)" = 0 ] && [ -n "$other" ] || other=
victim=$tmp/victim
printf 'main;work 3\nmain;wait 2\n' >"$tmp/in.folded"
flame() { timeout 60 "$pyrograph" render flame "$@" "$tmp/in.folded"; }

# begin: makes an empty directory $dir, of another user if possible, and files that must not change.
begin()
{
	dir=$tmp/planted.$((n = ${n:-0} + 1))
	mkdir "$dir"
	rm -rf "$victim"
	mkdir "$victim"
	echo untouched >"$victim/file"
}
# plant KIND NAME: below $dir.
plant()
{
	case $1 in
	file) ln -s "$victim/file" "$dir/$2" ;;
	nothing) ln -s "$victim/new" "$dir/$2" ;;
	directory) ln -s "$victim" "$dir/$2" ;;
	hard) ln "$victim/file" "$dir/$2" ;;
	pipe) mkfifo "$dir/$2" ;;
	esac
}
give() { [ -z "$other" ] || chown -hR "$other" "$dir"; }
untouched()
{
	is "... $1" "$(find "$victim" -mindepth 1 | wc -l) $(cat "$victim/file")" "1 untouched"
	is "... and nothing half written" "$(find "$dir" -name '*.*.??????')" ""
}
# the name now belongs to a file of ours
replaced() { [ -f "$dir/$1" ] && [ ! -L "$dir/$1" ] && ok "... $1 is a file" || not_ok "... $1 is a file" "$(ls -l "$dir")"; }

for kind in file nothing directory hard pipe; do
	# the page of a directory
	begin; plant $kind index.html; give
	status "web where index.html is a $kind" 1 timeout 20 "$pyrograph" web "$dir"
	has "... is refused" "$tmp/err" "index.html"
	untouched "web"
	status "... --force" 0 timeout 20 "$pyrograph" web --force "$dir"
	replaced index.html
	untouched "web --force"

	begin; plant $kind charts.json; give
	status "web where charts.json is a $kind" 1 timeout 20 "$pyrograph" web "$dir"
	untouched "web"
	begin; plant $kind index-files; give
	status "web where its folder is a $kind" 1 timeout 20 "$pyrograph" web --force "$dir"
	has "... is refused" "$tmp/err" "index-files"
	untouched "web"
	begin; mkdir "$dir/index-files"; plant $kind index-files/index.js; give
	status "web where its script is a $kind" 1 timeout 20 "$pyrograph" web "$dir"
	has "... is refused" "$tmp/err" "index-files/index.js"
	untouched "web"

	# files that a split writes below the given directory
	for name in index.html flame.js; do
		begin; plant $kind $name; give
		status "a split where $name is a $kind" 1 flame --split 1 -o "$dir"
		untouched "split"
	done
	begin; plant $kind main.svg; give
	status "a split where a picture is a $kind" 0 flame --split 1 -o "$dir"
	replaced main.svg
	untouched "split"

	# names that report has chosen
	begin; plant $kind x.svg; give
	status "a chart of a report where there is a $kind" 0 env PYROGRAPH_CALLER="pyrograph report" \
		timeout 60 "$pyrograph-render" flame -o "$dir/x.svg" "$tmp/in.folded"
	replaced x.svg
	untouched "render"
	begin; plant $kind x-threads; give
	status "pictures of a report where there is a $kind" 1 env PYROGRAPH_CALLER="pyrograph report" \
		timeout 60 "$pyrograph-render" flame --split 1 -o "$dir/x-threads" "$tmp/in.folded"
	untouched "render"
	begin; plant $kind x.folded; give
	PYROGRAPH_CALLER="pyrograph report" timeout 20 "$pyrograph-render" flame -o "$dir/y.svg" "$dir/x.folded" >"$tmp/out" 2>"$tmp/err"
	[ $? -le 2 ] && ok "lines of a report where there is a $kind" || not_ok "lines of a report where there is a $kind" "$tmp/err"
	untouched "render"

	# colours that are kept in a default file
	begin; [ $kind = pipe ] || { plant $kind palette.map; give; }
	program=$(realpath "$pyrograph")
	(cd "$dir" && timeout 60 "$program" render flame --cp -o "$tmp/x.svg" "$tmp/in.folded") >"$tmp/out" 2>"$tmp/err"
	untouched "render --cp where palette.map is a $kind"
done
if [ -n "$other" ]; then
	begin; mkdir "$dir/x-threads"; give
	status "a directory of another user, for pictures of a report" 1 env PYROGRAPH_CALLER="pyrograph report" \
		timeout 60 "$pyrograph-render" flame --split 1 -o "$dir/x-threads" "$tmp/in.folded"
	has "... is refused" "$tmp/err" "belongs to another user"
	is "... nothing is in it" "$(ls -A "$dir/x-threads")" ""

	begin; plant directory charts; give
	(cd "$dir" && timeout 60 "$program" report -q -d 0.1 -- true) >"$tmp/out" 2>"$tmp/err"
	is "a report into a link that somebody else called charts" $? 1
	has "... is refused" "$tmp/err" "charts: is a symbolic link of another user"
	untouched "report"
fi

# A name given by the user may lead anywhere.
begin; plant file link.svg; plant nothing new.svg
status "-o LINK, by the user" 0 flame -o "$dir/link.svg"
[ -L "$dir/link.svg" ] && grep -q '<svg' "$victim/file" && ok "... is followed" || not_ok "... is followed"
status "-o LINK to nothing, by the user" 0 flame -o "$dir/new.svg"
[ -L "$dir/new.svg" ] && grep -q '<svg' "$victim/new" && ok "... is followed" || not_ok "... is followed"
ln -s "$victim" "$dir/there"
status "-o LINK to a directory, by the user" 0 flame --split 1 -o "$dir/there"
[ -f "$victim/main.svg" ] && ok "... is followed" || not_ok "... is followed"

# ---- a whole report: its names are guessed -----------------------------------------------
need_sampling "a report into planted links"
begin
host=$(uname -n | tr -c 'A-Za-z0-9.\n_-' _)
now=$(date +%s)
for second in $(seq 0 30); do
	stamp=$host-$(date -u -d "@$((now + second))" +%Y-%m-%dT%H%M%SZ)
	for suffix in .svg .folded -heat.svg -threads.folded; do plant file "$stamp$suffix"; done
	plant directory "$stamp-threads"
	plant nothing "$stamp-heat.folded"
done
plant nothing index.html
give
timeout 120 "$pyrograph" report -q --only cpu -o "$dir" -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' \
	>"$tmp/out" 2>"$tmp/err"
is "a report into a directory full of links" $? 1
untouched "report"
has "... what is in the way is said" "$tmp/err" "index.html"
has "... and what was not followed" "$tmp/err" "-threads: is a symbolic link: not followed"
is "... its pictures are files" "$(find "$dir" -maxdepth 1 -name '*.svg' -type f | wc -l)" 2

# ---- a directory like /tmp, into which another user has put a link to a directory: output does not go through it ----
if [ -n "$other" ]; then
	begin
	plant directory there
	chown -h "$other" "$dir/there"
	chmod 1777 "$dir"
	while read -r words; do
		# shellcheck disable=SC2086 # words of a command
		status "${words%% there*} into another user's link" 1 sh -c 'cd "$0" && exec timeout 60 "$@"' "$dir" "$(readlink -f "$pyrograph")" $words
		has "... is refused" "$tmp/err" ": another user has put a link or a pipe there: nothing is written"
	done <<-END
		web there
		watch cpu -q --dir there
		report -q --only cpu -o there -- true
		report -q --only cpu -o there/below -- true
		collect cpu -q -o there/x.data -- true
		collapse -q -o there/x.folded $tmp/in.folded
		render flame -q -o there/x.svg $tmp/in.folded
		render script -q --into there flame
		ship --to http://127.0.0.1:9/x --spool there $tmp/in.folded
	END
	untouched "all outputs"
else
	skip "a link of another user" "not root"
fi
