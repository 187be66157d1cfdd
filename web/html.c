#include "web/html.h"

#include <string.h>

#include "core/markup.h"

void html_add_text(struct str *page, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\t\n\r");

		xml_add(page, text, len);
		text += len;
		if (*text) {
			str_puts(page, "\xef\xbf\xbd");
			text++;
		}
	}
}

void html_add_url(struct str *page, const char *path)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					 "0123456789-._~/";

	for (; *path; path++) {
		if (strchr(unreserved, *path))
			str_addc(page, *path);
		else
			str_addf(page, "%%%02X", (unsigned char)*path);
	}
}
