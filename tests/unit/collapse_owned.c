/* owned: what groups are called: as frames, in words, and by which patterns they are found. */
#include "collapse/perfdata/owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/owners_seen.h"
#include "tests/unit/check.h"

#define TEXT(text)                     \
	{                              \
		text, sizeof(text) - 1 \
	}

static void test_units(void)
{
	static const struct row {
		const char *path, *unit;
	} rows[] = {
		{ "/system.slice/nginx.service", "nginx.service" },
		{ "/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service" },
		{ "/system.slice/nginx.service/worker.service", "nginx.service" },
		{ "/user.slice/user-1000.slice/session-2.scope", "session-2.scope" },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/web.service/libpod-payload-1",
		  "user@1000.service/web.service" },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-1.scope",
		  "user@1000.service/snap.firefox.firefox-1.scope" },
		{ "/user.slice/user-1000.slice/user@1000.service", "user@1000.service" },
		{ "/system.slice/snap.lxd.daemon.service", "snap.lxd.daemon.service" },
		{ "/../../web.service", "" },
		{ "/docker/5f", "" },
		{ "/.service", "" },
		{ "/", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct owner_group group = { .path = { rows[i].path, strlen(rows[i].path) } };
		struct str out = { 0 };

		CHECK(owner_add(&group, OWNER_UNIT, &out) == (*rows[i].unit != '\0'));
		CHECK_TEXT(str_text(&out), rows[i].unit);
		str_free(&out);
	}
}

static void test_words(void)
{
	static const struct row {
		struct owner_group group;
		const char *program, *says;
	} rows[] = {
		{ { .pod = TEXT("shop-7f9c"), .space = TEXT("prod"), .in_pod = true, .in_container = true },
		  "java",
		  "pod shop-7f9c of namespace prod" },
		{ { .pod = TEXT("shop-7f9c"), .in_pod = true }, "java", "pod shop-7f9c" },
		{ { .pod_uid = TEXT("1f2e"), .in_pod = true }, "java", "pod 1f2e" },
		{ { .container = TEXT("web"), .in_container = true, .path = TEXT("/system.slice/a.service/x") },
		  "java",
		  "container web" },
		{ { .container_id = TEXT("5fe1c0ffee00aa11"), .in_container = true },
		  "java",
		  "container 5fe1c0ffee00" },
		{ { .path = TEXT("/system.slice/billing.service") }, "python3", "unit billing.service" },
		{ { .path = TEXT("/system.slice/nginx.service") }, "nginx", "" },
		{ { .path = TEXT("/system.slice/nginx.service") }, "nginx: worker", "" },
		{ { .path = TEXT("/user.slice/user-1.slice/session-2.scope") }, "bash", "" },
		{ { .path = TEXT("/user.slice/user-1.slice/user@1.service") }, "dbus-daemon", "" },
		{ { .path = TEXT("/user.slice/user@1.service/app.slice/web.service") },
		  "bash",
		  "unit user@1.service/web.service" },
		{ { .path = TEXT("/") }, "init", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str out = { 0 };

		owner_add_words(&rows[i].group, rows[i].program, &out);
		CHECK_TEXT(str_text(&out), rows[i].says);
		str_free(&out);
	}
}

/* A recording of 30 containers, of which all but the first have a sample each; number 5 has two. */
static void test_seen(void)
{
	struct owner_group groups[30] = { 0 };
	struct owned owned = { .groups = groups, .group_count = 30 };
	char names[30][64], longest[61] = { 0 };
	struct owners_seen seen = { 0 };
	struct str out = { 0 };

	owners_seen_add(&seen, &owned, &out);
	CHECK_TEXT(str_text(&out), "");
	for (size_t i = 0; i < 30; i++) {
		snprintf(names[i], sizeof(names[i]), "c%zu", i);
		groups[i] = (struct owner_group){ .container = { names[i], strlen(names[i]) }, .in_container = true };
	}
	seen.samples = calloc(30, sizeof(*seen.samples));
	for (size_t i = 1; i < 30; i++)
		seen.samples[i] = 1 + (i == 5);
	owners_seen_add(&seen, &owned, &out);
	CHECK_TEXT(str_text(&out),
		   "containers=\"c5, c1, c2, c3, c4, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, "
		   "c17, c18, c19, c20, 9 more\" ");
	str_clear(&out);
	memset(longest, 'x', 60);
	for (size_t i = 0; i < 30; i++) {
		snprintf(names[i], sizeof(names[i]), "%zu,%s", i, longest);
		groups[i].container.len = strlen(names[i]);
	}
	owners_seen_add(&seen, &owned, &out);
	CHECK(out.len < 1000 && !memcmp(out.buf, "containers=\"5_x", 15)); /* pictures cut longer values */
	CHECK(strstr(out.buf, "x, 15 more\" "));
	owners_seen_free(&seen);
	str_free(&out);
}

int main(void)
{
	test_seen();
	test_units();
	test_words();
	return check_done();
}
