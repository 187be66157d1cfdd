/* owners: what a control group's path says, what runtimes keep on the disk, and whose a process is. */
#include "collect/owners/owners.h"

#include <pwd.h>
#include <sched.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/owners/group_limit.h"
#include "collect/owners/group_names.h"
#include "core/format/recording.h"

#include "tests/unit/check.h"

#define ID "5fe1c0ffee00aa11bb22cc33dd44ee55ff66007788990011223344556677889a"
#define UID "1f2e0000-aaaa-bbbb-cccc-000000000001"

static void test_paths(void)
{
	static const struct row {
		const char *text, *path;
	} rows[] = {
		{ "0::/system.slice/a.service\n", "/system.slice/a.service" },
		{ "4:memory:/docker/5f\n1:name=systemd:/init\n0::/\n", "/init" },
		{ "4:memory:/docker/5f\n1:name=systemd:/\n0::/\n", "/docker/5f" },
		{ "4:memory:/longer\n3:cpu,cpuacct:/a\n", "/a" },
		{ "4:memory:/a\n3:pids:/longer\n2:cpuacct:/even/longer\n", "/even/longer" },
		{ "4:memory:/a:b\n", "/a:b" },
		{ "4:memory:/\n0::/\n", "/" },
		{ "0::/../other", "/../other" },
		{ "", "" },
		{ "nonsense\n:\n::\n", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *path = "";
		size_t len = owners_group_path(rows[i].text, &path);
		char text[64];

		snprintf(text, sizeof(text), "%.*s", (int)len, path);
		CHECK_TEXT(text, rows[i].path);
	}
}

static void test_ids(void)
{
	static const struct row {
		const char *path, *id, *uid;
	} rows[] = {
		{ "/docker/" ID, ID, NULL },
		{ "/system.slice/docker-" ID ".scope", ID, NULL },
		{ "/machine.slice/libpod-" ID ".scope/container", ID, NULL },
		{ "/kubepods.slice/kubepods-burstable.slice/"
		  "kubepods-burstable-pod1f2e0000_aaaa_bbbb_cccc_000000000001.slice/cri-containerd-" ID ".scope",
		  ID, UID },
		{ "/kubepods/besteffort/pod" UID "/" ID, ID, UID },
		{ "/kubepods/pod0123456789abcdef0123456789abcdef/" ID, ID, "0123456789abcdef0123456789abcdef" },
		{ "/kubepods.slice/kubepods-pod1f2e0000_aaaa_bbbb_cccc_000000000001.slice/crio-" ID ".scope", ID, UID },
		{ "/ecs/task/" ID, ID, NULL },
		{ "/ecs/0123456789abcdef0123456789abcdef/0123456789abcdef0123456789abcdef-1234567890",
		  "0123456789abcdef0123456789abcdef-1234567890", NULL },
		{ "/ecs/0123456789abcdef0123456789abcdef", NULL, NULL }, /* the task */
		{ "/lxc/db1/system.slice/a.service", "db1", NULL },
		{ "/lxc", NULL, NULL },
		{ "/lxc.monitor.db1", NULL, NULL }, /* the machine's */
		{ "/machine.slice/machine-web.slice", NULL, NULL },
		{ "/machine.slice/systemd-nspawn@web.service/payload", "web", NULL },
		{ "/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt", "qemu\\x2d1\\x2dvm", NULL },
		{ "/machine.slice/machine-libpod_pod_0" ID ".slice/libpod-" ID ".scope/container", ID, NULL },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/web.service/libpod-payload-" ID, ID, NULL },
		{ "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope", ID, NULL },
		{ "/system.slice/snap.lxd.daemon.service", NULL, NULL },
		/* a cluster in a container, and what a container with a view of its own sees */
		{ "/system.slice/docker-0" ID ".scope/kubelet.slice/kubelet-kubepods.slice/"
		  "kubelet-kubepods-pod1f2e0000_aaaa_bbbb_cccc_000000000001.slice/cri-containerd-" ID ".scope",
		  ID, UID },
		{ "/../../pod" UID "/" ID, ID, UID },
		{ "/../../../etc/pod" UID, NULL, UID },
		{ "/home/tripod1f2e0000-aaaa-bbbb-cccc-000000000001", NULL, NULL },
		{ "/machine.slice/machine-web.scope", "web", NULL },
		{ "/lxc.payload.db1/system.slice/a.service", "db1", NULL },
		{ "/system.slice/nginx.service", NULL, NULL },
		{ "/podman/pod1/" ID "a", NULL, NULL }, /* 65 digits are something else */
		{ "/", NULL, NULL },
		{ "", NULL, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *id = "";
		size_t len = group_container_id(rows[i].path, &id);
		char text[128], uid[POD_UID_LEN + 1] = "";

		snprintf(text, sizeof(text), "%.*s", (int)len, id);
		CHECK_TEXT(text, rows[i].id ? rows[i].id : "");
		CHECK(group_pod_uid(rows[i].path, uid) == (rows[i].uid != NULL));
		CHECK_TEXT(uid, rows[i].uid ? rows[i].uid : "");
	}
}

static char root[] = "/tmp/owners-XXXXXX";

/* Writes a file below root, and the directories above it. */
static void make(const char *path, const char *text)
{
	char whole[512];
	FILE *f;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(whole, 0700);
		*at = '/';
	}
	f = fopen(whole, "w");
	CHECK(f);
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static void begin_tree(void)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	CHECK(mkdtemp(root));
}

static void end_tree(const char *path, const char *says)
{
	struct str out = { 0 };
	char command[64];

	group_names_add(root, path, getpid(), 7, &out);
	CHECK_TEXT(str_text(&out), says);
	str_free(&out);
	snprintf(command, sizeof(command), "rm -r %s", root);
	CHECK(!system(command));
}

static void test_trees(void)
{
	static const char kube[] = "/kubepods/pod" UID "/" ID;

	begin_tree();
	end_tree("/system.slice/a.service", "");
	begin_tree();
	end_tree("/docker/" ID, "container 7 " ID " -\n");
	begin_tree();
	make("/var/lib/docker/containers/" ID "/config.v2.json", "{\"ID\":\"" ID "\",\"Name\":\"/shop\"}");
	end_tree("/docker/" ID, "container 7 " ID " shop\n");
	begin_tree();
	make("/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/two\\nlines and blanks\"}");
	end_tree("/docker/" ID, "container 7 " ID " two?lines?and?blanks\n");
	begin_tree();
	make("/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":[");
	end_tree("/docker/" ID, "container 7 " ID " -\n");
	begin_tree();
	make("/var/lib/containers/storage/overlay-containers/containers.json",
	     "[{\"id\":\"0\",\"names\":[\"other\"]},{\"id\":\"" ID "\",\"names\":[\"web\",\"more\"]}]");
	end_tree("/machine.slice/libpod-" ID ".scope", "container 7 " ID " web\n");
	begin_tree();
	make("/run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID "/config.json",
	     "{\"annotations\":{\"io.kubernetes.cri.container-name\":\"app\","
	     "\"io.kubernetes.cri.sandbox-name\":\"shop-7f9c\",\"io.kubernetes.cri.sandbox-namespace\":\"prod\"}}");
	end_tree(kube, "container 7 " ID " app\npod 7 " UID " prod shop-7f9c\n");
	begin_tree();
	make("/run/containers/storage/overlay-containers/" ID "/userdata/config.json",
	     "{\"annotations\":{\"io.kubernetes.container.name\":\"app\",\"io.kubernetes.pod.name\":\"shop-7f9c\","
	     "\"io.kubernetes.pod.namespace\":\"prod\"}}");
	end_tree(kube, "container 7 " ID " app\npod 7 " UID " prod shop-7f9c\n");
	begin_tree();
	make("/var/log/containers/shop-7f9c_prod_app-" ID ".log", "");
	end_tree(kube, "container 7 " ID " app\npod 7 " UID " prod shop-7f9c\n");
	begin_tree();
	make("/var/log/pods/prod_shop-7f9c_" UID "/app/0.log", "");
	end_tree(kube, "container 7 " ID " -\npod 7 " UID " prod shop-7f9c\n");
	begin_tree();
	make("/var/log/containers/_-" ID ".log", "");
	end_tree(kube, "container 7 " ID " -\npod 7 " UID " - -\n");
	begin_tree();
	end_tree("/machine.slice/machine-web.scope", "container 7 web web\n");
	begin_tree();
	end_tree("/machine.slice/machine-qemu\\x2d1\\x2dvm.scope", "container 7 qemu-1-vm qemu-1-vm\n");
	begin_tree();
	end_tree("/machine.slice/machine-a\\x0acontainer\\x201.scope", "container 7 a?container?1 a?container?1\n");
}

static void test_other_homes(void)
{
	static const char *const homes[] = { "/run/containerd", "/run/k3s/containerd", "/run/k0s/containerd",
					     "/var/snap/microk8s/common/run/containerd" };
	const struct passwd *user = getpwuid(getuid());
	char path[512];

	for (size_t i = 0; i < sizeof(homes) / sizeof(*homes); i++) {
		begin_tree();
		snprintf(path, sizeof(path), "%s/io.containerd.runtime.v2.task/default/" ID "/config.json", homes[i]);
		make(path, "{\"annotations\":{\"nerdctl/name\":\"shop\"}}");
		end_tree("/default/" ID, "container 7 " ID " shop\n");
	}
	begin_tree();
	make("/var/snap/docker/common/var-lib-docker/containers/" ID "/config.v2.json", "{\"Name\":\"/shop\"}");
	end_tree("/docker/" ID, "container 7 " ID " shop\n");
	begin_tree();
	make("/etc/docker/daemon.json", "{\"log-level\": \"warn\", \"data-root\": \"/srv/docker\"}");
	make("/srv/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/moved\"}");
	end_tree("/docker/" ID, "container 7 " ID " moved\n");
	if (!user)
		return;
	begin_tree();
	snprintf(path, sizeof(path), "%s/.local/share/docker/containers/" ID "/config.v2.json", user->pw_dir);
	make(path, "{\"Name\":\"/mine\"}");
	end_tree("/user.slice/docker-" ID ".scope", "container 7 " ID " mine\n");
	begin_tree();
	snprintf(path, sizeof(path), "%s/.local/share/containers/storage/overlay-containers/containers.json",
		 user->pw_dir);
	make(path, "[{\"id\":\"" ID "\",\"names\":[\"web\"]}]");
	end_tree("/user.slice/libpod-" ID ".scope", "container 7 " ID " web\n");
}

/* Names are never longer than those of Kubernetes, never two words, and never the path of another file. */
static void test_hostile(void)
{
	enum { LONG = 1 << 20 };
	char *text = malloc(LONG + 64), path[512];

	begin_tree();
	make("/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"</svg><script>x()</script>;\\u0000&\"}");
	end_tree("/docker/" ID, "container 7 " ID " </svg><script>x()</script>;?&\n");
	CHECK(text);
	if (!text)
		return;
	strcpy(text, "{\"Name\":\"");
	memset(text + strlen(text), 'a', LONG);
	strcpy(text + LONG + strlen("{\"Name\":\""), "\"}");
	begin_tree();
	make("/var/lib/docker/containers/" ID "/config.v2.json", text);
	end_tree("/docker/" ID, "container 7 " ID " -\n");
	free(text);
	begin_tree(); /* a pipe without a writer */
	make("/var/lib/docker/containers/" ID "/x", "");
	snprintf(path, sizeof(path), "%s/var/lib/docker/containers/" ID "/config.v2.json", root);
	CHECK(!mkfifo(path, 0600));
	end_tree("/docker/" ID, "container 7 " ID " -\n");
	begin_tree();
	make("/var/log/pods/../../escaped_name_" UID "/x", "");
	end_tree("/kubepods/pod" UID "/../../" ID, "container 7 " ID " -\npod 7 " UID " - -\n");
}

/* A child with a host name of its own, until `end` is closed. */
static pid_t named_child(const char *name, int end[2])
{
	int ready[2];
	pid_t child;
	char byte = 0;

	CHECK(!pipe(ready) && !pipe(end));
	child = fork();
	if (!child) {
		close(end[1]);
		byte = unshare(CLONE_NEWUTS) || sethostname(name, strlen(name)) ? 'n' : 'y';
		_exit(write(ready[1], &byte, 1) == 1 && read(end[0], &byte, 1) < 0);
	}
	close(end[0]);
	CHECK(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	close(ready[1]);
	return byte == 'y' ? child : -child;
}

static void test_host_names(void)
{
	static const struct row {
		const char *host, *path, *says;
	} rows[] = {
		{ "shop-7f9c", "/kubepods/pod" UID "/" ID, "container 7 " ID " -\npod 7 " UID " - shop-7f9c\n" },
		{ "web-1", "/docker/" ID, "container 7 " ID " web-1\n" },
		{ "5fe1c0ffee00", "/docker/" ID, "container 7 " ID " -\n" }, /* the engine's own choice */
		{ "web-1", "/system.slice/a.service", "" },
		{ "a\nb <i>", "/docker/" ID, "container 7 " ID " a?b?<i>\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };
		int end[2], status;
		pid_t child = named_child(rows[i].host, end);

		if (child > 0) {
			group_names_add("/nothing-is-here", rows[i].path, child, 7, &out);
			CHECK_TEXT(str_text(&out), rows[i].says);
		}
		close(end[1]);
		waitpid(child > 0 ? child : -child, &status, 0);
		str_free(&out);
	}
}

/* An engine with a root of its own, and a container of it with another one, until `end` is closed.  Returns the container's
 * process; 0: no right to change roots. */
static pid_t nested_child(const char *inner, pid_t *engine, int end[2])
{
	int ready[2];
	pid_t child = 0;
	char byte;

	CHECK(!pipe(ready) && !pipe(end));
	*engine = fork();
	if (!*engine) {
		close(end[1]);
		if (chroot(root) || chdir("/"))
			_exit(1);
		child = fork();
		if (!child && (chroot(inner) || chdir("/")))
			_exit(1);
		if (!child)
			child = getpid();
		else
			_exit(waitpid(child, NULL, 0) < 0);
		_exit(write(ready[1], &child, sizeof(child)) != sizeof(child) || read(end[0], &byte, 1) < 0);
	}
	close(end[0]);
	close(ready[1]);
	if (read(ready[0], &child, sizeof(child)) != sizeof(child))
		child = 0;
	close(ready[0]);
	return child;
}

static void test_nested(void)
{
	static const char outer[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	static const struct row {
		const char *above, *below, *file, *text, *says;
	} rows[] = {
		{ "/docker/", "/docker/" ID, "/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/in\"}",
		  "container 7 " ID " in\n" },
		{ "/docker/", "/kubelet/kubepods/pod" UID "/" ID, "/var/log/containers/shop-7f9c_prod_app-" ID ".log",
		  "", "container 7 " ID " app\npod 7 " UID " prod shop-7f9c\n" },
		/* one of the machine's own has no names in a container */
		{ NULL, "/docker/" ID, "/var/lib/docker/containers/" ID "/config.v2.json", "{\"Name\":\"/forged\"}",
		  "container 7 " ID " -\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[512];
		int end[2], status;
		pid_t engine, child;
		struct str out = { 0 };

		begin_tree();
		make("/inner/x", "");
		make(rows[i].file, rows[i].text);
		child = nested_child("/inner", &engine, end);
		snprintf(path, sizeof(path), "%s%s%s", rows[i].above ? rows[i].above : "", rows[i].above ? outer : "",
			 rows[i].below);
		if (child) {
			group_names_add("/nothing-is-here", path, child, 7, &out);
			CHECK_TEXT(str_text(&out), rows[i].says);
		}
		close(end[1]);
		waitpid(engine, &status, 0);
		str_free(&out);
		end_tree("/", "");
	}
}

static void test_limits(void)
{
	static const struct row {
		const char *groups, *says;
	} rows[] = {
		{ "0::/a/b\n", "limit 3 20000 100000 2\n" }, /* that of a is tighter */
		{ "0::/a\n", "limit 3 20000 100000 2\n" },
		{ "0::/free\n", "" },
		{ "0::/none\n", "" },
		{ "0::/../a\n", "" },
		{ "4:memory:/x\n2:cpu,cpuacct:/x\n0::/\n", "limit 3 150000 50000 1\n" },
		{ "2:cpuset:/x\n", "" },
		{ "", "" },
	};

	begin_tree();
	make("/a/cpu.max", "20000 100000\n");
	make("/a/b/cpu.max", "50000 100000\n");
	make("/free/cpu.max", "max 100000\n");
	make("/cpu,cpuacct/x/cpu.cfs_quota_us", "150000\n");
	make("/cpu,cpuacct/x/cpu.cfs_period_us", "50000\n");
	make("/cpu,cpuacct/y/cpu.cfs_quota_us", "-1\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };

		group_limit_add(rows[i].groups, root, 3, &out);
		CHECK_TEXT(str_text(&out), rows[i].says);
		str_free(&out);
	}
	end_tree("/", "");
}

/* A recording in which this process executes that many programs. */
static void write_execs(const char *path, int count)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[16];
		struct recording_trailer trailer;
	} exec = { .header = { PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, sizeof(exec) }, .comm = "unit" };
	uint64_t header[13] = { 0 };
	FILE *f = fopen(path, "w");

	header[5] = sizeof(header); /* where the records are */
	exec.pid = exec.tid = (uint32_t)getpid();
	fwrite(header, sizeof(header), 1, f);
	for (int i = 0; i < count; i++) {
		exec.trailer.time_ns = (uint64_t)i + 1;
		fwrite(&exec, sizeof(exec), 1, f);
	}
	fclose(f);
}

static void test_too_many(void)
{
	struct owners o = { 0 };
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/owners-%d.data", (int)getpid());
	write_execs(path, 5007);
	f = fopen(path, "r");
	fseek(f, 0, SEEK_END);
	owners_update(&o, path, (uint64_t)ftell(f));
	fclose(f);
	CHECK(o.unread == 7);
	owners_free(&o);
	unlink(path);
}

int main(void)
{
	test_too_many();
	test_limits();
	test_paths();
	test_ids();
	test_trees();
	test_other_homes();
	test_hostile();
	test_host_names();
	test_nested();
	return check_done();
}
