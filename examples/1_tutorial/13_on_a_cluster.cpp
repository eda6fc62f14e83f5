// Submits a job to the cluster that kubectl would use, prints its output and waits for its end.
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <iostream>

namespace kube = kftrain::kube;

int main(int argc, char** argv) {
    auto const* const file = argc > 1 ? argv[1] : "job.yaml";
    try {
        // [readme]
        boost::asio::io_context context;
        auto const config = kube::default_config(kube::process_environment()).value(); // what kubectl would use
        auto const transport = kube::make_https_transport(context.get_executor(), config).value();
        kftrain::training_client const jobs(kube::client(transport), config.namespace_);

        auto job = kftrain::load_job(file).value();
        job = jobs.submit(job).value();
        jobs.logs(job, [](kftrain::log_line const& line) { std::cout << line.text << '\n'; }).value();
        job = jobs.wait(job).value();
        std::cout << job.metadata().name << ' ' << to_string(job.phase()) << '\n';
        // [readme end]
        return job.phase() == kftrain::job_phase::succeeded ? 0 : 1;
    } catch (
        std::exception const& e) { // value() throws kftrain::error, whose text has the field and the server's reason
        std::cerr << e.what() << '\n';
        return 2;
    }
}
