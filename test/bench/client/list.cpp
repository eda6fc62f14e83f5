// usage: bench_list [--count PODS] [--rounds N] [--json] [--server URL --ca FILE]
//
// Lists 6000 pods (28 MB, see sample_objects.hpp) over HTTPS into typed objects; beside it the same list by Beast and
// `boost::json::parse`. The server is a process of its own that has the answer ready. `--json`: this library alone,
// once, as one line of JSON; also from another server.
#include "bench/client/connected_client.hpp"
#include "bench/client/plain_client.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/measurement.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace {

using namespace kftrain::bench;
namespace kube = kftrain::kube;

double processor_time() {
    auto const t = instant::now();
    return t.user + t.sys;
}

/// `list()` makes the objects, `size(objects)` counts them.
template <class List, class Size> measurement measured(List list, Size size) {
    double const live = live_heap_mb();
    auto const begin = instant::now();
    auto objects = list();
    auto const end = instant::now();
    auto const items = static_cast<double>(size(*objects));
    auto m = between(begin, end, items);
    m.items = items;
    m.live_mb = live_heap_mb() - live;
    double const before = processor_time();
    objects.reset();
    m.free_cpu = processor_time() - before;
    return m;
}

measurement list_with_kftrain(kube::config const& server) {
    boost::asio::io_context context(1);
    auto const client = connect(context, server);
    return measured(
        [&] {
            std::unique_ptr<kftrain::object_list<kftrain::pod>> pods;
            kube::api<kftrain::pod>::all_namespaces(client).async_list(
                [&](kftrain::error_code ec, kftrain::object_list<kftrain::pod> l) {
                    if (ec) give_up(ec.message());
                    pods = std::make_unique<kftrain::object_list<kftrain::pod>>(std::move(l));
                });
            context.run();
            return pods;
        },
        [](auto const& pods) { return pods.items.size(); });
}

measurement list_with_beast(server_address const& server) {
    return measured(
        [&] {
            plain_connection connection(server);
            return std::make_unique<boost::json::value>(boost::json::parse(connection.get("/api/v1/pods")));
        },
        [](auto const& list) { return list.at("items").as_array().size(); });
}

} // namespace

int main(int argc, char** argv) {
    arguments const a(argc, argv, "bench_list [--count PODS] [--rounds N] [--json] [--server URL --ca FILE]");
    auto const count = a.number("--count", 6000);
    if (names_server(a)) {
        print_json("list", list_with_kftrain(config_of(a)));
        return 0;
    }
    canned_server const server([&] { return std::vector{canned_pods(static_cast<std::size_t>(count))}; });
    auto const config = config_of(server.address());
    if (a.has("--json")) {
        print_json("list", list_with_kftrain(config));
        return 0;
    }
    comparison c;
    c.add("Beast, boost::json::parse", [&] { return list_with_beast(server.address()); });
    c.add("kftrain: typed objects", [&] { return list_with_kftrain(config); });
    c.run("list of " + std::to_string(count) + " pods over HTTPS", static_cast<int>(a.number("--rounds", 5)));
}
