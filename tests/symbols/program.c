/* A program with static functions, exported ones, and calls into another file.  With an argument, it prints a line and
 * waits until its standard input ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MOVED /* everything below lies elsewhere then */
__attribute__((used)) static void moved(void)
{
	__asm__(".skip 4096, 0x90");
}
#endif

__attribute__((noinline)) static int hidden_one(int n)
{
	return n * 3 + getpid();
}

__attribute__((noinline)) static int hidden_two(int n)
{
	return hidden_one(n) ^ (int)strtol("17", NULL, 10);
}

__attribute__((noinline)) int shown(int n)
{
	return hidden_two(n) + (int)strlen(getenv("HOME") ? getenv("HOME") : "");
}

int main(int argc, char **argv)
{
	char byte;

	printf("%d\n", shown(argc + (argv[0] ? 1 : 0)));
	fflush(stdout);
	while (argc > 1 && read(0, &byte, 1) > 0)
		;
	return 0;
}
