/* Any bytes as a picture: render folded reads them, and its output can be read as a profile. */
#include <stdint.h>
#include <stdlib.h>

#include "core/error.h"
#include "render/drawing/gzip.h"
#include "render/encoding/decode.h"
#include "render/encoding/unfold.h"
#include "render/profile/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_lines(char *text)
{
	struct sample_line sample;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (*line != '#')
			sample_parse(&sample, line, strlen(line));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct str plain = { 0 };
	struct decoded d;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	quiet = 1;
	if (gzip_is((const char *)bytes, size))
		gzip_read(&plain, (const char *)bytes, size, 1 << 20);
	else
		str_add(&plain, (const char *)bytes, size);
	if (!decode(&d, str_text(&plain), plain.len))
		unfold(out, &d, "fuzz");
	fclose(out);
	check_lines(text);
	free(text);
	decoded_free(&d);
	str_free(&plain);
	return 0;
}
