/* otlp_fields: the field numbers of OTLP profiles, of opentelemetry-proto 1.10 (March 2026; package
 * opentelemetry.proto.profiles.v1development).  The format is still changing: this is the only place that knows the
 * numbers.
 *
 *     ProfilesData
 *       resource_profiles -> resource; scope_profiles -> scope; profiles -> samples
 *       dictionary        -> mappings, locations, functions, links, strings, attributes, stacks; number 0 of each is
 * empty */
#ifndef COLLAPSE_WIRE_OTLP_FIELDS_H
#define COLLAPSE_WIRE_OTLP_FIELDS_H

enum { OTLP_DATA_RESOURCE_PROFILES = 1, OTLP_DATA_DICTIONARY = 2 };

enum {
	OTLP_DICTIONARY_MAPPING = 1,
	OTLP_DICTIONARY_LOCATION = 2,
	OTLP_DICTIONARY_FUNCTION = 3,
	OTLP_DICTIONARY_LINK = 4,
	OTLP_DICTIONARY_STRING = 5,
	OTLP_DICTIONARY_ATTRIBUTE = 6,
	OTLP_DICTIONARY_STACK = 7,
};

enum { OTLP_RESOURCE_PROFILES_RESOURCE = 1, OTLP_RESOURCE_PROFILES_SCOPE_PROFILES = 2 };
enum { OTLP_SCOPE_PROFILES_SCOPE = 1, OTLP_SCOPE_PROFILES_PROFILES = 2 };
enum { OTLP_RESOURCE_ATTRIBUTES = 1 };
enum { OTLP_SCOPE_NAME = 1, OTLP_SCOPE_VERSION = 2 };

enum {
	OTLP_PROFILE_SAMPLE_TYPE = 1,
	OTLP_PROFILE_SAMPLES = 2,
	OTLP_PROFILE_TIME = 3,     /* fixed64, ns since 1970 */
	OTLP_PROFILE_DURATION = 4, /* ns */
	OTLP_PROFILE_PERIOD_TYPE = 5,
	OTLP_PROFILE_PERIOD = 6,
	OTLP_PROFILE_ATTRIBUTES = 11, /* packed numbers of attributes */
};

enum { OTLP_VALUE_TYPE_TYPE = 1, OTLP_VALUE_TYPE_UNIT = 2 }; /* numbers of strings */

enum {
	OTLP_SAMPLE_STACK = 1,
	OTLP_SAMPLE_ATTRIBUTES = 2, /* packed */
	OTLP_SAMPLE_VALUES = 4,     /* packed int64 */
	OTLP_SAMPLE_TIMESTAMPS = 5, /* packed fixed64; as many as values */
};

enum { OTLP_STACK_LOCATIONS = 1 }; /* packed, leaf first */
enum { OTLP_LOCATION_MAPPING = 1, OTLP_LOCATION_LINES = 3 };
enum { OTLP_LINE_FUNCTION = 1, OTLP_LINE_LINE = 2 };
enum { OTLP_FUNCTION_NAME = 1, OTLP_FUNCTION_SYSTEM_NAME = 2, OTLP_FUNCTION_FILE = 3 };
enum { OTLP_MAPPING_FILE = 4, OTLP_MAPPING_ATTRIBUTES = 5 };

enum {
	OTLP_ATTRIBUTE_KEY = 1,
	OTLP_ATTRIBUTE_VALUE = 2,
	OTLP_ATTRIBUTE_UNIT = 3
};                                                         /* in the dictionary; key: a number */
enum { OTLP_KEY_VALUE_KEY = 1, OTLP_KEY_VALUE_VALUE = 2 }; /* of a resource; key: a text */
enum { OTLP_ANY_STRING = 1, OTLP_ANY_INT = 3 };

#endif
