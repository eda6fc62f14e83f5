// usage: bench_server [--pods N] [--rounds N] [--json] [--serve KUBECONFIG [--port N]]
//
// The cost of this library's API server in a process of its own, over HTTPS: memory for a stored pod of 4.7 KB,
// processor time for a create, a list of all, a merge patch, and an event to each of 50 watchers. Next to it runs a
// server that is written with Beast and Boost.JSON alone and supports only the requests of this bench (see
// plain_server.hpp): a lower bound rather than a peer. `--json`: this library's server alone, once. `--serve` writes a
// kubeconfig and serves until SIGTERM; SIGUSR1 prints the megabytes that malloc has given out.
#include "bench/client/connected_client.hpp"
#include "bench/client/plain_client.hpp"
#include "bench/samples/new_pod.hpp"
#include "bench/server/api_server_process.hpp"
#include "bench/server/plain_server.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/paired.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <thread>

namespace {

using namespace kftrain::bench;
namespace json = boost::json;

constexpr int connections = 16;
constexpr int watchers = 50;
constexpr long patches = 2000;
constexpr long watched_patches = 500;
constexpr int lists = 5;
std::string const path = "/api/v1/namespaces/default/pods";

plain_request merge_patch(long pod, long number) {
    char text[24];
    std::snprintf(text, sizeof text, "%019ld", number);
    plain_request r;
    r.method = "PATCH";
    r.target = path + "/" + new_pod_name(pod);
    r.type = "application/merge-patch+json";
    r.body = std::string(R"({"metadata":{"annotations":{"perf/at":")") + text + R"("}}})";
    return r;
}

/// Watches from now on, each in a thread; sends a text when all have begun, and one when `lines` have come to each.
void count_lines(server_address const& server, std::string const& version, long lines,
                 child_process::send_function const& send) {
    std::atomic<int> begun{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < watchers; ++i)
        threads.emplace_back([&] {
            plain_connection connection(server);
            long seen = 0;
            connection.stream(path + "?watch=true&resourceVersion=" + version, [&](std::string_view piece) {
                if (piece.empty() && ++begun == watchers) send("begun");
                seen += std::count(piece.begin(), piece.end(), '\n');
                return seen < lines;
            });
        });
    for (auto& t : threads) t.join();
    send("seen");
}

/// Microseconds of processor time for one, kilobytes for a pod.
struct costs {
    double create = 0, list = 0, patch = 0, event = 0, resident_kb = 0, live_kb = 0, text_kb = 0;
};

costs costs_of(server_process const& server, long pods) {
    costs c;
    auto const& address = server.address();
    auto took = [&, before = server.processor_seconds()](double count) mutable {
        double const now = server.processor_seconds();
        return 1e6 * (now - std::exchange(before, now)) / count;
    };
    double const resident = server.resident_mb(), live = server.live_heap_mb();
    took(1);
    std::size_t bytes = 0;
    send_all(
        address, connections, pods,
        [](long i) {
            plain_request r;
            r.target = path;
            r.body = new_pod(i);
            return r;
        },
        [&](std::string const& answer) { bytes += answer.size(); });
    auto const count = static_cast<double>(pods);
    c.create = took(count);
    c.text_kb = 1e-3 * static_cast<double>(bytes) / count;
    c.resident_kb = 1e3 * (server.resident_mb() - resident) / count;
    c.live_kb = 1e3 * (server.live_heap_mb() - live) / count;

    took(1);
    plain_connection connection(address);
    for (int i = 0; i < lists; ++i) connection.get(path);
    c.list = took(lists * count);

    auto const ignore = [](std::string const&) {};
    send_all(address, connections, patches, [&](long i) { return merge_patch(i % pods, i); }, ignore);
    c.patch = took(patches);

    auto const version = json::value_to<std::string>(
        json::parse(connection.get(path + "?limit=1")).at("metadata").at("resourceVersion"));
    child_process const watching([&](auto const& send) { count_lines(address, version, watched_patches, send); });
    watching.receive();
    took(1);
    send_all(address, connections, watched_patches, [&](long i) { return merge_patch(i % pods, patches + i); }, ignore);
    watching.receive();
    c.event = (took(watched_patches) - c.patch) / watchers;
    return c;
}

struct row {
    char const* name;
    char const* json;
    double costs::* value;
};
constexpr std::array rows{row{"create: CPU us", "create_us", &costs::create},
                          row{"list: CPU us for a pod", "list_us", &costs::list},
                          row{"merge patch: CPU us", "patch_us", &costs::patch},
                          row{"event to a watcher: CPU us", "event_us", &costs::event},
                          row{"stored pod: resident KB", "resident_kb", &costs::resident_kb},
                          row{"stored pod: heap KB", "live_kb", &costs::live_kb},
                          row{"stored pod: text KB", "text_kb", &costs::text_kb}};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

void compare(long pods, int rounds) {
    std::vector<costs> plain, ours;
    for (int i = 0; i < rounds; ++i) {
        plain.push_back(costs_of(server_process(serve_plainly), pods));
        ours.push_back(costs_of(server_process(), pods));
    }
    std::printf("%ld pods, %d watchers; %d rounds\n  %-28s %12s %12s %8s\n", pods, watchers, rounds, "", "Beast alone",
                "kftrain", "ratio");
    for (auto const& r : rows) {
        std::vector<double> a, b, ratio;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            a.push_back(plain[i].*r.value);
            b.push_back(ours[i].*r.value);
            ratio.push_back(b.back() / a.back());
        }
        std::printf("  %-28s %12.2f %12.2f %8.3f\n", r.name, median(a), median(b), median(ratio));
    }
}

void print_json(costs const& c) {
    std::printf("{\"what\":\"server\"");
    for (auto const& r : rows) std::printf(",\"%s\":%.2f", r.json, c.*r.value);
    std::printf("}\n");
}

int serve_until_signal(std::string const& kubeconfig, unsigned short port) {
    serve_api(
        port,
        [&](server_address const& a) {
            std::ofstream out(kubeconfig);
            out << kftrain::kube::to_kubeconfig(config_of(a), "bench");
            if (!out.flush()) give_up("cannot write " + kubeconfig);
            std::printf("%s\n", a.url.c_str());
            std::fflush(stdout);
        },
        [](double megabytes) {
            std::printf("{\"live_mb\":%.2f}\n", megabytes);
            std::fflush(stdout);
        });
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    arguments const a(argc, argv, "bench_server [--pods N] [--rounds N] [--json] [--serve KUBECONFIG [--port N]]");
    if (a.has("--serve"))
        return serve_until_signal(a.text("--serve"), static_cast<unsigned short>(a.number("--port", 0)));
    long const pods = a.number("--pods", 5000);
    if (a.has("--json"))
        print_json(costs_of(server_process(), pods));
    else
        compare(pods, static_cast<int>(a.number("--rounds", 3)));
}
