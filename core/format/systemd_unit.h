/* systemd_unit: the unit of systemd to which a control group belongs, by the group's path. */
#ifndef CORE_FORMAT_SYSTEMD_UNIT_H
#define CORE_FORMAT_SYSTEMD_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Append "nginx.service": the component after the slices (sd_pid_get_unit(3)); with that of the user's own manager,
 * "user@1000.service/web.service" (sd_pid_get_user_unit(3)).  Returns false, and appends nothing, if there is none. */
bool systemd_unit_add(const char *path, size_t len, struct str *out);

#endif
