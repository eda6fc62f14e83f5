#ifndef KFTRAIN_TEST_ASYNC_OPERATOR_WORLD_HPP
#define KFTRAIN_TEST_ASYNC_OPERATOR_WORLD_HPP

#include "local/cluster/job_resources.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/controller.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

/// The operator of PyTorchJob over an API server in the process; the test plays kubelet and user.
namespace operator_world {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;

using names = std::vector<std::string>;

/// Passes requests on, after the test has had a look at them; can fall silent for good.
class watched_transport final : public kube::transport {
public:
    explicit watched_transport(std::shared_ptr<kube::transport> t) : inner_(std::move(t)) {}

    asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override {
        if (before && !silent) before(request);
        bool const late = lag.count() != 0 && request.target.find("watch=") != std::string::npos &&
                          request.target.find("/pytorchjobs") == std::string::npos;
        if (ended_)
            asio::post(get_executor(), asio::append(std::move(handler), aborted(), kube::streamed_response()));
        else if (silent)
            lost_.push_back(
                std::make_unique<kube::any_handler<void(error_code, kube::streamed_response)>>(std::move(handler)));
        else
            inner_->async_open(std::move(request), late ? delayed(std::move(handler)) : std::move(handler));
    }

    std::function<void(kube::http_request const&)> before;
    bool silent = false;
    /// Ends the silence, so that what still waits can end: nothing gets through any more.
    void end() {
        if (silent) ended_ = true;
        for (auto& h : std::exchange(lost_, {}))
            asio::post(get_executor(), asio::append(std::move(*h), aborted(), kube::streamed_response()));
    }
    std::chrono::milliseconds lag{0}; ///< of the events in watches of children

private:
    static error_code aborted() { return asio::error::operation_aborted; }

    bool ended_ = false;
    using open_handler = kube::any_handler<void(error_code, kube::streamed_response)>;

    class late_body final : public kube::body_stream {
    public:
        late_body(std::unique_ptr<kube::body_stream> b, asio::any_io_executor ex, std::chrono::milliseconds lag)
            : body_(std::move(b)), timer_(std::make_shared<kube::detail::timer>(std::move(ex))), lag_(lag) {}

        void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
            auto const slot = asio::get_associated_cancellation_slot(handler);
            body_->async_read(asio::bind_cancellation_slot(
                slot, [t = timer_, lag = lag_, h = std::move(handler)](error_code ec, std::string piece) mutable {
                    t->expires_after(ec ? 0ms : lag);
                    t->async_wait([h = std::move(h), ec, p = std::move(piece)](error_code) mutable {
                        std::move(h)(ec, std::move(p));
                    });
                }));
        }

    private:
        std::unique_ptr<kube::body_stream> body_;
        std::shared_ptr<kube::detail::timer> timer_;
        std::chrono::milliseconds lag_;
    };

    open_handler delayed(open_handler handler) {
        auto const slot = asio::get_associated_cancellation_slot(handler);
        return asio::bind_cancellation_slot(slot, [ex = get_executor(), l = lag, h = std::move(handler)](
                                                      error_code ec, kube::streamed_response r) mutable {
            if (r.body) r.body = std::make_unique<late_body>(std::move(r.body), ex, l);
            std::move(h)(ec, std::move(r));
        });
    }

    std::shared_ptr<kube::transport> inner_;
    std::vector<std::unique_ptr<kube::any_handler<void(error_code, kube::streamed_response)>>> lost_;
};

/// An operator and its own way to the server.
struct running_operator {
    explicit running_operator(apiserver::api_server& server, std::chrono::milliseconds lag = 0ms,
                              operator_options const& rules = operator_options())
        : link(std::make_shared<watched_transport>(server.transport())), op(kube::client(link), options_of(rules)) {
        link->lag = lag;
        op.async_run(asio::bind_cancellation_slot(stop->slot(), [e = ended, s = stop](error_code ec) { *e = ec; }));
    }

    ~running_operator() { link->end(); }

    static control::job_operator_options options_of(operator_options const& rules) {
        control::job_operator_options options;
        options.rules = rules;
        return options;
    }

    std::shared_ptr<watched_transport> link;
    /// Lives as long as the operation, which may outlive this.
    std::shared_ptr<asio::cancellation_signal> stop = std::make_shared<asio::cancellation_signal>();
    std::shared_ptr<std::optional<error_code>> ended = std::make_shared<std::optional<error_code>>();
    control::job_operator<pytorch_job> op;
};

inline pytorch_job sample(std::int32_t workers, std::string policy = "Never", std::string name = "pt") {
    pytorch_job job;
    job.metadata.name = std::move(name);
    job.metadata.namespace_ = "corpus";
    for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Master", 1), {"Worker", workers}}) {
        auto& spec = job.spec.pytorch_replica_specs[type];
        spec.replicas = count;
        spec.restart_policy = policy;
        auto& c = spec.template_.spec.containers.emplace_back();
        c.name = "pytorch";
        c.image = "example.com/train:1";
    }
    return job;
}

struct world {
    world() {
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        make_namespace(user);
        start_operator();
    }
    ~world() {
        op.reset();
        run(300ms); // what was cancelled ends
    }
    /// The one that the jobs are in.
    void make_namespace(kube::client const& of) {
        core::namespace_ corpus;
        corpus.metadata.name = "corpus";
        ask<std::string>([&](auto h) {
            of.async_call(kube::request::create(core::namespace_::resource, "", to_json(corpus)), kube::call_options(),
                          std::move(h));
        });
    }
    void start_operator(std::chrono::milliseconds lag = 0ms, operator_options const& rules = operator_options()) {
        op = std::make_unique<running_operator>(server, lag, rules);
    }
    /// An operator that knows this gang scheduler, instead of the present one.
    void start_gang_operator(std::string scheduler) {
        training_operator_options family;
        family.gang_scheduler_name = std::move(scheduler);
        auto const rules = operator_options().set(family);
        for (auto& d : local::child_resources_for(*job_rules_for<pytorch_job>().with(rules)))
            BOOST_REQUIRE(server.register_resource(std::move(d)).has_value());
        op.reset();
        start_operator(0ms, rules);
    }

    template <class T, class Start> T ask(Start start) {
        auto r = kube::run_blocking<T>(io.get_executor(), diagnostics(), std::move(start));
        BOOST_REQUIRE_MESSAGE(r.has_value(), (r ? "" : r.error().to_string()));
        return *std::move(r);
    }
    void submit(pytorch_job const& job) {
        ask<pytorch_job>([&](auto h) { jobs.async_create(job, std::move(h)); });
    }
    pytorch_job job(std::string const& name = "pt") {
        return ask<pytorch_job>([&](auto h) { jobs.async_get(name, std::move(h)); });
    }
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
    void delete_stored_job() {
        kube::run_blocking(io.get_executor(), diagnostics(), [&](auto h) {
            jobs.async_delete("pt", std::move(h));
        }).value();
    }
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
        auto p = ask<pod>([&](auto h) { pods.async_get(name, std::move(h)); });
        p.status.phase = phase;
        p.status.container_statuses.assign(1, core::container_status());
        auto& c = p.status.container_statuses[0];
        c.name = "pytorch";
        if (phase == "Running") c.state.running.emplace();
        if (phase == "Succeeded" || phase == "Failed") c.state.terminated.emplace().exit_code = exit_code;
        ask<pod>([&](auto h) { pods.async_replace_status(p, std::move(h)); });
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
    void run(std::chrono::milliseconds t) { time.advance(t); }
    /// Runs until nothing was written for a while.
    void calm() {
        for (auto before = server.store().version() - 1; before != server.store().version();) {
            before = server.store().version();
            run(60ms);
        }
    }

    asio::io_context io;
    kftrain::test::simulated_time& time = kftrain::test::simulated_time::install_free(io);
    apiserver::api_server server{io.get_executor()};
    kube::client user{server.transport()};
    kube::api<pytorch_job> jobs{user, "corpus"};
    kube::api<pod> pods{user, "corpus"};
    kube::api<service> services{user, "corpus"};
    kube::api<core::event> events{user, "corpus"};
    std::unique_ptr<running_operator> op;
};

inline void expect(names const& got, names const& wanted) {
    BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

} // namespace operator_world

#endif
