# server: Debian's clickhouse-server on loopback, in a directory of its own; use with ". tests/ship/server.sh" after
# tests/tap.sh.  $store is its address, $port its port; server_stop ends it.
port=$((20000 + $$ % 4000 * 3)) # and the next two; parallel tests, whose pids are neighbours, get other ports
store=http://127.0.0.1:$port/perf
server_dir=$tmp/server
server=$(PATH=$PATH:/usr/sbin command -v clickhouse-server)
if [ -z "$server" ]; then
	skip "a store" "clickhouse-server is not installed"
	exit 0
fi

server_configure()
{
	mkdir -p "$server_dir/data" "$server_dir/tmp"
	cat >"$server_dir/config.xml" <<-END
	<?xml version="1.0"?>
	<yandex>
	<logger><level>warning</level><log>$server_dir/log</log><errorlog>$server_dir/errors</errorlog></logger>
	<listen_host>127.0.0.1</listen_host>
	<http_port>$port</http_port><tcp_port>$((port + 1))</tcp_port><interserver_http_port>$((port + 2))</interserver_http_port>
	<path>$server_dir/data/</path><tmp_path>$server_dir/tmp/</tmp_path>
	<users_config>$server_dir/users.xml</users_config><mark_cache_size>67108864</mark_cache_size>
	<default_profile>default</default_profile><default_database>default</default_database>
	</yandex>
	END
	cat >"$server_dir/users.xml" <<-END
	<?xml version="1.0"?>
	<yandex>
	<profiles><default></default><reader><readonly>1</readonly></reader></profiles>
	<users>
	<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
	<writer><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></writer>
	<reader><password>secret</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></reader>
	</users>
	<quotas><default></default></quotas>
	</yandex>
	END
}

# sql QUERY: what the server says
sql() { curl -s "http://127.0.0.1:$port/?database=${database:-default}" --data-binary "$1"; }

# Does the server at that port answer, and is it ours?  One of a parallel test may have the port: then we take the next.
server_answers()
{
	case $(sql "SELECT data_path FROM system.databases WHERE name = 'default'") in
	"$server_dir"/*) return 0 ;;
	/*)
		server_stop -KILL
		port=$((port + 12000)) store=http://127.0.0.1:$port/perf
		server_configure
		server_run ;;
	esac
	return 1
}

server_run()
{
	"$server" --config-file="$server_dir/config.xml" >"$server_dir/out" 2>&1 &
	server_pid=$!
}

server_start()
{
	server_run
	n=0
	until server_answers; do
		n=$((n + 1))
		if [ $n -gt 300 ] || ! kill -0 $server_pid 2>/dev/null; then
			skip "a store" "clickhouse-server does not start: $(tail -1 "$server_dir/errors" 2>/dev/null)"
			exit 0
		fi
		sleep 0.1
	done
}

server_stop()
{
	[ -n "$server_pid" ] || return 0
	kill "${1:--TERM}" "$server_pid" 2>/dev/null
	wait "$server_pid" 2>/dev/null
	server_pid=
}
trap 'server_stop -KILL' EXIT
server_configure
server_start
sql "CREATE DATABASE perf" >/dev/null
