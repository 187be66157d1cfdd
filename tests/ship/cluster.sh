#!/bin/sh
# A store of three servers with two shards, of which the first one has two replicas, with Debian's clickhouse-server and
# ZooKeeper on loopback.  It is not part of check, because ZooKeeper is used for nothing else; its packages are
# unpacked, not installed.
#
#   sh tests/ship/cluster.sh [DIRECTORY]      DIRECTORY: of the packages [build/zookeeper]
. tests/tap.sh
packages=${1:-${BUILD:-build}/zookeeper}
jars=$packages/usr/share/java
[ -d "$jars" ] || {
	mkdir -p "$packages/deb"
	(cd "$packages/deb" && apt-get download -qq libzookeeper-java libslf4j-java libdropwizard-metrics-java libnetty-java libsnappy-java) ||
		exit 1
	for package in "$packages"/deb/*.deb; do dpkg -x "$package" "$packages"; done
}
server=$(PATH=$PATH:/usr/sbin command -v clickhouse-server)
port=$((20000 + $$ % 10000 * 2))
servers="1 2 3" # of shards 1, 1, 2
trap 'kill -KILL $running 2>/dev/null' EXIT
running=

shard_of() { echo $(($1 / 3 + 1)); }
http() { echo $((port + $1)); }
tcp() { echo $((port + 10 + $1)); }
sql() { curl -s "http://127.0.0.1:$(http "$1")/?database=${database:-default}" --data-binary "$2"; }

replica() { echo "<replica><host>127.0.0.1</host><port>$(tcp "$1")</port></replica>"; }

server_configure()
{
	mkdir -p "$tmp/$1/data" "$tmp/$1/tmp"
	cat >"$tmp/$1/config.xml" <<-END
	<yandex>
	<logger><level>warning</level><log>$tmp/$1/log</log><errorlog>$tmp/$1/errors</errorlog></logger>
	<listen_host>127.0.0.1</listen_host><http_port>$(http "$1")</http_port><tcp_port>$(tcp "$1")</tcp_port>
	<interserver_http_port>$((port + 20 + $1))</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
	<path>$tmp/$1/data/</path><tmp_path>$tmp/$1/tmp/</tmp_path><users_config>$tmp/$1/users.xml</users_config>
	<mark_cache_size>67108864</mark_cache_size><default_profile>default</default_profile><default_database>default</default_database>
	<zookeeper><node><host>127.0.0.1</host><port>$port</port></node></zookeeper>
	<macros><shard>$(shard_of "$1")</shard><replica>$1</replica></macros>
	<distributed_ddl><path>/clickhouse/ddl</path></distributed_ddl>
	<remote_servers><fleet>
	<shard><internal_replication>true</internal_replication>$(replica 1)$(replica 2)</shard>
	<shard><internal_replication>true</internal_replication>$(replica 3)</shard>
	</fleet></remote_servers>
	</yandex>
	END
	cat >"$tmp/$1/users.xml" <<-END
	<yandex><profiles><default></default></profiles><users><default><password></password><networks><ip>127.0.0.1</ip></networks>
	<profile>default</profile><quota>default</quota></default></users><quotas><default></default></quotas></yandex>
	END
}

server_start()
{
	"$server" --config-file="$tmp/$1/config.xml" >"$tmp/$1/out" 2>&1 &
	eval "pid_$1=$!"
	running="$running $!"
	for _ in $(seq 300); do
		[ "$(sql "$1" 'SELECT 1')" != 1 ] || return 0
		sleep 0.1
	done
	not_ok "server $1 starts" "$tmp/$1/errors"
	exit 1
}

# Servers 1 and 2 have the same data after a moment.
same_replicas()
{
	for _ in $(seq 300); do
		[ "$(sql 1 "SELECT count() FROM samples_local")" != "$(sql 2 "SELECT count() FROM samples_local")" ] || break
		sleep 0.1
	done
	is "a shard's two servers have the same" "$(sql 1 "SELECT count() FROM samples_local")" "$(sql 2 "SELECT count() FROM samples_local")"
}

# ---- the servers ----

printf 'tickTime=2000\ndataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n' "$tmp/zookeeper" $port >"$tmp/zoo.cfg"
java -Xmx128m -cp "$(for jar in zookeeper zookeeper-jute slf4j-api slf4j-nop metrics-core netty-all snappy-java; do
	printf '%s:' "$jars/$jar.jar"
done)" org.apache.zookeeper.server.quorum.QuorumPeerMain "$tmp/zoo.cfg" >"$tmp/zookeeper.out" 2>&1 &
running=$!
for _ in $(seq 100); do
	! bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>"$tmp/err" || break
	sleep 0.1
done
for n in $servers; do
	server_configure "$n"
	server_start "$n"
	sql "$n" "CREATE DATABASE perf" >"$tmp/said"
done

# ---- tables, and what goes there ----

to() { echo "http://127.0.0.1:$(http "$1")/perf"; }
status "ship --create --cluster" 0 $pyrograph ship --create --cluster fleet --to "$(to 1)"
database=perf
for n in $servers; do
	is "server $n has the tables" "$(sql "$n" "SELECT count() FROM system.tables WHERE database = 'perf'")" 8
done
for host in 1 2 3 4 5 6; do
	python3 tests/ship/make_samples.py $host 5000 >"$tmp/host$host"
	status "host$host is shipped to one server" 0 $pyrograph ship --samples "$tmp/host$host" --to "$(to $((host % 3 + 1)))"
	status "... and to another" 0 $pyrograph ship --samples "$tmp/host$host" --to "$(to $(((host + 1) % 3 + 1)))"
done # it knows that it has them or, if they have not been passed on yet, ignores the block
same_replicas
for n in $servers; do
	is "server $n gives all of it, once" "$(sql "$n" "SELECT count() FROM samples")" 30000
done
is "a shard has not all" "$(sql 1 "SELECT count() < 30000 AND count() > 0 FROM samples_local")" 1
is "hosts are whole on a shard" "$(($(sql 1 "SELECT uniqExact(host) FROM samples_local") + $(sql 3 "SELECT uniqExact(host) FROM samples_local")))" 6

# ---- the same lines from each ----

lines() { $pyrograph collapse -q "$@" 2>"$tmp/err" | grep -v '^#'; }
while read -r options; do
	for n in $servers; do
		# shellcheck disable=SC2086
		lines $options "clickhouse://127.0.0.1:$(http "$n")/perf" >"$tmp/lines.$n"
	done
	is "collapse $options" "$([ -s "$tmp/lines.1" ] && echo lines)" lines
	same "... the same from server 2" "$tmp/lines.2" "$tmp/lines.1"
	same "... and from server 3" "$tmp/lines.3" "$tmp/lines.1"
done <<'END'
--root host
--root host,thread --timed
--host host3 --timed
--timed --root none --no-stack --resolution 20ms
END
# Against one server with the same.
lines --root host --host host3 "clickhouse://127.0.0.1:$(http 1)/perf" >"$tmp/of-store"
is "all of a host's samples" "$(awk '{ n += $NF } END { print n }' "$tmp/of-store")" 5000

# ---- a replica is away ----

python3 tests/ship/make_samples.py 7 5000 >"$tmp/host7"
kill -KILL $pid_1
wait $pid_1 2>/dev/null
status "while server 1 is away, another takes it" 0 $pyrograph ship --samples "$tmp/host7" --to "$(to 2)"
is "... and has it" "$(sql 2 "SELECT count() FROM samples WHERE host = 'host7'")" 5000
server_start 1
same_replicas
status "... and is asked before it is sent again" 0 $pyrograph ship --samples "$tmp/host7" --to "$(to 1)"
for n in $servers; do
	is "server $n has each sample once" "$(sql "$n" "SELECT count(), uniqExact(host, second, ns, cpu, stack) FROM samples")" "35000	35000"
done
