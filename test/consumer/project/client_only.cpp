#include <kftrain/kinds/all.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>

// Reads a job from a server that does not exist.
int main() {
    boost::asio::io_context context;
    kftrain::kube::config config;
    config.server = "http://127.0.0.1:1";
    auto transport = kftrain::kube::make_https_transport(context.get_executor(), config);
    if (!transport) return 1;
    auto const client = kftrain::kube::client(*transport, kftrain::kube::client_options().with_max_attempts(1));
    kftrain::training_client const jobs(client);
    auto const job = jobs.get(kftrain::job_reference::to<kftrain::pytorch_job>("default", "digits"));
    if (job) return 1;
    std::cout << "expected failure: " << job.error().code.message() << '\n';
}
