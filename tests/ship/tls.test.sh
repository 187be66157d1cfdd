#!/bin/sh
# pyrograph ship over TLS, with a user and a password: a store behind a TLS server on loopback.
# slow: a database server
. tests/tap.sh
if ! command -v openssl >/dev/null; then
	skip "TLS" "no openssl to make certificates with"
	exit 0
fi
. tests/ship/server.sh
database=perf
$pyrograph ship -q --create --to "$store"
python3 tests/ship/make_samples.py 1 300 >"$tmp/text"
echo secret >"$tmp/password"
echo wrong >"$tmp/wrong"
trap 'kill $proxies 2>/dev/null; server_stop -KILL' EXIT

# certificate NAME ALTERNATIVE [SIGNER]: makes $tmp/NAME.pem and .key; self-signed without a SIGNER
certificate()
{
	openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmp/$1.key" -out "$tmp/$1.pem" -days 2 -subj "/CN=$1" \
		-addext "subjectAltName=$2" ${3:+-CA "$tmp/$3.pem" -CAkey "$tmp/$3.key" -addext basicConstraints=critical,CA:FALSE} 2>"$tmp/openssl.err" ||
		sed 's/^/# /' "$tmp/openssl.err"
}
# tls NAME: sets $address
tls()
{
	rm -f "$tmp/proxy.port"
	python3 tests/ship/proxy.py "$port" "$tmp/proxy.port" tls "$tmp/$1.pem" "$tmp/$1.key" &
	proxies="$proxies $!"
	while [ ! -s "$tmp/proxy.port" ]; do sleep 0.05; done
	address=127.0.0.1:$(cat "$tmp/proxy.port")/perf
}
certificate authority DNS:authority
certificate right IP:127.0.0.1 authority
certificate other DNS:other.example authority
certificate stranger IP:127.0.0.1
ship() { $pyrograph ship --samples "$tmp/text" --ca "$tmp/authority.pem" --user writer --password-file "$tmp/password" "$@"; }
there() { sql "SELECT count() FROM samples WHERE host = '$1'"; }

tls right
right=$address
status "a store behind TLS" 0 ship --host a --to "https://$address"
is "... gets all" "$(there a)" 300
status "... also called clickhouses://" 0 ship --host b --to "clickhouses://$address"
is "... gets all" "$(there b)" 300
status "... is read from" 0 $pyrograph collapse --root host --no-stack --ca "$tmp/authority.pem" --user reader \
	--password-file "$tmp/password" "clickhouses://$address"
has "... as without" "$tmp/out" "a 300"
status "a wrong password" 1 ship --host c --password-file "$tmp/wrong" --to "https://$address"
has "... is told" "$tmp/err" "see --user and --password-file"
status "no password file" 1 ship --host c --password-file "$tmp/nothing" --to "https://$address"
has "... is told" "$tmp/err" "$tmp/nothing: No such file"
: >"$tmp/nobody"
status "an empty one" 1 ship --host c --password-file "$tmp/nobody" --to "https://$address"
has "... is told" "$tmp/err" "has no password in its first line"
status "an authority that nobody knows" 1 $pyrograph ship --samples "$tmp/text" --host c --to "https://$address"
has "... is told, and what helps" "$tmp/err" "unable to get local issuer certificate; see --ca"
status "a file of authorities that is none" 1 ship --host c --ca "$tmp/password" --to "https://$address"
has "... is told" "$tmp/err" "$tmp/password"
status "http where TLS is spoken" 1 ship --host c --to "http://$address"
status "TLS where http is spoken" 1 ship --host c --to "https://127.0.0.1:$port/perf"
has "... is told" "$tmp/err" "does it speak TLS?"

tls stranger
status "a certificate that another one signed" 1 ship --host c --to "https://$address"
has "... is refused" "$tmp/err" "SSL certificate problem: self-signed certificate; see --ca"
tls other
status "a certificate of another host" 1 ship --host c --to "https://$address"
has "... is refused" "$tmp/err" "no alternative certificate subject name matches"
is "... and nothing came of all that" "$(there c)" 0
status "... with a spool" 0 ship --host d --spool "$tmp/spool" --to "https://$address"
has "... is told, too" "$tmp/err" "no alternative certificate subject name matches"
status "... and sent when it is right" 0 ship --host e --spool "$tmp/spool" --to "https://$right"
is "... as a whole" "$(there d):$(there e)" 300:300
server_stop
