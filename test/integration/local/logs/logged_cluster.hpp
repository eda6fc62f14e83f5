#ifndef KFTRAIN_TEST_INTEGRATION_LOCAL_LOGS_LOGGED_CLUSTER_HPP
#define KFTRAIN_TEST_INTEGRATION_LOCAL_LOGS_LOGGED_CLUSTER_HPP

#include "integration/local/sandboxed_cluster.hpp"

#include <kftrain/kube/logs.hpp>

#include <boost/asio/error.hpp>

#include <filesystem>

/// A local cluster whose logs are read.
namespace local_log_tests {

using namespace local_tests;

/// A file that a script waits for, or makes.
struct flag {
    std::filesystem::path path = fresh_folder().string() + ".flag";
    flag() = default;
    flag(flag const&) = delete;
    flag& operator=(flag const&) = delete;
    ~flag() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    std::string text() const { return path.string(); }
    void raise() const { std::ofstream(path) << "up"; }
    bool up() const { return std::filesystem::exists(path); }
    std::string awaited() const { return "while [ ! -e " + text() + " ]; do sleep .02; done; "; }
};

struct logged : cluster {
    using cluster::cluster;

    kube::api<pod> pods{local.client(), "default"};

    void make_pod(std::string name, std::string script, std::string policy = "Never") {
        pod p;
        p.metadata.name = std::move(name);
        p.spec.restart_policy = std::move(policy);
        test::add_container(p, "main").command = {"sh", "-c", std::move(script)};
        create(p);
    }
    void delete_now(std::string const& name) { remove_pod(name); }
    kube::log_stream open(std::string name, kube::log_options const& wanted) {
        std::optional<error_code> ended;
        kube::log_stream stream;
        kube::async_logs(local.client(), "default", name, wanted,
                         [&](error_code ec, kube::log_stream s) { ended = ec, stream = std::move(s); });
        BOOST_REQUIRE(until([&] { return ended.has_value(); }));
        refused = *ended;
        return stream;
    }
    /// The next line, or how the log ended.
    std::string line(kube::log_stream& stream) {
        std::optional<error_code> ended;
        std::string text;
        stream.async_read_line([&](error_code ec, std::string t) { ended = ec, text = std::move(t); });
        io.restart();
        auto const deadline = std::chrono::steady_clock::now() + 30s;
        while (!ended && std::chrono::steady_clock::now() < deadline) io.run_one_for(1s);
        BOOST_REQUIRE(ended.has_value());
        last = *ended;
        return text;
    }
    std::string log(std::string name, kube::log_options const& wanted = kube::log_options()) {
        std::string text;
        auto stream = open(std::move(name), wanted);
        if (refused) return "(" + refused.message() + ")";
        for (auto l = line(stream); !last; l = line(stream)) text += l + "\n";
        BOOST_TEST(last == error_code(asio::error::eof), last.message());
        return text;
    }

    error_code refused, last;
};

inline local::local_cluster_options with_limits(std::int64_t file_size, std::int32_t files) {
    auto o = cluster::sandboxed();
    o.logs.file_size = file_size;
    o.logs.files = files;
    return o;
}

inline std::string lines_text(int from, int to) {
    std::string text;
    for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
    return text;
}

} // namespace local_log_tests

#endif
