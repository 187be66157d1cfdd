/* otlp-json: profiles of OpenTelemetry in their JSON encoding, one object or several, as file exporters write them, one a
 * line (github.com/open-telemetry/opentelemetry-specification/blob/main/specification/protocol/file-exporter.md):
 *
 *     {"resourceProfiles": [{"scopeProfiles": [{"profiles": [{
 *         "sampleType": {"typeStrindex": 1, "unitStrindex": 2}, "timeUnixNano": "1795342502000000000",
 *         "samples": [{"stackIndex": 1, "attributeIndices": [1], "values": ["10000000"],
 *                      "timestampsUnixNano": ["1795342502014325678"]}]}]}]}],
 *      "dictionary": {"stringTable": ["", "cpu", "nanoseconds", "main"], "functionTable": [{}, {"nameStrindex": 3}], ...}}
 *
 * Keys are those of the protocol in lowerCamelCase, or as they are there; whole numbers may be strings.  The object becomes
 * a message in protocol buffers, which otlp.c reads. */
#include <string.h>

#include "collapse/parse/json_input.h"
#include "collapse/text/otlp_input.h"
#include "collapse/wire/otlp_fields.h"
#include "collapse/wire/protobuf.h"

/* MESSAGE has its own table, `below`; every field may be repeated. */
enum kind { NUMBER, COUNT, TEXT, MESSAGE };

struct field {
	const char *camel, *snake;
	unsigned number;
	enum kind kind; /* COUNT: 0 or more */
	const struct field *below;
};

static const struct field mapping[] = { { "filenameStrindex", "filename_strindex", OTLP_MAPPING_FILE, COUNT, NULL },
					{ 0 } };
static const struct field function[] = {
	{ "nameStrindex", "name_strindex", OTLP_FUNCTION_NAME, COUNT, NULL },
	{ "systemNameStrindex", "system_name_strindex", OTLP_FUNCTION_SYSTEM_NAME, COUNT, NULL },
	{ "filenameStrindex", "filename_strindex", OTLP_FUNCTION_FILE, COUNT, NULL },
	{ 0 },
};
static const struct field line[] = {
	{ "functionIndex", "function_index", OTLP_LINE_FUNCTION, COUNT, NULL },
	{ "line", "line", OTLP_LINE_LINE, COUNT, NULL },
	{ 0 },
};
static const struct field location[] = {
	{ "mappingIndex", "mapping_index", OTLP_LOCATION_MAPPING, COUNT, NULL },
	{ "lines", "line", OTLP_LOCATION_LINES, MESSAGE, line },
	{ 0 },
};
static const struct field any[] = {
	{ "stringValue", "string_value", OTLP_ANY_STRING, TEXT, NULL },
	{ "intValue", "int_value", OTLP_ANY_INT, NUMBER, NULL },
	{ 0 },
};
static const struct field attribute[] = {
	{ "keyStrindex", "key_strindex", OTLP_ATTRIBUTE_KEY, COUNT, NULL },
	{ "value", "value", OTLP_ATTRIBUTE_VALUE, MESSAGE, any },
	{ 0 },
};
static const struct field stack[] = {
	{ "locationIndices", "location_indices", OTLP_STACK_LOCATIONS, COUNT, NULL },
	{ 0 },
};
static const struct field dictionary[] = {
	{ "mappingTable", "mapping_table", OTLP_DICTIONARY_MAPPING, MESSAGE, mapping },
	{ "locationTable", "location_table", OTLP_DICTIONARY_LOCATION, MESSAGE, location },
	{ "functionTable", "function_table", OTLP_DICTIONARY_FUNCTION, MESSAGE, function },
	{ "stringTable", "string_table", OTLP_DICTIONARY_STRING, TEXT, NULL },
	{ "attributeTable", "attribute_table", OTLP_DICTIONARY_ATTRIBUTE, MESSAGE, attribute },
	{ "stackTable", "stack_table", OTLP_DICTIONARY_STACK, MESSAGE, stack },
	{ 0 },
};
static const struct field sample[] = {
	{ "stackIndex", "stack_index", OTLP_SAMPLE_STACK, COUNT, NULL },
	{ "attributeIndices", "attribute_indices", OTLP_SAMPLE_ATTRIBUTES, COUNT, NULL },
	{ "values", "value", OTLP_SAMPLE_VALUES, NUMBER, NULL },
	{ "timestampsUnixNano", "timestamps_unix_nano", OTLP_SAMPLE_TIMESTAMPS, COUNT, NULL },
	{ 0 },
};
static const struct field value_type[] = {
	{ "typeStrindex", "type_strindex", OTLP_VALUE_TYPE_TYPE, COUNT, NULL },
	{ "unitStrindex", "unit_strindex", OTLP_VALUE_TYPE_UNIT, COUNT, NULL },
	{ 0 },
};
static const struct field profile[] = {
	{ "sampleType", "sample_type", OTLP_PROFILE_SAMPLE_TYPE, MESSAGE, value_type },
	{ "samples", "sample", OTLP_PROFILE_SAMPLES, MESSAGE, sample },
	{ "timeUnixNano", "time_unix_nano", OTLP_PROFILE_TIME, COUNT, NULL },
	{ 0 },
};
static const struct field scope_profiles[] = {
	{ "profiles", "profiles", OTLP_SCOPE_PROFILES_PROFILES, MESSAGE, profile },
	{ 0 },
};
static const struct field pair[] = {
	{ "key", "key", OTLP_KEY_VALUE_KEY, TEXT, NULL },
	{ "value", "value", OTLP_KEY_VALUE_VALUE, MESSAGE, any },
	{ 0 },
};
static const struct field resource[] = {
	{ "attributes", "attributes", OTLP_RESOURCE_ATTRIBUTES, MESSAGE, pair },
	{ 0 },
};
static const struct field resource_profiles[] = {
	{ "resource", "resource", OTLP_RESOURCE_PROFILES_RESOURCE, MESSAGE, resource },
	{ "scopeProfiles", "scope_profiles", OTLP_RESOURCE_PROFILES_SCOPE_PROFILES, MESSAGE, scope_profiles },
	{ 0 },
};
static const struct field data[] = {
	{ "resourceProfiles", "resource_profiles", OTLP_DATA_RESOURCE_PROFILES, MESSAGE, resource_profiles },
	{ "dictionary", "dictionary", OTLP_DATA_DICTIONARY, MESSAGE, dictionary },
	{ 0 },
};

static void add_object(struct text_stacks *s, struct str *out, const struct field *fields, struct json *rest);

static void otlp_json_add_number(struct text_stacks *s, struct str *out, const struct field *field, struct json value)
{
	size_t quote = value.at < value.end && *value.at == '"';
	bool negative = (size_t)(value.end - value.at) > 2 * quote && value.at[quote] == '-';
	struct json digits = value;
	uint64_t n;

	if (negative) {
		digits.at += quote + 1;
		digits.end -= quote;
	}
	if (!json_u64(digits, &n) || (negative && n > INT64_MAX)) {
		text_wrong(s, value.at, "not a whole number");
		return;
	}
	if (negative && field->kind == COUNT) { /* keep its place, because values and times belong together */
		text_wrong(s, value.at, "a negative number");
		n = 1;
	}
	pb_tag(out, field->number, PB_VARINT);
	pb_varint(out, negative ? -n : n);
}

static void otlp_json_add_value(struct text_stacks *s, struct str *out, const struct field *field, struct json value)
{
	struct str text = { 0 };

	if (field->kind == MESSAGE) {
		add_object(s, &text, field->below, &value);
		pb_message(out, field->number, &text);
	} else if (field->kind == TEXT) {
		if (!json_text(value, &text))
			text_wrong(s, value.at, "not a text");
		pb_bytes(out, field->number, str_text(&text), text.len);
	} else {
		otlp_json_add_number(s, out, field, value);
	}
	str_free(&text);
}

/* Convert the members that are in fields; afterwards, *rest is at the closing bracket. */
static void add_object(struct text_stacks *s, struct str *out, const struct field *fields, struct json *rest)
{
	struct json value, item;
	struct str key = { 0 };

	while (json_next_member(rest, &key, &value)) {
		const struct field *f = fields;

		while (f->camel && strcmp(str_text(&key), f->camel) != 0 && strcmp(str_text(&key), f->snake) != 0)
			f++;
		if (!f->camel || value.at == value.end || *value.at == 'n') /* null */
			continue;
		if (*value.at != '[') {
			otlp_json_add_value(s, out, f, value);
			continue;
		}
		while (json_next_item(&value, &item))
			otlp_json_add_value(s, out, f, item);
	}
	str_free(&key);
}

static void otlp_json_parse(const struct text_part *part)
{
	struct json rest = json_make(part->text, part->len);
	struct str message = { 0 };

	while (rest.at < rest.end && *rest.at == '{') {
		str_clear(&message);
		add_object(part->out, &message, data, &rest);
		json_check_end(part->out, rest, '}'); /* what is cut within is cut here */
		otlp_read(part->out, wire_make(str_text(&message), message.len), true);
		if (rest.at == rest.end || *rest.at != '}')
			break;
		rest = json_make(rest.at + 1, (size_t)(rest.end - rest.at - 1));
	}
	if (rest.at < rest.end && *rest.at != '}')
		text_wrong(part->out, rest.at, "no JSON object");
	str_free(&message);
}

static enum sniffed otlp_json_sniff(const char *text, size_t len)
{
	bool profiles = json_begins(text, len, "resourceProfiles") || json_begins(text, len, "resource_profiles");
	bool tables = json_begins(text, len, "stringTable") || json_begins(text, len, "mappingTable") ||
		      json_begins(text, len, "string_table") || json_begins(text, len, "mapping_table");
	bool named = json_begins(text, len, "dictionary") || json_begins(text, len, "scopeProfiles") ||
		     json_begins(text, len, "scope_profiles");

	return named && (profiles || tables) ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format otlp_json_format = {
	.name = "otlp-json",
	.holds = "stacks, times and values",
	.wanted = "a sample of a profile",
	.has = OTLP_HAS,
	.nameless = otlp_nameless,
	.sniff = otlp_json_sniff,
	.begin = otlp_begin,
	.parse = otlp_json_parse,
};
