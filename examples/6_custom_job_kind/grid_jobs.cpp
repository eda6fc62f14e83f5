// Parses, submits, runs, lists and explains jobs of a kind that this program defines, on a cluster in this process.
#include "grid_job.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr std::string_view manifest = R"(
apiVersion: acme.example.com/v1
kind: GridJob
metadata: {name: primes, namespace: default}
spec:
  workers: 3
  template:
    spec:
      containers: [{name: main, image: example.com/primes:1, command: [primes]}]
)";

// [use]
void run() {
    // All kinds of the library, and ours.
    auto const known = kftrain::known_job_rules();
    std::vector<kftrain::rules::job_rules const*> kinds(known.begin(), known.end());
    kinds.push_back(&kftrain::job_rules_for<acme::grid_job>());

    boost::asio::io_context context;
    kftrain::local::local_cluster_options options;
    options.kinds = kinds;
    options.simulate = 20ms; // no program runs
    kftrain::local::local_cluster cluster(context, options);
    cluster.start().value();

    kftrain::training_client const jobs(cluster.client());
    auto const job = kftrain::parse_job(manifest, {}, kinds).value();
    jobs.submit(job).value();
    auto const ended = jobs.wait(job).value();
    std::cout << ended.resource().kind << ' ' << ended.metadata().name << ' ' << to_string(ended.phase()) << '\n';

    auto const page = jobs.list(kftrain::job_list_options().with_kind<acme::grid_job>()).value();
    for (auto const& one : page.items) std::cout << one.get_if<acme::grid_job>()->status.succeeded << " succeeded\n";
    auto const why = jobs.explain(job).value();
    for (auto const& rank : why.state.ranks)
        std::cout << "rank " << *rank.member.rank << ' ' << rank.member.pod_name << ' ' << to_string(rank.phase)
                  << '\n';
    cluster.stop();
}
// [use end]

} // namespace

int main() {
    try {
        run();
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
        return 1;
    }
}
