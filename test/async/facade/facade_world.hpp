#ifndef KFTRAIN_TEST_ASYNC_FACADE_FACADE_WORLD_HPP
#define KFTRAIN_TEST_ASYNC_FACADE_FACADE_WORLD_HPP

#include "async/faulty_transport.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// A training_client over an API server in the process that serves all job kinds; the test decides what becomes of
/// requests.
namespace facade_world {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using test::fault;

inline pytorch_job sample(std::string name = "j", std::int32_t workers = 1) {
    pytorch_job job;
    job.metadata.name = std::move(name);
    for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Master", 1), {"Worker", workers}}) {
        auto& spec = job.spec.pytorch_replica_specs[type];
        spec.replicas = count;
        auto& c = spec.template_.spec.containers.emplace_back();
        c.name = "pytorch";
        c.image = "example.com/train:1";
    }
    return job;
}

inline pytorch_job elastic(std::int32_t workers, std::int32_t most) {
    auto job = sample("e", workers);
    job.spec.pytorch_replica_specs.erase("Master");
    job.spec.elastic_policy.emplace();
    job.spec.elastic_policy->min_replicas = 1;
    job.spec.elastic_policy->max_replicas = most;
    return job;
}

struct world {
    world() {
        for (auto const* kind : known_job_rules()) {
            server.register_resource(local::resource_for(*kind)).value();
            for (auto& d : local::child_resources_for(*kind)) server.register_resource(std::move(d)).value();
        }
        link->judge = [this](kube::http_request const& r) -> std::optional<fault> {
            asked.push_back(r.method + " " + r.target.substr(0, r.target.find('?')));
            return judge ? judge(r) : std::nullopt;
        };
    }

    /// How many requests of this method there were, to a target that contains this.
    std::size_t count(std::string const& method, std::string const& part) const {
        std::size_t n = 0;
        for (auto const& a : asked)
            if (a.starts_with(method + " ") && a.find(part) != std::string::npos) ++n;
        return n;
    }
    /// The faults come one after the other to creations; what is behind them is carried out.
    void fail_creations(std::vector<fault> faults) {
        auto left = std::make_shared<std::vector<fault>>(std::move(faults));
        judge = [left](kube::http_request const& r) -> std::optional<fault> {
            if (r.method != "POST" || left->empty()) return std::nullopt;
            auto f = left->front();
            left->erase(left->begin());
            return f;
        };
    }
    template <class Condition> bool until(Condition condition) { return time.run_until(condition); }

    asio::io_context io;
    test::simulated_time& time = test::simulated_time::install_free(io);
    apiserver::api_server server{io.get_executor()};
    std::shared_ptr<test::faulty_transport> link = std::make_shared<test::faulty_transport>(server.transport());
    std::function<std::optional<fault>(kube::http_request const&)> judge;
    std::vector<std::string> asked;
    training_client client{kube::client(link)};
};

inline std::string text_of(failure const& f) { return f.to_string() + " (" + f.code.message() + ")"; }

template <class T> T good(result<T> r) {
    BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : text_of(r.error())));
    return *std::move(r);
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace facade_world

#endif
