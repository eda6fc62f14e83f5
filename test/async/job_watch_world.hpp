#ifndef KFTRAIN_TEST_ASYNC_JOB_WATCH_WORLD_HPP
#define KFTRAIN_TEST_ASYNC_JOB_WATCH_WORLD_HPP

#include "async/faulty_transport.hpp"
#include "local/cluster/job_resources.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/core/namespace.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Jobs over an API server in the process whose answers the test can spoil; it plays operator and kubelet, too.
namespace job_watch_world {

using namespace kftrain;
using namespace std::chrono_literals;
using test::fault;
namespace asio = boost::asio;

using names = std::vector<std::string>;

/// The state without its version, since a new version alone is not reported.
inline job_state without_version(job_state s) {
    s.resource_version.clear();
    return s;
}

struct world {
    world() {
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        link->judge = [this](kube::http_request const& r) -> std::optional<fault> {
            if (r.method == "GET") ++asked[what(r)];
            return judge ? judge(r) : std::nullopt;
        };
    }

    /// `watch pods`, `list pytorchjobs`, `get pytorchjobs`
    static std::string what(kube::http_request const& r) {
        auto path = r.target.substr(0, r.target.find('?'));
        bool const watch = r.target.find("watch=") != std::string::npos;
        for (auto const* plural : {"pytorchjobs", "pods"}) {
            auto const at = path.find(std::string("/") + plural);
            if (at == std::string::npos) continue;
            bool const one = path.size() > at + 1 + std::string(plural).size();
            return (watch ? "watch " : one ? "get " : "list ") + std::string(plural);
        }
        return "other";
    }

    template <class T, class Start> T ask(Start start) {
        auto r = kube::run_blocking<T>(io.get_executor(), diagnostics(), std::move(start));
        BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : r.error().to_string()));
        return *std::move(r);
    }
    void make_namespace(std::string name) {
        core::namespace_ n;
        n.metadata.name = std::move(name);
        server.add_object(any_object(std::move(n))).value();
    }
    static pytorch_job sample(std::string name, std::int32_t workers = 1, std::string ns = "default") {
        pytorch_job job;
        job.metadata.name = std::move(name);
        job.metadata.namespace_ = std::move(ns);
        for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Master", 1), {"Worker", workers}}) {
            auto& spec = job.spec.pytorch_replica_specs[type];
            spec.replicas = count;
            auto& c = spec.template_.spec.containers.emplace_back();
            c.name = "pytorch";
            c.image = "none";
        }
        return job;
    }
    /// By somebody else, whose requests nothing spoils.
    any_job submit(pytorch_job const& job) {
        return ask<any_job>([&](auto h) { user.async_submit(job, submit_options(), std::move(h)); });
    }
    any_job submit(std::string name, std::int32_t workers = 1) { return submit(sample(std::move(name), workers)); }
    kube::api<pytorch_job> jobs(std::string const& ns = "default") { return {user.get_client(), ns}; }
    kube::api<pod> pods(std::string const& ns = "default") { return {user.get_client(), ns}; }

    void change(std::string const& name, std::function<void(pytorch_job&)> const& how, bool status = false) {
        auto all = jobs();
        auto j = ask<pytorch_job>([&](auto h) { all.async_get(name, std::move(h)); });
        how(j);
        ask<pytorch_job>(
            [&](auto h) { status ? all.async_replace_status(j, std::move(h)) : all.async_replace(j, std::move(h)); });
    }
    void set_condition(std::string const& name, std::string const& type) {
        change(
            name,
            [&](pytorch_job& j) {
                for (auto& c : j.status.conditions) c.status = "False";
                auto& c = j.status.conditions.emplace_back();
                c.type = type;
                c.status = "True";
                c.reason = "PyTorchJob" + type;
            },
            true);
    }
    void remove(std::string const& name) {
        auto all = jobs();
        kube::run_blocking(io.get_executor(), diagnostics(), [&](auto h) {
            all.async_delete(name, std::move(h));
        }).value();
    }
    /// Those that the operator would make.
    void make_pods(std::string const& name, std::string const& ns = "default") {
        auto all = jobs(ns);
        any_job const job = ask<pytorch_job>([&](auto h) { all.async_get(name, std::move(h)); });
        for (auto const& object : job.render())
            if (auto const* const p = object.get_if<pod>()) {
                pod stored = *p;
                stored.metadata.namespace_ = ns;
                server.add_object(any_object(std::move(stored))).value();
            }
    }
    void set_pod(std::string const& name, std::string const& phase, bool ready = true) {
        auto all = pods();
        auto p = ask<pod>([&](auto h) { all.async_get(name, std::move(h)); });
        p.status.phase = phase;
        p.status.container_statuses.assign(1, core::container_status());
        auto& c = p.status.container_statuses[0];
        c.name = "pytorch";
        if (phase == "Running") c.state.running.emplace();
        if (phase == "Failed") c.state.terminated.emplace().exit_code = 1;
        if (phase == "Succeeded") c.state.terminated.emplace();
        c.ready = phase == "Running" && ready;
        ask<pod>([&](auto h) { all.async_replace_status(p, std::move(h)); });
    }
    void remove_pod(std::string const& name) {
        kube::delete_options now;
        now.grace_period_seconds = 0;
        auto all = pods();
        kube::run_blocking(io.get_executor(), diagnostics(), [&](auto h) {
            all.async_delete(name, now, std::move(h));
        }).value();
    }
    /// What there is to know of every job that the server has, by key.
    std::map<std::string, job_state> truth() {
        auto const all_jobs = ask<object_list<pytorch_job>>(
            [&](auto h) { kube::api<pytorch_job>::all_namespaces(user.get_client()).async_list(std::move(h)); });
        auto const all_pods = ask<object_list<pod>>(
            [&](auto h) { kube::api<pod>::all_namespaces(user.get_client()).async_list(std::move(h)); });
        std::vector<std::shared_ptr<pod const>> seen;
        for (auto const& p : all_pods.items) seen.push_back(std::make_shared<pod const>(p));
        std::map<std::string, job_state> states;
        for (auto const& j : all_jobs.items)
            states[j.metadata.namespace_ + "/" + j.metadata.name] = without_version(job_state_of(any_job(j), seen));
        return states;
    }

    template <class Condition> bool until(Condition condition) {
        auto const deadline = std::chrono::steady_clock::now() + 30s;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            io.restart();
            io.run_one_for(5ms);
        }
        return true;
    }
    void run(std::chrono::milliseconds t) { time.advance(t); }

    asio::io_context io;
    test::simulated_time& time = test::simulated_time::install_free(io);
    apiserver::api_server server{io.get_executor(), [] {
                                     apiserver::api_server_options o;
                                     o.collect_garbage = false;
                                     return o;
                                 }()};
    std::shared_ptr<test::faulty_transport> link = std::make_shared<test::faulty_transport>(server.transport());
    std::function<std::optional<fault>(kube::http_request const&)> judge;
    std::map<std::string, int> asked;
    training_client user{kube::client(server.transport())};
    training_client client{kube::client(link, kube::client_options().with_max_connect_attempts(1))};
};

/// The changes of a watch, one at a time.
struct followed {
    explicit followed(job_watch w) : watch(std::move(w)) {}

    /// Whether the next change came within a second.
    std::optional<job_change> next(std::chrono::milliseconds t = 1s) {
        auto r = watch.next(kube::next_options().with_timeout(t).with_detail(why));
        error = r ? error_code() : r.error().code;
        if (!r) return std::nullopt;
        if (r->kind == change_kind::deleted)
            last.erase(r->state.job.namespace_ + "/" + r->state.job.name);
        else
            last[r->state.job.namespace_ + "/" + r->state.job.name] = without_version(r->state);
        return *r;
    }
    /// `added a Created`
    std::string text(std::chrono::milliseconds t = 1s) {
        auto const c = next(t);
        if (!c) return error.message();
        return std::string(to_string(c->kind)) + " " + c->state.job.name + " " +
               std::string(to_string(c->state.phase)) + (c->initial ? " initial" : "");
    }
    void all(std::chrono::milliseconds quiet = 300ms) {
        while (next(quiet)) {}
    }

    job_watch watch;
    diagnostics why;
    error_code error;
    std::map<std::string, job_state> last;
};

/// A wait whose outcome is looked at later.
struct waiting {
    waiting(world& w, job_reference job, wait_condition condition, kube::wait_options o = {}) {
        w.client.async_wait(std::move(job), std::move(condition), o.with_detail(why),
                            asio::bind_cancellation_slot(stop.slot(), [this](error_code e, any_job j) {
                                ended = e;
                                job_then = std::move(j);
                            }));
    }

    diagnostics why;
    std::optional<error_code> ended;
    any_job job_then;
    asio::cancellation_signal stop;
};

inline void finish(world& w, waiting& x) {
    BOOST_TEST_REQUIRE(w.until([&] { return x.ended.has_value(); }));
}

inline job_watch_options pytorch_jobs() { return job_watch_options().with_kind<pytorch_job>(); }

} // namespace job_watch_world

#endif
