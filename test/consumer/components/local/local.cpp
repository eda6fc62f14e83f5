// A local cluster starts, with its sandbox helper, and stops.
#include <kftrain/local/local_cluster.hpp>

#include <boost/asio/io_context.hpp>

#include <iostream>

int main() {
    boost::asio::io_context context;
    kftrain::local::local_cluster cluster(context);
    if (auto const started = cluster.start(); !started) {
        std::cerr << started.error().to_string() << '\n';
        return 1;
    }
    std::cout << "a local cluster started\n";
    cluster.stop();
}
