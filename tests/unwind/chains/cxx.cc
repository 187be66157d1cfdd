/* cxx: as chains.h says, of what only C++ has: names, landing pads, code that is made many times. */
#include "chains.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

volatile uint64_t sink;
uint64_t children_ns;

#define SPIN(turns)                                          \
	for (uint64_t turn = 0; turn < (turns); turn++)      \
		sink += turn

namespace cxx {

/* ---- templates ---- */

template <typename Item, int Size> struct Sorter {
	template <typename Key> KEEP static void burn(uint64_t turns)
	{
		SPIN(turns);
	}

	KEEP void sort(uint64_t turns)
	{
		burn<double>(turns);
		AND_RETURN();
	}
	Item items[Size];
};

KEEP void run_template(uint64_t turns)
{
	Sorter<Sorter<int, 2>, 3> sorter = {};

	sorter.sort(turns);
	AND_RETURN();
}

/* ---- lambdas, operators, a namespace without a name ---- */

template <typename Function> KEEP void apply(Function function, uint64_t turns)
{
	function(turns);
	AND_RETURN();
}

/* inline: else clang calls it $_0. */
KEEP inline void run_lambda(uint64_t turns)
{
	apply([](uint64_t count) __attribute__((noinline)) { SPIN(count); AND_RETURN(); }, turns);
	AND_RETURN();
}

/* All of it in one function.  Most of the time is the lambda's, which of the loop's instructions are whose is not ours
 * to say. */

template <typename Function> __attribute__((always_inline)) inline void each(Function function, uint64_t turns)
{
	for (uint64_t turn = 0; turn < turns; turn++)
		function(turn);
}

KEEP inline void run_inlined(uint64_t turns)
{
	each([](uint64_t turn) __attribute__((always_inline)) {
		for (int i = 0; i < 8; i++)
			sink += turn;
	}, turns / 8);
	AND_RETURN();
}

struct Less {
	KEEP bool operator<(uint64_t turns) const
	{
		SPIN(turns);
		return sink > 1;
	}

	KEEP bool operator()(uint64_t turns) const
	{
		bool is_less = *this < turns;

		AND_RETURN();
		return is_less;
	}
};

namespace {
KEEP void hidden(uint64_t turns)
{
	if (Less()(turns))
		AND_RETURN();
}
}

KEEP void run_operators(uint64_t turns)
{
	hidden(turns);
	AND_RETURN();
}

/* ---- a virtual call, which adjusts this on the way ---- */

struct First {
	virtual ~First() {}
	uint64_t number = 1;
};

struct Second {
	virtual void burn(uint64_t turns) = 0;
	virtual ~Second() {}
};

struct Both : First, Second {
	KEEP void burn(uint64_t turns) override
	{
		SPIN(turns);
		sink += number;
	}
};

KEEP void run_virtual(uint64_t turns)
{
	Both both;
	Second *volatile second = &both;

	second->burn(turns);
	AND_RETURN();
}

/* ---- exceptions: the time of the throw itself, behind one, and in a landing pad ---- */

KEEP void throw_deep(int depth)
{
	if (depth > 1)
		throw_deep(depth - 1);
	else
		throw depth;
	AND_RETURN();
}

KEEP void run_throw(uint64_t turns)
{
	for (uint64_t part = 0; part < turns / 10000; part++) {
		try {
			throw_deep(5);
		} catch (int depth) {
			sink += (uint64_t)depth;
		}
	}
}

KEEP void throw_once()
{
	throw 1;
}

KEEP void spin_caught(uint64_t turns)
{
	SPIN(turns);
}

KEEP void run_caught(uint64_t turns)
{
	try {
		throw_once();
	} catch (int) {
		spin_caught(turns);
		AND_RETURN();
	}
}

KEEP void spin_cleanup(uint64_t turns)
{
	SPIN(turns);
}

struct Cleaner {
	uint64_t turns;

	KEEP ~Cleaner()
	{
		spin_cleanup(turns);
		AND_RETURN();
	}
};

KEEP void cleans(uint64_t turns)
{
	Cleaner cleaner = { turns };

	throw_once();
	AND_RETURN();
}

KEEP void run_cleanup(uint64_t turns)
{
	try {
		cleans(turns);
	} catch (int) {
		AND_RETURN();
	}
}

}

static const struct scenario scenarios[] = {
	{ "template", cxx::run_template,
	  "{start};main;cxx::run_template;cxx::Sorter<cxx::Sorter<int, 2>, 3>::sort;"
	  "cxx::Sorter<cxx::Sorter<int, 2>, 3>::burn<double>" },
	{ "lambda", cxx::run_lambda,
	  "{start};main;cxx::run_lambda;cxx::apply<cxx::run_lambda(unsigned long)::{lambda(unsigned long)#1}>;"
	  "cxx::run_lambda(unsigned long)::{lambda(unsigned long)#1}::operator()" },
	{ "inlined", cxx::run_inlined,
	  "{start};main;cxx::run_inlined;cxx::each<cxx::run_inlined(unsigned long)::{lambda(unsigned long)#1}>_[i];"
	  "cxx::run_inlined(unsigned long)::{lambda(unsigned long)#1}::operator()_[i]" },
	{ "operators", cxx::run_operators,
	  "{start};main;cxx::run_operators;cxx::(anonymous namespace)::hidden;"
	  "cxx::Less::operator();cxx::Less::operator<" },
	{ "virtual", cxx::run_virtual, "{start};main;cxx::run_virtual;cxx::Both::burn" },
	{ "throw", cxx::run_throw, "{start};main;cxx::run_throw;cxx::throw_deep*5;{deeper}" },
	{ "caught", cxx::run_caught, "{start};main;cxx::run_caught;cxx::spin_caught" },
	{ "cleanup", cxx::run_cleanup,
	  "{start};main;cxx::run_cleanup;cxx::cleans;cxx::Cleaner::~Cleaner;cxx::spin_cleanup" },
	{ nullptr, nullptr, nullptr }
};

static uint64_t process_ns()
{
	timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* As in main.c. */
KEEP uint64_t turns_in(uint64_t wanted_ns)
{
	uint64_t turns = 5000, start = process_ns(), took = 0;

	for (uint64_t before = start; took < wanted_ns / 4; before += took) {
		turns *= 2;
		scenarios[0].run(turns);
		took = process_ns() - before;
	}
	printf("{start};main;turns_in;cxx::run_template;cxx::Sorter<cxx::Sorter<int, 2>, 3>::sort;"
	       "cxx::Sorter<cxx::Sorter<int, 2>, 3>::burn<double> %llu\n",
	       (unsigned long long)(process_ns() - start));
	return turns * wanted_ns / took;
}

int main()
{
	enum { RECORDED_NS = 15000000 };
	uint64_t turns = turns_in(RECORDED_NS);

	for (const scenario *s = scenarios; s->name; s++) {
		uint64_t start = process_ns(), took = 0;

		for (; took < RECORDED_NS; took = process_ns() - start)
			s->run(turns);
		printf("%s %llu\n", s->stack, (unsigned long long)took);
	}
	return 0;
}
