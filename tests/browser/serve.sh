# serve: a real nginx on loopback; use with ". tests/browser/serve.sh" after tests/tap.sh.
#
# serve DIR: sets server to the server's address, or to nothing without nginx.  /strict/ is DIR with a strict policy,
# /framed/ the same with frames allowed, as in docs/rights.md.  The server ends with the shell.
serve()
{
	server=
	command -v nginx >/dev/null || { skip "a server with a strict policy" "no nginx"; return; }
	strict="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	user=
	[ "$(id -u)" != 0 ] || user="user root;"
	cat >"$tmp/nginx.conf" <<-END
		$user
		daemon off; pid $tmp/nginx.pid; error_log $tmp/nginx.log; worker_processes 1;
		events { worker_connections 64; }
		http {
			access_log off;
			types { text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; image/png png; }
			client_body_temp_path $tmp/nginx.body; proxy_temp_path $tmp/nginx.proxy; fastcgi_temp_path $tmp/nginx.fastcgi;
			uwsgi_temp_path $tmp/nginx.uwsgi; scgi_temp_path $tmp/nginx.scgi;
			server {
				listen 127.0.0.1:$port;
				location = /favicon.ico { return 204; }
				location /strict/ { alias $1/; add_header Content-Security-Policy "$strict"; }
				location /framed/ { alias $1/; add_header Content-Security-Policy "$strict; frame-src 'self'"; }
			}
		}
	END
	nginx -c "$tmp/nginx.conf" -p "$tmp" 2>"$tmp/nginx.err" &
	nginx=$!
	trap 'kill $nginx 2>/dev/null' EXIT
	python3 - "$port" <<-END && server=http://127.0.0.1:$port || not_ok "nginx answers" "$tmp/nginx.err"
		import socket, sys, time
		for _ in range(200):
		    try:
		        sys.exit(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1).close())
		    except OSError:
		        time.sleep(0.05)
		sys.exit(1)
	END
}
