// Runs a training job on a local cluster in this process and prints what every rank writes.
#include <kftrain/kftrain.hpp>

#include <iostream>

int main(int argc, char** argv) {
    auto const* const file = argc > 1 ? argv[1] : "examples/manifests/pytorch_digits.yaml";
    // [readme]
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client const jobs(cluster.client());

    auto job = kftrain::load_job(file).value();
    job = jobs.submit(job).value();
    auto print = [](kftrain::log_line const& line) { std::cout << line.member.pod_name << ": " << line.text << '\n'; };
    jobs.logs(job, print).value();
    job = jobs.wait(job).value();
    std::cout << job.metadata().name << ' ' << to_string(job.phase()) << '\n';
    // [readme end]
    return job.phase() == kftrain::job_phase::succeeded ? 0 : 1;
}
