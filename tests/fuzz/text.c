/* Any bytes as text of a format: one thread and three threads give the same lines; output that is read again stays the
 * same; and folded lines kept whole give the same as lines split into frames. */
#include <stdio.h>
#include <string.h>

#include "collapse/frames/names.h"
#include "collapse/fold/text_fold.h"
#include "collapse/fold/text_signed.h"
#include "collapse/formats.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/whole_output.h"
#include "collapse/parse/text_reader.h"
#include "core/error.h"
#include "tests/fuzz/input.h"

/* Write lines that stayed whole. */
static void write_whole(FILE *file, struct text_parsed *parsed, const struct columns *columns)
{
	struct whole_order order = { 0 };
	struct str header = { 0 };
	const struct whole_output out = { &order, parsed, columns, parsed->count, &header, NULL };

	text_comments(parsed, &header);
	whole_order_make(&order, parsed);
	must(whole_keep(&out, NULL, NULL));
	whole_write(file, &out);
	whole_order_free(&order);
	str_free(&header);
}

enum way { FRAMES, WHOLE };

/* The folded lines of an input, in *text, which the caller frees; NULL: there is no sample. */
static void collapse(const struct input *in, const struct input_format *format, enum way way, int jobs, char **text,
		     size_t *len)
{
	static const struct name_style style = { .kernel = true, .jit = true };
	struct text_setup setup = { .value_count = 1,
				    .timed = format->has & TEXT_HAS_TIMES,
				    .binary = format->has & TEXT_IS_BINARY,
				    .time_power = 9,
				    .labels = TEXT_HAS_PIDS | TEXT_HAS_TIDS,
				    .style = &style };
	struct text_parsed parsed = { 0 };
	struct text_reader reader;
	struct input_stream stream;
	struct perfdata data = { .path = "fuzz" };
	struct sideband sideband = { 0 };
	struct roots roots = { .data = &data, .sideband = &sideband };
	struct columns columns = { 0 };
	struct fold fold = { .columns = &columns };
	struct intern texts = { 0 };
	struct timed_samples times = { 0 };
	struct text_request request = {
		.data = &data, .sideband = &sideband, .roots = &roots, .event = "all", .to_ns = UINT64_MAX
	};
	struct product product = { .fold = &fold, .texts = &texts };
	int fd = input_file(in);
	char path[64];
	FILE *file = NULL;

	*text = NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	must(!input_open(&stream, path));
	text_reader_begin(&reader, &stream);
	if (format->begin)
		format->begin(str_text(&reader.ahead), reader.ahead.len, &setup);
	setup.keep_times = setup.timed;
	setup.whole = way == WHOLE && !setup.timed;
	must(!text_reader_parse(&reader, format, &setup, jobs, &parsed));
	text_tell_wrong(&parsed, path, format->wanted);
	if (setup.whole)
		text_signed_unfold(&parsed, &setup);
	if (text_samples(&parsed)) {
		text_columns(&parsed, &columns);
		file = open_memstream(text, len);
	}
	if (text_samples(&parsed) && setup.whole) {
		write_whole(file, &parsed, &columns);
		fclose(file);
	} else if (text_samples(&parsed)) {
		text_fold(&parsed, &request, &fold, &texts, &times);
		fold_keep(&fold, &texts, true, NULL, NULL);
		product.times = setup.timed ? &times : NULL;
		text_comments(&parsed, &product.header);
		folded_output.write(file, &product);
		fclose(file);
	}
	str_free(&product.header);
	str_free(&request.unit);
	str_free(&request.units);
	text_parsed_free(&parsed);
	text_reader_end(&reader);
	input_close(&stream);
	fold_free(&fold);
	intern_free(&texts);
	times_free(&times);
	roots_free(&roots);
	sideband_free(&sideband);
	perfdata_close(&data);
	close(fd);
}

/* "0" is the first format that is text, "1" the one in the next row, and so on. */
static const struct input_format *format_of(uint8_t byte)
{
#define ROW(name) &name##_format,
	static const struct input_format *const all[] = { INPUT_FORMATS(ROW) };
	const struct input_format *texts[sizeof(all) / sizeof(*all)];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i]->parse)
			texts[count++] = all[i];
	}
	return texts[(uint8_t)(byte - '0') % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in = { bytes, size }, again;
	const struct input_format *format = format_of(input_byte(&in));
	char *once, *twice, *thrice;
	size_t len, twice_len, thrice_len;

	quiet = 1;
	if (!in.size)
		return 0;
	collapse(&in, format, FRAMES, 1, &once, &len);
	if (!once)
		return 0;
	if (format == &folded_format) {
		collapse(&in, format, WHOLE, 3, &twice, &twice_len);
		must(twice && twice_len == len && !memcmp(once, twice, len));
		free(twice);
	}
	again = (struct input){ (const uint8_t *)once, len };
	collapse(&again, &folded_format, FRAMES, 3, &twice, &twice_len);
	must(twice);
	again = (struct input){ (const uint8_t *)twice, twice_len };
	collapse(&again, &folded_format, WHOLE, 1, &thrice, &thrice_len);
	must(thrice && thrice_len == twice_len && !memcmp(twice, thrice, twice_len));
	free(once);
	free(twice);
	free(thrice);
	return 0;
}
