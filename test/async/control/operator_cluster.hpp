#ifndef KFTRAIN_TEST_ASYNC_CONTROL_OPERATOR_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_OPERATOR_CLUSTER_HPP

#include "support/sample_jobs.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/controller.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <set>

/// The operator of PyTorchJob over an API server in the process; the test plays kubelet and user.
namespace operator_tests {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;

using names = std::vector<std::string>;

/// An operator and its own way to the server.
struct running_operator {
    explicit running_operator(apiserver::api_server& server, std::chrono::milliseconds lag = 0ms,
                              operator_options const& rules = operator_options())
        : link(std::make_shared<test::faulty_transport>(server.transport())),
          op(kube::client(link), options_of(rules)) {
        link->lag = [lag](kube::http_request const& watch) {
            return watch.target.find("/pytorchjobs") == std::string::npos ? lag : 0ms;
        };
        op.async_run(asio::bind_cancellation_slot(stop->slot(), [e = ended, s = stop](error_code ec) { *e = ec; }));
    }

    ~running_operator() { link->end(); }

    static control::job_operator_options options_of(operator_options const& rules) {
        control::job_operator_options options;
        options.rules = rules;
        return options;
    }

    std::shared_ptr<test::faulty_transport> link;
    /// Lives as long as the operation, which may outlive this.
    std::shared_ptr<asio::cancellation_signal> stop = std::make_shared<asio::cancellation_signal>();
    std::shared_ptr<std::optional<error_code>> ended = std::make_shared<std::optional<error_code>>();
    control::job_operator<pytorch_job> op;
};

inline pytorch_job sample(std::int32_t workers, std::string policy = "Never", std::string name = "pt") {
    auto job = test::sample_pytorch_job(std::move(name), workers, "corpus");
    for (auto& [type, spec] : job.spec.pytorch_replica_specs) spec.restart_policy = policy;
    return job;
}

/// Jobs and their objects are in the namespace `corpus`.
struct operator_cluster : test::served_cluster {
    operator_cluster() {
        serve<pytorch_job>();
        make_namespace("corpus");
        start_operator();
    }
    ~operator_cluster() {
        op.reset();
        run(300ms); // what was cancelled ends
    }

    void start_operator(std::chrono::milliseconds lag = 0ms, operator_options const& rules = operator_options()) {
        op = std::make_unique<running_operator>(server, lag, rules);
    }
    /// An operator that knows this gang scheduler, instead of the present one.
    void start_gang_operator(std::string scheduler) {
        training_operator_options family;
        family.gang_scheduler_name = std::move(scheduler);
        auto const rules = operator_options().set(family);
        serve_children(*job_rules_for<pytorch_job>().with(rules));
        op.reset();
        start_operator(0ms, rules);
    }

    void submit(pytorch_job const& job) { create(job, "corpus"); }
    pytorch_job job(std::string const& name = "pt") { return get<pytorch_job>(name, "corpus"); }
    /// The operator may write the status in between, as it may under any user.
    void change_job(std::function<void(pytorch_job&)> const& change) {
        for (int i = 0;; ++i) {
            auto j = job();
            change(j);
            auto const r = kube::run_blocking<pytorch_job>(io.get_executor(), diagnostics(),
                                                           [&](auto h) { jobs.async_replace(j, std::move(h)); });
            if (r) return;
            BOOST_REQUIRE_MESSAGE(is_conflict(r.error().code) && i < 10, r.error().to_string());
        }
    }
    void delete_stored_job() { remove<pytorch_job>("pt", "corpus"); }
    template <resource K> std::vector<K> all(kube::api<K>& of) {
        return ask<object_list<K>>([&](auto h) { of.async_list(std::move(h)); }).items;
    }
    template <resource K> names names_of(kube::api<K>& of) {
        names found;
        for (auto const& object : all(of)) found.push_back(object.metadata.name);
        std::sort(found.begin(), found.end());
        return found;
    }
    /// The kubelet's part: the state of a pod and of its container.
    void set(std::string const& name, std::string const& phase, int exit_code = 0) {
        change_status<pod>(
            name,
            [&](pod& p) {
                p.status.phase = phase;
                p.status.container_statuses.assign(1, core::container_status());
                auto& c = p.status.container_statuses[0];
                c.name = "pytorch";
                if (phase == "Running") c.state.running.emplace();
                if (phase == "Succeeded" || phase == "Failed") c.state.terminated.emplace().exit_code = exit_code;
            },
            "corpus");
    }
    /// Conditions as `Created=True Running=False`.
    std::string conditions(std::string const& name = "pt") {
        std::string text;
        for (auto const& c : job(name).status.conditions) {
            text += (text.empty() ? "" : " ") + c.type + "=" + c.status;
            BOOST_TEST(c.reason.starts_with("PyTorchJob"));
        }
        return text;
    }
    std::string message_of(std::string const& type) {
        for (auto const& c : job().status.conditions)
            if (c.type == type) return c.message;
        return "(absent)";
    }
    /// Events without those of creations, as `Normal Reason Message`, sorted.
    names happenings() {
        names found;
        for (auto const& e : all(events))
            if (!e.reason.starts_with("SuccessfulCreate")) found.push_back(e.type + " " + e.reason + " " + e.message);
        std::sort(found.begin(), found.end());
        return found;
    }
    /// Messages of creations, with the count where it is not 1, sorted.
    names creations() {
        names found;
        for (auto const& e : all(events))
            if (e.reason.starts_with("SuccessfulCreate"))
                found.push_back(e.message + (e.count == 1 ? "" : " x" + std::to_string(e.count)));
        std::sort(found.begin(), found.end());
        return found;
    }
    template <class Condition> void until(Condition condition) { BOOST_TEST(time.run_until(condition)); }
    void until_conditions(std::string const& expected) {
        until([&] { return conditions() == expected; });
        BOOST_TEST(conditions() == expected);
        calm();
    }
    /// Runs until nothing was written for a while.
    void calm() {
        for (auto before = server.store().version() - 1; before != server.store().version();) {
            before = server.store().version();
            run(60ms);
        }
    }

    kube::api<pytorch_job> jobs{user, "corpus"};
    kube::api<pod> pods{user, "corpus"};
    kube::api<service> services{user, "corpus"};
    kube::api<core::event> events{user, "corpus"};
    std::unique_ptr<running_operator> op;
};

inline void expect(names const& got, names const& wanted) {
    BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

} // namespace operator_tests

#endif
