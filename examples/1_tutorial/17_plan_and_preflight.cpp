// Checks a job before it is submitted, and finds out what a change would do to it. Nothing here changes a running job.
#include <kftrain/kftrain.hpp>

#include <iostream>

kftrain::any_job training_job(std::string image, int workers) {
    return kftrain::pytorch_job_builder("mnist")
        .image(std::move(image))
        .command({"sleep", "1000"})
        .master()
        .workers(workers)
        .build()
        .value();
}

int main() {
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());

    auto const report = jobs.preflight(training_job("example.com/mnist:1", 2)).value();
    for (auto const& check : report.checks)
        std::cout << to_string(check.verdict) << ' ' << check.name << ": " << check.message << '\n';
    if (!report.passed) {
        std::cout << report.missing_rules; // an RBAC Role with the missing permissions
        return 1;
    }
    jobs.submit(training_job("example.com/mnist:1", 2)).value();

    auto const same = jobs.plan(training_job("example.com/mnist:1", 2)).value();
    std::cout << "the same job again: " << same.fields.size() << " fields differ\n";

    auto const plan = jobs.plan(training_job("example.com/mnist:2", 2)).value();
    for (auto const& field : plan.fields)
        std::cout << field.path << ": " << to_string(field.effect) << ", " << field.why << '\n';
    return same.empty() && plan.effect == kftrain::change_effect::later ? 0 : 1;
}
