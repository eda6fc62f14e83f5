// Runs a training job on a local cluster in this process and prints what every rank writes.
// [readme]
#include <kftrain/kftrain.hpp>

#include <iostream>

int main(int argc, char** argv) {
    auto job = kftrain::load_job(argc > 1 ? argv[1] : "examples/manifests/pytorch_digits.yaml").value();

    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    cluster.start().value();
    kftrain::training_client client(cluster.client());

    job = client.submit(job).value();
    auto print = [](kftrain::log_line const& line) { std::cout << line.member.pod_name << ": " << line.text << '\n'; };
    client.logs(job, print).value();
    job = client.wait(job).value();

    std::cout << job.metadata().name << ' ' << to_string(job.phase()) << '\n';
    return job.phase() == kftrain::job_phase::succeeded ? 0 : 1;
}
// [readme end]
