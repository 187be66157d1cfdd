/* denial: who denies what capabilities allow, in made trees of /proc and /sys. */
#include "collect/machine/denial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/check.h"

static char root[] = "/tmp/denial-XXXXXX";

/* Writes a file below root, and the directories above it. */
static void denial_make(const char *path, const char *text)
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

struct denial_tree {
	const char *uid_map, *lockdown, *status, *enforce, *label;
	const char *says; /* a part of it */
};

static const struct denial_tree trees[] = {
	{ "0 0 4294967295", "none integrity [confidentiality]\n", "\nSeccomp:\t2\n", "1", "x", "lockdown=integrity" },
	{ "0 0 4294967295", "none [integrity] confidentiality\n", "\nSeccomp:\t2\n", "1", "x", "a seccomp filter" },
	{ "         0       1000          1", "none [integrity] confidentiality\n", "\nSeccomp:\t2\n", "1", "x",
	  "in a user namespace" },
	{ "0 0 4294967295", "", "Name:\tx\nSeccomp:\t0\n", "1", "system_u:system_r:container_t:s0:c1,c2",
	  "SELinux may deny it to system_u:system_r:container_t:s0:c1,c2: ausearch" },
	{ "0 0 4294967295", "", "Name:\tx\nSeccomp:\t0\n", "0", "docker-default (enforce)\n",
	  "AppArmor may deny it to the profile docker-default (enforce): dmesg" },
	{ "0 0 4294967295", "", "", "", "evil\n\033[31m", "to the profile evil: " },
	{ "0 0 4294967295", "", "", "", "unconfined\n", "a security module or a sandbox" },
	{ "", "", "", "", "", "a security module or a sandbox" },
};

static void test_reasons(void)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
		const struct denial_tree *t = &trees[i];

		denial_make("/proc/self/uid_map", t->uid_map);
		denial_make("/sys/kernel/security/lockdown", t->lockdown);
		denial_make("/proc/self/status", t->status);
		denial_make("/sys/fs/selinux/enforce", t->enforce);
		denial_make("/proc/self/attr/current", t->label);
		if (strstr(denial_reason(root), t->says))
			CHECK(strstr(denial_reason(root), t->says));
		else
			CHECK_TEXT(denial_reason(root), t->says);
	}
}

static void test_processes(void)
{
	denial_make("/proc/1/stat", "1 (init) S");
	CHECK(!denial_of_processes(root));
	CHECK(denial_of_processes("/nothing-is-here"));
	CHECK(strstr(denial_of_processes("/nothing-is-here"), "hidepid"));
}

int main(void)
{
	char command[64];

	CHECK(mkdtemp(root));
	test_reasons();
	test_processes();
	snprintf(command, sizeof(command), "rm -r %s", root);
	CHECK(!system(command));
	return check_done();
}
