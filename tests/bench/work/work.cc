// Work for the C++ compiler (-DVARIANT=N makes it another source) and then a
// program that keeps busy for the given seconds in deep stacks with the names
// that C++ has: templates, operators, lambdas, an anonymous namespace.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <tuple>
#include <vector>

namespace {
template <int N> struct Node {
	std::vector<std::tuple<int, double, long>> rows;
	Node<N - 1> next;

	[[gnu::noinline]] long operator()(const std::function<int(int)> &weight)
	{
		rows.clear();
		for (int i = 0; i < 100; i++)
			rows.emplace_back(i * 37 % 100, N / 2.0, i);
		std::sort(rows.begin(), rows.end(), [](auto &a, auto &b) { return a > b; });
		return weight(N) + next(weight) + std::get<0>(rows[N % 100]);
	}
};

template <> struct Node<VARIANT> {
	long operator()(const std::function<int(int)> &weight) { return weight(0); }
};
}

int main(int argc, char **argv)
{
	using clock = std::chrono::steady_clock;
	auto end = clock::now() + std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 0);
	auto first = std::make_unique<Node<VARIANT + 30>>();
	std::map<std::string, int> seen;
	long total = 0;

	while (clock::now() < end) {
		total += (*first)([&](int n) { return seen[n % 2 ? "odd" : "even"] += n; });
		total += std::regex_match("0123456789", std::regex("([0-4]|[5-9])*"));
	}
	std::cout << total << '\n';
}
