#ifndef KFTRAIN_TEST_ASYNC_CONTROL_PLANS_PLAYED_PLAN_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_PLANS_PLAYED_PLAN_HPP

#include "control/key_worker.hpp"
#include "control/plans/plan_executor.hpp"
#include "support/scripted_transport.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

/// Plans that run against a script.
namespace played_plan {

using namespace kftrain;
namespace asio = boost::asio;

/// The same keys and texts each time.
struct known_contents final : control::content_maker {
    result<rules::key_texts> make(rules::ssh_key) override {
        rules::key_texts k;
        k.private_pem = "private " + std::to_string(++count);
        k.public_line = "public " + std::to_string(count);
        return k;
    }
    result<std::string> make(rules::random_text const& t) override { return std::string(t.length, 'x'); }

    int count = 0;
};

inline pytorch_job primary() {
    pytorch_job job;
    job.metadata.namespace_ = "team";
    job.metadata.name = "pt";
    job.metadata.uid = "u1";
    job.metadata.resource_version = "5";
    job.spec.nproc_per_node = "2";
    return job;
}

/// Single actions against a script, with the requests and events that they cause.
struct played {
    /// Carries out one action and returns its failure as text; empty after success.
    std::string act(rules::action a, rules::status_form form = rules::status_form::subresource) {
        rules::plan todo;
        todo.steps.emplace_back().actions.push_back(std::move(a));
        return act(std::move(todo), form);
    }
    std::string act(rules::plan todo, rules::status_form form = rules::status_form::subresource) {
        kube::client client(link);
        control::event_recorder recorder(client, "test", [] { return time_point(); });
        control::plan_subject subject(any_object(primary()), form, contents);
        subject.keys = keys;
        std::optional<std::string> problem;
        asio::co_spawn(io,
                       control::carry_out(client, recorder, std::move(subject), std::move(todo), written,
                                          std::make_shared<control::write_budget>(4)),
                       [&](std::exception_ptr e, control::plan_outcome o) {
                           BOOST_TEST(!e);
                           outdated = o.outdated;
                           problem = o.problem.code ? o.problem.to_string() : std::string();
                       });
        io.restart();
        while (!problem && io.run_one_for(std::chrono::seconds(30)) != 0) {} // another thread may make the keys
        BOOST_TEST_REQUIRE(problem.has_value());
        time.run(std::chrono::seconds(2)); // for the events
        for (auto const& surprise : link->surprises()) BOOST_TEST(false, surprise);
        BOOST_TEST(link->played());
        return *problem;
    }
    kube::http_request const& request(std::size_t i = 0) const { return link->requests().at(i); }
    boost::json::value body(std::size_t i = 0) const { return boost::json::parse(request(i).body); }

    asio::io_context io;
    test::simulated_time& time = test::simulated_time::install_free(io);
    std::shared_ptr<test::scripted_transport> link = std::make_shared<test::scripted_transport>(io.get_executor());
    std::shared_ptr<known_contents> contents = std::make_shared<known_contents>();
    std::shared_ptr<control::key_worker> keys; ///< null: the contents
    std::shared_ptr<control::pending_writes> written = std::make_shared<control::pending_writes>();
    bool outdated = false;
};

inline std::string version(std::string const& v, std::string const& name = "a") {
    return R"({"metadata":{"name":")" + name + R"(","resourceVersion":")" + v + R"("}})";
}
inline std::string refusal(int code, std::string const& reason) {
    return R"({"kind":"Status","status":"Failure","message":"no","reason":")" + reason + R"(","code":)" +
           std::to_string(code) + "}";
}

inline core::config_map map_named(std::string name, std::string ns = "") {
    core::config_map m;
    m.metadata.name = std::move(name);
    m.metadata.namespace_ = std::move(ns);
    m.data["a"] = "b";
    return m;
}

constexpr std::string_view sets = "/apis/apps/v1/namespaces/team/statefulsets/s";
constexpr std::string_view jobs = "/apis/kubeflow.org/v1/namespaces/team/pytorchjobs/pt";

} // namespace played_plan

#endif
