#!/usr/bin/env python3
"""dwarf_sources.py DIR [FUNCTIONS]: writes DIR/large.cc and DIR/large.rs.

Programs with a lot of debug information in which most calls are inlined, three to
five deep, from templates and generic functions, as in large C++ and Rust programs.
Both spend their time in all of their functions alike, DIR/large[.rs] ROUNDS times.
"""
import os
import sys

CC_HEAD = """\
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace shop {
template <int N> struct Price {
\tuint64_t cents;
\tuint64_t rounded() const { return cents / (N % 7 + 1) * (N % 7 + 1); }
\tbool operator<(const Price &other) const { return rounded() < other.rounded(); }
};

template <int N> static inline uint64_t mix(uint64_t x)
{
\treturn (x ^ (x >> 29)) * (0x9e3779b97f4a7c15u + N);
}

template <int N, typename F> static inline uint64_t repeat(uint64_t x, F step)
{
\tfor (int i = 0; i < N % 5 + 3; i++)
\t\tx = step(x);
\treturn x;
}

template <int N> __attribute__((noinline)) uint64_t sell(uint64_t seed)
{
\tstd::vector<Price<N>> prices;
\tfor (int i = 0; i < 24; i++)
\t\tprices.push_back({ seed = repeat<N>(seed, [](uint64_t x) { return mix<N>(x) + N; }) % 100000 });
\tstd::sort(prices.begin(), prices.end());
\treturn std::accumulate(prices.begin(), prices.end(), seed,
\t\t[](uint64_t sum, const Price<N> &p) { return mix<N + 1>(sum + p.cents); });
}

"""

CC_TAIL = """
uint64_t (*const all[])(uint64_t) = {
%s
};
} // namespace shop

int main(int argc, char **argv)
{
\tuint64_t x = 1;
\tfor (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++)
\t\tfor (auto f : shop::all)
\t\t\tx = f(x);
\tprintf("%%llu\\n", (unsigned long long)x);
}
"""

RS_HEAD = """\
trait Price { fn rounded(&self) -> u64; }
struct Cents<const N: u64>(u64);
impl<const N: u64> Price for Cents<N> {
    fn rounded(&self) -> u64 { self.0 / (N % 7 + 1) * (N % 7 + 1) }
}
#[inline(always)]
fn mix<const N: u64>(x: u64) -> u64 { (x ^ (x >> 29)).wrapping_mul(0x9e3779b97f4a7c15 + N) }
#[inline(always)]
fn repeat<const N: u64>(x: u64, step: impl Fn(u64) -> u64) -> u64 { (0..N % 5 + 3).fold(x, |x, _| step(x)) }
#[inline(never)]
fn sell<const N: u64>(mut seed: u64) -> u64 {
    let mut prices: Vec<Cents<N>> = (0..24).map(|_| {
        seed = repeat::<N>(seed, |x| mix::<N>(x).wrapping_add(N)) % 100000;
        Cents::<N>(seed)
    }).collect();
    prices.sort_by_key(|p| p.rounded());
    prices.iter().fold(seed, |sum, p| mix::<N>(sum.wrapping_add(p.0)))
}
"""

RS_TAIL = """\
fn main() {
    let all: &[fn(u64) -> u64] = &[%s];
    let rounds = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut x = 1;
    for _ in 0..rounds { for f in all { x = f(x); } }
    println!("{}", x);
}
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    directory = sys.argv[1]
    functions = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    write(os.path.join(directory, "large.cc"),
          CC_HEAD + CC_TAIL % ",\n".join(f"\tsell<{i}>" for i in range(functions)))
    write(os.path.join(directory, "large.rs"),
          RS_HEAD + RS_TAIL % ", ".join(f"sell::<{i}>" for i in range(functions)))


main()
