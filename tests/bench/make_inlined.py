#!/usr/bin/env python3
"""Makes a large shared library of C++ in which most calls are inlined, for debug information on a
scale that is met in practice.

    make_inlined.py LIBRARY [COPIES [FUNCTIONS]]

A file of FUNCTIONS functions [40] is compiled once; its assembler text is assembled COPIES times
[60], each time with its names in another namespace, which is many times faster."""
import os
import subprocess
import sys
import tempfile

HEAD = """#include <algorithm>
#include <map>
#include <string>
#include <vector>
namespace work_00 {
namespace {
template <int N> struct Order {
	bool operator()(int a, int b) const { return a % (N + 3) < b % (N + 3); }
};
template <int N> inline int mix(int x) { return (x * (N + 7)) ^ (x >> 3); }
template <int N> inline int mixed(int x) { return mix<N + 1>(mix<N>(x)) + N; }
}
"""

FUNCTION = """
int run_NN(std::vector<int> &v, std::map<std::string, int> &m)
{
	Order<NN> order;
	int sum = 0;

	std::sort(v.begin(), v.end(), order);
	for (int x : v)
		sum += mixed<NN>(x);
	auto low = std::lower_bound(v.begin(), v.end(), sum, order);
	if (low != v.end())
		v.insert(low, mix<NN>(sum));
	m[std::to_string(sum)] += std::count_if(v.begin(), v.end(), [&](int x) { return mix<NN>(x) > sum; });
	return sum;
}
"""


def main():
    library = sys.argv[1]
    copies, functions = (int(n) for n in (sys.argv[2:4] + ["60", "40"][len(sys.argv) - 2:]))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(library) or ".") as where:
        with open(where + "/work.cc", "w") as source:
            source.write(HEAD + "".join(FUNCTION.replace("NN", str(n)) for n in range(functions)) + "}\n")
        subprocess.run(["c++", "-O2", "-g", "-fPIC", "-S", "work.cc"], cwd=where, check=True)
        text = open(where + "/work.s").read()
        objects = []
        for n in range(copies):
            objects.append("%s/work%d.o" % (where, n))
            subprocess.run(["as", "-o", objects[-1], "-"], input=text.replace("work_00", "work_%02d" % n),
                           text=True, check=True)
        subprocess.run(["c++", "-shared", "-o", library] + objects, check=True)


main()
