/* owned: what groups are called: as frames, in words, and by which patterns they are found. */
#include "collapse/perfdata/owned.h"

#include <string.h>

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

int main(void)
{
	test_units();
	test_words();
	return check_done();
}
