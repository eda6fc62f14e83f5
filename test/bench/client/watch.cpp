// usage: bench_watch [--events N] [--rounds N] [--kind pods|jobs] [--json] [--server URL --ca FILE]
//
// An informer lists 5000 objects, then takes 100,000 events at full speed over HTTPS into a handler: pods, then
// PyTorchJobs (see sample_objects.hpp). Beside it Beast, `boost::json::parse` and a map. The server is a process of its
// own that has the events ready. What is printed is of the events alone. `--json`: this library alone, once, as one
// line of JSON; also from another server, which has to send so many events.
#include "bench/client/connected_client.hpp"
#include "bench/client/following.hpp"
#include "bench/support/arguments.hpp"

namespace {

using namespace kftrain::bench;

constexpr std::size_t listed = 5000;

std::vector<canned_objects> make_answers(long events) {
    std::vector<canned_objects> all;
    all.push_back(canned_pods(listed, events));
    all.push_back(canned_pytorch_jobs(listed, events));
    return all;
}

} // namespace

int main(int argc, char** argv) {
    arguments const a(argc, argv,
                      "bench_watch [--events N] [--rounds N] [--kind pods|jobs] [--json] [--server URL --ca FILE]");
    long const events = a.number("--events", 100'000);
    auto const wanted = a.text("--kind");
    auto const json = [&](followed kind, kftrain::kube::config const& config) {
        print_json(kind == followed::pods ? "watch-pods" : "watch-jobs",
                   follow_with_informer(config, kind, events, false));
    };
    if (names_server(a)) {
        json(wanted == "jobs" ? followed::pytorch_jobs : followed::pods, config_of(a));
        return 0;
    }
    canned_server const server([&] { return make_answers(events); });
    auto const config = config_of(server.address());
    for (auto const kind : {followed::pods, followed::pytorch_jobs}) {
        bool const pods = kind == followed::pods;
        if (!wanted.empty() && pods != (wanted == "pods")) continue;
        if (a.has("--json")) {
            json(kind, config);
            continue;
        }
        comparison c;
        c.add("Beast, boost::json::parse, std::map",
              [&] { return follow_with_beast(server.address(), kind, events, false); });
        c.add("kftrain: informer", [&] { return follow_with_informer(config, kind, events, false); });
        c.run("watch of " + std::to_string(events) + " events of " + (pods ? "pods" : "PyTorchJobs"),
              static_cast<int>(a.number("--rounds", 3)));
    }
}
