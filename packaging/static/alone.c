/* What a static program does in place of loading files of the glibc that it was linked with, which are of another version
 * where it runs, or not there: it may crash within them. */
#include <dlfcn.h>
#include <pwd.h>
#include <stdlib.h>

void *__wrap_dlopen(const char *file, int mode);
char *__wrap_dlerror(void);
struct passwd *__wrap_getpwuid(uid_t uid);

/* libdebuginfod counts as not installed. */
void *__wrap_dlopen(const char *file, int mode)
{
	(void)file;
	(void)mode;
	return NULL;
}

char *__wrap_dlerror(void)
{
	static char why[] = "this program is static, and loads no library";

	return why;
}

/* Users have no names but by $HOME. */
struct passwd *__wrap_getpwuid(uid_t uid)
{
	(void)uid;
	return NULL;
}
