/* Names that are hard to shorten: for tests/collapse/names.test.sh, which reads its symbols. */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace odd {

template <typename A, typename B> struct Pair {
	A a;
	B b;
	__attribute__((noinline)) Pair(A x, B y) : a(x), b(y) {}
	__attribute__((noinline)) operator std::vector<B>() const { return std::vector<B>(3, b); }
	__attribute__((noinline)) operator bool() const { return b > B(); }
	template <typename T> __attribute__((noinline)) bool operator<(const T &t) const { return b < t; }
	template <typename T> __attribute__((noinline)) Pair &operator<<(const T &t) { b += t; return *this; }
	template <typename T> __attribute__((noinline)) Pair &operator>>=(const T &t) { b -= t; return *this; }
	template <typename T> __attribute__((noinline)) T operator->*(T Pair::*m) const { return this->*m; }
	template <typename T> __attribute__((noinline)) T operator()(T t, void (*f)(T)) const { f(t); return t; }
	__attribute__((noinline)) const Pair *operator->() const { return this; }
	__attribute__((noinline)) B operator[](size_t n) const { return b + B(n); }
};

template <bool large, int n> __attribute__((noinline)) int value() { return large ? n : -n; }

template <typename T, typename U>
__attribute__((noinline)) auto sum(T t, U u) -> decltype(t + u) { return t + u; }

template <int a, int b> __attribute__((noinline)) int compare(char (*)[(a > b) + (a >> 1) + 1]) { return a - b; }

template <typename F> __attribute__((noinline)) int call(F f) { return f(7); }

} // namespace odd

namespace {

template <typename T> struct Set {
	T t;
	__attribute__((noinline)) bool operator<(const Set &s) const { return t < s.t; }
};

__attribute__((noinline)) void show(int n) { asm volatile("" : : "r"(n)); }

} // namespace

int main(int argc, char **)
{
	odd::Pair<std::string, int> p("x", argc);
	std::map<std::string, std::vector<std::unique_ptr<int>>> map;
	std::vector<Set<int>> sets(size_t(argc) + 20);
	std::function<int(int)> twice = [argc](int n) { return n * argc; };
	char chars[(3 > 2) + (3 >> 1) + 1];

	map["a"].push_back(std::make_unique<int>(3));
	std::sort(sets.begin(), sets.end());
	std::sort(sets.begin(), sets.end(), [](const auto &a, const auto &b) { return b < a; });
	p << 3 << 4L;
	p >>= 2;
	show(p < 3.5);
	show(p->*&odd::Pair<std::string, int>::b);
	show(p->b + p[2] + p(3, show));
	show(std::vector<int>(p)[0] + bool(p));
	show(odd::value<(3 > 2), 8>() + odd::value<false, 9>());
	show(int(odd::sum(3, 4.5)) + odd::compare<3, 2>(&chars));
	show(odd::call(twice) + odd::call([&](auto n) { return int(n) + int(map.size()); }));
	show(odd::call([](int n) { struct In { int n; } in = { n }; return odd::call([in](int m) { return in.n + m; }); }));
	return 0;
}
