/* foreign_profiles: files of other tools that collapse does not read, by what they begin with or contain, and what to do with
 * them. */
#ifndef COLLAPSE_PERFDATA_FOREIGN_PROFILES_H
#define COLLAPSE_PERFDATA_FOREIGN_PROFILES_H

#include <stddef.h>
#include <stdint.h>

/* "a log of V8: give collapse what node --prof-process FILE prints", or NULL: it is none of these.  path is the file's name,
 * bytes[0..size) all of it. */
const char *foreign_profile(const char *path, const uint8_t *bytes, size_t size);

#endif
