// Scales an elastic job while it runs: new workers join, and the range of the elastic policy is respected.
#include <kftrain/kftrain.hpp>

#include <iostream>

namespace until = kftrain::until;

int main() {
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());
    auto const limit = kftrain::kube::wait_options().with_timeout(std::chrono::minutes(1));

    auto const job = kftrain::pytorch_job_builder("elastic")
                         .image("example.com/train:1")
                         .command({"sleep", "1000"})
                         .workers(1)
                         .elastic(1, 3)
                         .build()
                         .value();
    auto stored = jobs.submit(job).value();
    jobs.wait(stored, until::ranks_ready("Worker", 1), limit).value();

    for (auto const& place : stored.scaling().places) // what may be scaled, and what happens to the ranks
        std::cout << place.role << ": " << place.now << " of at most " << place.most.value_or(0) << ". " << place.effect
                  << '\n';

    jobs.scale(stored, "Worker", 3).value();
    jobs.wait(stored, until::ranks_ready("Worker", 3), limit).value();
    std::cout << "three workers are ready\n";

    auto const refused = jobs.scale(stored, "Worker", 4);
    std::cout << refused.error().to_string() << '\n'; // has the field, the value and the range
    jobs.delete_job(stored).value();
    return refused.error().code == kftrain::errc::invalid_argument ? 0 : 1;
}
