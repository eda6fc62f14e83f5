// usage: bench_tree [MEGABYTES [ROUNDS]]
//
// Reads a tree of Boost.JSON, which the server has of every body, into typed objects: by the walk that its checks and
// admission hooks use, and by way of the text. Single pods, as the server gets them; see paired.hpp for the ratios.
#include "bench/decode/pod_list.hpp"
#include "bench/support/paired.hpp"

#include "model/codec/tree_decode.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cstdio>
#include <cstdlib>

namespace kftrain::bench {
namespace {

namespace json = boost::json;

/// Reads every pod in the given way; the time of freeing is left out.
template <class Read> double timed(json::array const& pods, Read read) {
    std::vector<pod> kept(pods.size());
    double const start = processor_seconds();
    for (std::size_t i = 0; i < pods.size(); ++i)
        if (auto const r = read(pods[i], kept[i]); !r) {
            std::fprintf(stderr, "bench_tree: %s\n", r.error().to_string().c_str());
            std::exit(1);
        }
    double const seconds = processor_seconds() - start;
    keep(kept);
    return seconds;
}

void compare(json::array const& pods, int rounds) {
    auto const& type = descriptor_of<pod>();
    paired ways;
    ways.add("by way of the text", [&] {
        return timed(pods, [&](json::value const& v, pod& p) { return decode_json(json::serialize(v), type, &p); });
    });
    ways.add("walk of the tree", [&] {
        return timed(pods, [&](json::value const& v, pod& p) { return detail::decode_tree(v, type, &p); });
    });
    ways.measure(rounds);
    std::printf("%zu pods, %d rounds\n  %-52s %8s %7s\n", pods.size(), rounds, "", "us each", "x time");
    for (std::size_t i = 0; i < ways.size(); ++i)
        std::printf("  %-52s %8.2f %7.3f\n", ways.name(i).c_str(),
                    1e6 * ways.least(i) / static_cast<double>(pods.size()), ways.ratio(i, 0));
}

} // namespace
} // namespace kftrain::bench

int main(int argc, char** argv) {
    std::size_t const megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10;
    int const rounds = argc > 2 ? std::atoi(argv[2]) : 15;
    if (megabytes == 0 || rounds < 1) {
        std::fputs("usage: bench_tree [MEGABYTES [ROUNDS]]\n", stderr);
        return 2;
    }
    auto const list = boost::json::parse(kftrain::bench::make_pod_list(megabytes * 1'000'000));
    kftrain::bench::compare(list.at("items").as_array(), rounds);
}
