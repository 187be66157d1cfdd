/* start_failure: why no other process or thread can be started, and which limit is to be raised. */
#ifndef CORE_START_FAILURE_H
#define CORE_START_FAILURE_H

/* What the errno of fork(2) or pthread_create(3) says.  Valid until the next call. */
const char *start_failure(int err);

#endif
