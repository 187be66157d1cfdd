/* As inlined.c, in C++: names with and without linkage, in every kind of scope. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace app {
namespace {

struct Less {
	bool operator()(int a, int b) const { return a % 1000 < b % 1000; }
};

template <class T> inline T twice(T x)
{
	volatile T sum = x;

	for (int i = 0; i < 200; i++)
		sum = sum + x;
	return sum;
}

} // namespace

struct Base {
	virtual ~Base() = default;
	virtual int get(int x) = 0;
	static int fixed(int x) { return twice(x) + 3; }
	int both(int x) { return get(x) + fixed(x); }
};

int run(std::vector<int> &values)
{
	struct Local : Base {
		int more = 2;
		int get(int x) override { return twice(x) + more; }
	} local;
	auto lambda = [&](int x) { return twice(x) + local.more; };
	int sum = 0;

	std::sort(values.begin(), values.end(), Less());
	for (int x : values)
		sum = (sum + lambda(x) + local.both(x)) % 100000;
	return sum;
}

inline int around(int x) { return twice(twice(x) % 100); }

__attribute__((noinline)) int outer(int x) { return around(x) + 1; }

} // namespace app

extern "C" __attribute__((noinline)) int c_named(int x)
{
	if (x < 0)
		throw std::string("negative");
	return app::outer(x % 100) + 1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100, sum = 0;
	std::vector<int> values;

	for (int i = 0; i < 1000; i++)
		values.push_back(i * 7919 % 10007);
	for (int i = 0; i < rounds; i++)
		sum = (sum + c_named(i) + (i % 64 ? 0 : app::run(values))) % 100000;
	std::printf("%d\n", sum);
	return 0;
}
