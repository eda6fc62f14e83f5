// Suspends a running job, which frees its pods, and resumes it.
#include <kftrain/kftrain.hpp>

#include <iostream>

namespace until = kftrain::until;

int main() {
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());
    auto const limit = kftrain::kube::wait_options().with_timeout(std::chrono::minutes(1));

    auto const job = kftrain::pytorch_job_builder("long")
                         .image("example.com/train:1")
                         .command({"sleep", "1000"})
                         .master()
                         .workers(1)
                         .build()
                         .value();
    auto const stored = jobs.submit(job).value();
    jobs.wait(stored, until::all_ranks_ready(), limit).value();

    jobs.suspend(stored).value();                                                // returns at once
    auto const suspended = jobs.wait(stored, until::suspended(), limit).value(); // until the pods are gone
    std::cout << suspended.metadata().name << ' ' << to_string(suspended.phase()) << '\n';

    // The training program starts again and reads its checkpoint: a new pod keeps nothing of the previous one.
    jobs.resume(stored).value();
    auto const resumed = jobs.wait(stored, until::all_ranks_ready() && until::running(), limit).value();
    std::cout << resumed.metadata().name << ' ' << to_string(resumed.phase()) << '\n';

    jobs.delete_job(stored, kftrain::job_delete_options().with_wait()).value();
    bool const as_expected = suspended.suspending().suspended && !resumed.suspending().suspended;
    return as_expected && resumed.phase() == kftrain::job_phase::running ? 0 : 1;
}
