// usage: bench_growth [ITEMS]
//
// How decoding, validation, pruning, patches and places grow with documents that anybody may send to a server:
// processor time for ITEMS (2500), and how many times as long each doubling takes. 2 is even growth, 4 is growth by the
// square.
#include "support/long_documents.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

double seconds_of(kftrain::test::long_document const& d, int n) {
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
        auto const start = std::clock();
        if (!d.run(n)) {
            std::fprintf(stderr, "bench_growth: wrong result: %s\n", d.what.c_str());
            std::exit(1);
        }
        least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

} // namespace

int main(int argc, char** argv) {
    int const items = std::max(argc > 1 ? std::atoi(argv[1]) : 2500, 1);
    std::printf("%-46s %9s %8s %8s %8s\n", "", "ms", "x 2", "x 4", "x 8");
    for (auto const& d : kftrain::test::long_documents()) {
        double before = seconds_of(d, items);
        std::printf("%-46s %9.2f", d.what.c_str(), 1e3 * before);
        for (int times = 2; times <= 8; times *= 2) {
            double const now = seconds_of(d, times * items);
            std::printf(" %8.2f", now / before);
            before = now;
        }
        std::printf("\n");
    }
}
