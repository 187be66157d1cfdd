/* made_memory: the memory of a process, for tests that imitate a JVM.  Define BASE, its first address, and SIZE before
 * including this. */
#ifndef TESTS_UNIT_MADE_MEMORY_H
#define TESTS_UNIT_MADE_MEMORY_H

static uint8_t memory[SIZE];
static unsigned reads;

static bool read_made(const struct remote *r, uint64_t address, void *to, size_t len)
{
	(void)r;
	reads++;
	if (address < BASE || len > SIZE || address - BASE > SIZE - len)
		return false;
	memcpy(to, memory + (address - BASE), len);
	return true;
}

static void put(uint64_t address, uint64_t value, size_t size)
{
	memcpy(memory + (address - BASE), &value, size);
}

#endif
