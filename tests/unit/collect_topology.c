/* topology: trees of files made here, as large and as strange as they come. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/topology.h"
#include "tests/unit/check.h"

static char root[64];

/* Write the file below root, and make the directories above it. */
static void make(const char *content, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void make(const char *content, const char *format, ...)
{
	char path[512];
	int len = snprintf(path, sizeof(path), "%s", root);
	va_list args;
	FILE *f;

	va_start(args, format);
	vsnprintf(path + len, sizeof(path) - (size_t)len, format, args);
	va_end(args);
	for (char *c = path + 1; *c; c++) {
		if (*c == '/') {
			*c = '\0';
			if (mkdir(path, 0700) && errno != EEXIST)
				perror(path);
			*c = '/';
		}
	}
	if (!content)
		return; /* a directory: format ends in a slash */
	f = fopen(path, "w");
	fputs(content, f);
	fclose(f);
}

static void begin(void)
{
	strcpy(root, "/tmp/topology.XXXXXX");
	if (!mkdtemp(root))
		perror(root);
}

static void compare(const char *wanted)
{
	struct str got = { 0 };
	char command[128];

	topology_describe(&got, root);
	CHECK_TEXT(str_text(&got), wanted);
	str_free(&got);
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command))
		printf("not ok - %s\n", command);
}

#define CPU "/sys/devices/system/cpu/"

static void make_cpu(int cpu, const char *package, const char *core, int node)
{
	make(package, CPU "cpu%d/topology/physical_package_id", cpu);
	make(core, CPU "cpu%d/topology/core_id", cpu);
	make(NULL, CPU "cpu%d/node%d/", cpu, node);
}

static void test_small(void)
{
	begin();
	make("0-1,3\n", CPU "online");
	make("3\n", CPU "isolated");
	make("1,3\n", CPU "nohz_full");
	make_cpu(0, "0\n", "0\n", 0);
	make_cpu(1, "0\n", "1\n", 0);
	make_cpu(2, "1\n", "0\n", 1); /* off */
	make_cpu(3, "1\n", "1\n", 1);
	make("0-3\n", "/proc/irq/9/smp_affinity_list"); /* goes anywhere */
	make(NULL, "/proc/irq/9/acpi/");
	make("3\n", "/proc/irq/25/smp_affinity_list");
	make(NULL, "/proc/irq/25/eth0-tx-0/");
	make("3\n", "/proc/irq/24/smp_affinity_list");
	make(NULL, "/proc/irq/24/eth0 rx,0\n/");
	make(NULL, "/proc/irq/24/another/");
	make("1\n", "/proc/irq/26/smp_affinity_list"); /* nobody's */
	make("2\n", "/proc/irq/27/smp_affinity_list"); /* of a CPU that is off */
	make(NULL, "/proc/irq/27/x/");
	compare("cpu 0 package 0 core 0 node 0\n"
		"cpu 1 package 0 core 1 node 0 nohz_full\n"
		"cpu 3 package 1 core 1 node 1 isolated nohz_full irqs 24:another 24:eth0_rx_0_ "
		"25:eth0-tx-0\n");
}

/* No list can be trusted, and no file need exist. */
static void test_strange(void)
{
	begin();
	make("0-2", CPU "online");
	make("(null)\n", CPU "nohz_full");
	make("\n", CPU "isolated");
	make("-1\n", CPU "cpu0/topology/physical_package_id");
	make("99999999999999999999\n", CPU "cpu0/topology/core_id");
	make("7 up\n", CPU "cpu1/topology/core_id");
	make("", CPU "cpu2/topology/physical_package_id");
	make(NULL, CPU "cpu1/node12x/");
	make(NULL, CPU "cpu2/node3/");
	make(NULL, CPU "cpu2/node-2/");
	make("4-\n", "/proc/irq/5/smp_affinity_list");
	make(NULL, "/proc/irq/5/x/");
	make(NULL, "/proc/irq/default_smp_affinity/");
	compare("cpu 0 package 0 core 0 node 0\n"
		"cpu 1 package 0 core 1 node 0\n"
		"cpu 2 package 0 core 2 node 3\n");
	begin();
	compare("");
	begin();
	make("all of them\n", CPU "online");
	compare("");
}

static void test_large(void)
{
	struct str wanted = { 0 };

	begin();
	make("0-255\n", CPU "online");
	make("128-255\n", CPU "isolated");
	for (int cpu = 0; cpu < 256; cpu++) {
		char package[16], core[16];

		snprintf(package, sizeof(package), "%d\n", cpu / 128);
		snprintf(core, sizeof(core), "%d\n", cpu % 128 / 2);
		make_cpu(cpu, package, core, cpu / 64);
		str_addf(&wanted, "cpu %d package %d core %d node %d%s\n", cpu, cpu / 128, cpu % 128 / 2, cpu / 64,
			 cpu < 128 ? "" : " isolated");
	}
	compare(str_text(&wanted));
	str_free(&wanted);
}

int main(void)
{
	test_small();
	test_strange();
	test_large();
	return check_done();
}
