#ifndef KFTRAIN_TEST_INTEGRATION_LOCAL_SANDBOXED_CLUSTER_HPP
#define KFTRAIN_TEST_INTEGRATION_LOCAL_SANDBOXED_CLUSTER_HPP

#include "support/object_operations.hpp"
#include "support/sample_jobs.hpp"

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

/// A real local cluster in the test's own process, and jobs of small shell scripts.
namespace local_tests {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// A job whose master and workers run `sh -c <script>`.
inline pytorch_job scripts(std::string const& master, std::int32_t workers = 0, std::string const& worker = "",
                           std::string const& policy = "Never") {
    pytorch_job job;
    job.metadata.name = "sh";
    auto const add = [&](char const* type, std::int32_t count, std::string const& script) {
        auto& spec = test::add_replicas(job.spec.pytorch_replica_specs, type, count);
        spec.restart_policy = policy;
        auto& c = spec.template_.spec.containers[0];
        c.image = "none";
        c.command = {"sh", "-c", script};
    };
    add("Master", 1, master);
    if (workers != 0) add("Worker", workers, worker);
    return job;
}

/// Host processes whose command line contains the text.
inline std::vector<int> processes_with(std::string const& text) {
    std::vector<int> found;
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        auto const name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream in(entry.path() / "cmdline");
        std::ostringstream line;
        line << in.rdbuf();
        if (line.str().find(text) != std::string::npos) found.push_back(std::stoi(name));
    }
    return found;
}

/// Below it a cluster keeps its files; the name is new.
inline std::filesystem::path fresh_folder() {
    std::string made = "/tmp/kftrain-test-XXXXXX";
    BOOST_REQUIRE(::mkdtemp(made.data()) != nullptr);
    std::filesystem::remove(made);
    return made;
}

struct cluster : test::object_operations<cluster> {
    explicit cluster(local::local_cluster_options o = sandboxed()) : options(std::move(o)), local(io, options) {
        auto const started = local.start();
        BOOST_REQUIRE_MESSAGE(started.has_value(), (started ? "" : started.error().to_string()));
    }
    static local::local_cluster_options sandboxed() {
        local::local_cluster_options o;
        o.directory = fresh_folder();
        o.mode = local::isolation::namespaces;
        return o;
    }

    any_job submit(pytorch_job const& job) {
        auto stored = client.submit(job);
        BOOST_REQUIRE_MESSAGE(stored.has_value(), (stored ? "" : stored.error().to_string()));
        return *stored;
    }
    any_job wait(any_job const& job) {
        kube::wait_options o;
        auto finished = client.wait(job, o.with_timeout(60s));
        BOOST_REQUIRE_MESSAGE(finished.has_value(), (finished ? "" : finished.error().to_string()));
        return *finished;
    }
    /// Runs a job to its end; returns its phase and keeps its output by replica.
    job_phase run(pytorch_job const& job) {
        auto const stored = submit(job);
        auto const read =
            client.logs(stored, [this](log_line const& l) { output[l.member.pod_name] += l.text + "\n"; });
        BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
        return wait(stored).phase();
    }
    /// A pod without a name if there is none of this name.
    pod get_pod(std::string const& name) {
        auto p = kube::run_blocking<pod>(io.get_executor(), diagnostics(),
                                         [&](auto h) { objects<pod>().async_get(name, std::move(h)); });
        return p ? *p : pod();
    }
    void run_for(std::chrono::milliseconds t) {
        io.restart();
        io.run_for(t);
    }
    template <class Condition> bool until(Condition condition, std::chrono::seconds limit = 30s) {
        auto const deadline = std::chrono::steady_clock::now() + limit;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            run_for(20ms);
        }
        return true;
    }

    asio::io_context io;
    local::local_cluster_options options;
    local::local_cluster local;
    kube::client user = local.client();
    training_client client{user};
    std::map<std::string, std::string> output;
};

} // namespace local_tests

#endif
