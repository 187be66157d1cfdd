/* Secrets in addresses: they are used, hidden in arguments, and not shown. */
#include "core/secret.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"

int main(void)
{
	static const struct {
		const char *given, *hidden, *shown;
	} rows[] = {
		{ "http://h:8123/db", "http://h:8123/db", "http://h:8123/db" },
		{ "http://u:p@h/db", "http://xxx@h/db", "http://h/db" },
		{ "clickhouse://h/db?host=a*", "clickhouse://h/db?host=a*", "clickhouse://h/db" },
		{ "otlp+http://h/p?token=s", "otlp+http://h/p?xxxxxxx", "otlp+http://h/p" },
		{ "otlp+http://u:p@h/p@q?t=a@b#c", "otlp+http://xxx@h/p@q?xxxxxxx", "otlp+http://h/p@q" },
		{ "pyroscope+https://u:a@b@h", "pyroscope+https://xxxxx@h", "pyroscope+https://h" },
		{ "pyroscope+https://h?t=1", "pyroscope+https://h?xxx", "pyroscope+https://h" },
		{ "u:p@h/db?x", "xxx@h/db?x", "h/db" },
		{ "@", NULL, NULL },
	};

	for (size_t i = 0; rows[i].hidden; i++) {
		char *argument = strdup(rows[i].given), *address = secret_address(argument), *passed;
		struct str shown = { 0 };

		CHECK_TEXT(address, rows[i].given);
		secret_show(address, &shown);
		CHECK_TEXT(shown.buf, rows[i].shown);
		if (i < 7)
			CHECK_TEXT(argument, rows[i].hidden);
		secret_pass(address, argument); /* to the next program */
		CHECK(!getenv(SECRET_ADDRESS) == !strcmp(address, argument));
		passed = secret_address(argument);
		CHECK_TEXT(passed, rows[i].given);
		CHECK(!getenv(SECRET_ADDRESS));
		free(passed);
		free(address);
		free(argument);
		str_free(&shown);
	}
	setenv(SECRET_ADDRESS, "http://u:p@other/db", 1); /* of another address */
	CHECK_TEXT(secret_address(strdup("http://h/db")), "http://h/db");
	return check_done();
}
