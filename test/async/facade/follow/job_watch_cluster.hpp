#ifndef KFTRAIN_TEST_ASYNC_FACADE_FOLLOW_JOB_WATCH_CLUSTER_HPP
#define KFTRAIN_TEST_ASYNC_FACADE_FOLLOW_JOB_WATCH_CLUSTER_HPP

#include "support/sample_jobs.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/post.hpp>

#include <map>
#include <optional>
#include <set>

/// Jobs over an API server in the process whose answers the test can spoil; it plays operator and kubelet, too.
namespace job_watch_tests {

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

struct job_watch_cluster : test::served_cluster {
    job_watch_cluster() : test::served_cluster(without_garbage_collection()) {
        serve<pytorch_job>();
        link->judge = [this](kube::http_request const& r) -> std::optional<fault> {
            if (r.method == "GET") ++requests[what(r)];
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

    static apiserver::api_server_options without_garbage_collection() {
        apiserver::api_server_options o;
        o.collect_garbage = false;
        return o;
    }
    static pytorch_job sample(std::string name, std::int32_t workers = 1, std::string ns = "default") {
        return test::sample_pytorch_job(std::move(name), workers, std::move(ns));
    }
    any_job submit(pytorch_job const& job) {
        return ask<any_job>([&](auto h) { training_client(user).async_submit(job, submit_options(), std::move(h)); });
    }
    any_job submit(std::string name, std::int32_t workers = 1) { return submit(sample(std::move(name), workers)); }
    kube::api<pytorch_job> jobs(std::string const& ns = "default") { return {user, ns}; }
    kube::api<pod> pods(std::string const& ns = "default") { return {user, ns}; }

    template <class Change> void change(std::string const& name, Change how) {
        test::served_cluster::change<pytorch_job>(name, how);
    }
    void set_condition(std::string const& name, std::string const& type) {
        change_status<pytorch_job>(name, [&](pytorch_job& j) {
            for (auto& c : j.status.conditions) c.status = "False";
            auto& c = j.status.conditions.emplace_back();
            c.type = type;
            c.status = "True";
            c.reason = "PyTorchJob" + type;
        });
    }
    void remove(std::string const& name) { test::served_cluster::remove<pytorch_job>(name); }
    /// Makes the pods that the operator would make.
    void make_pods(std::string const& name, std::string const& ns = "default") {
        any_job const job = get<pytorch_job>(name, ns);
        for (auto const& object : job.render())
            if (auto const* const p = object.get_if<pod>()) {
                pod stored = *p;
                stored.metadata.namespace_ = ns;
                server.add_object(any_object(std::move(stored))).value();
            }
    }
    void set_pod(std::string const& name, std::string const& phase, bool ready = true) {
        change_status<pod>(name, [&](pod& p) {
            p.status.phase = phase;
            p.status.container_statuses.assign(1, core::container_status());
            auto& c = p.status.container_statuses[0];
            c.name = "pytorch";
            if (phase == "Running") c.state.running.emplace();
            if (phase == "Failed") c.state.terminated.emplace().exit_code = 1;
            if (phase == "Succeeded") c.state.terminated.emplace();
            c.ready = phase == "Running" && ready;
        });
    }
    /// The state of every job on the server, by key.
    std::map<std::string, job_state> truth() {
        auto const all_jobs = ask<object_list<pytorch_job>>(
            [&](auto h) { kube::api<pytorch_job>::all_namespaces(user).async_list(std::move(h)); });
        auto const all_pods =
            ask<object_list<pod>>([&](auto h) { kube::api<pod>::all_namespaces(user).async_list(std::move(h)); });
        std::vector<std::shared_ptr<pod const>> seen;
        for (auto const& p : all_pods.items) seen.push_back(std::make_shared<pod const>(p));
        std::map<std::string, job_state> states;
        for (auto const& j : all_jobs.items)
            states[j.metadata.namespace_ + "/" + j.metadata.name] = without_version(job_state_of(any_job(j), seen));
        return states;
    }

    std::function<std::optional<fault>(kube::http_request const&)> judge;
    std::map<std::string, int> requests;
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
    waiting(job_watch_cluster& w, job_reference job, wait_condition condition, kube::wait_options o = {}) {
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

inline void finish(job_watch_cluster& w, waiting& x) {
    BOOST_TEST_REQUIRE(w.until([&] { return x.ended.has_value(); }));
}

inline job_watch_options pytorch_jobs() { return job_watch_options().with_kind<pytorch_job>(); }

} // namespace job_watch_tests

#endif
