// usage: bench_latency [--events N] [--rounds N] [--kind pods|jobs] [--json] [--server URL --ca FILE]
//
// How long an event is under way: 2000 events, one each 5 ms, each with the time at which the server sent it, to the
// handler of an informer of 100 pods; beside it Beast, `boost::json::parse` and a map. On a machine that is busy with
// something else the percentiles are those of its scheduler. `--json`: this library alone, once, as one line of JSON;
// also from another server.
#include "bench/client/connected_client.hpp"
#include "bench/client/following.hpp"
#include "bench/support/arguments.hpp"

namespace {

using namespace kftrain::bench;

constexpr std::chrono::milliseconds pause(5);

std::vector<canned_objects> make_answers(long events) {
    std::vector<canned_objects> all;
    all.push_back(canned_pods(100, events, pause));
    all.push_back(canned_pytorch_jobs(100, events, pause));
    return all;
}

} // namespace

int main(int argc, char** argv) {
    arguments const a(argc, argv,
                      "bench_latency [--events N] [--rounds N] [--kind pods|jobs] [--json] [--server URL --ca FILE]");
    long const events = a.number("--events", 2000);
    auto const kind = a.text("--kind", "pods") == "jobs" ? followed::pytorch_jobs : followed::pods;
    std::string const what = kind == followed::pods ? "latency-pods" : "latency-jobs";
    if (names_server(a)) {
        print_json(what, follow_with_informer(config_of(a), kind, events, true));
        return 0;
    }
    canned_server const server([&] { return make_answers(events); });
    auto const config = config_of(server.address());
    if (a.has("--json")) {
        print_json(what, follow_with_informer(config, kind, events, true));
        return 0;
    }
    comparison c;
    c.add("Beast, boost::json::parse, std::map",
          [&] { return follow_with_beast(server.address(), kind, events, true); });
    c.add("kftrain: informer", [&] { return follow_with_informer(config, kind, events, true); });
    c.run("latency of " + std::to_string(events) + " events, one each 5 ms", static_cast<int>(a.number("--rounds", 3)));
}
