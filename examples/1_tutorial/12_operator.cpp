// Two operators in a service: leader election, metrics, probes, and an end in good order.
// [readme]
#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/control/status_listener.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>

namespace asio = boost::asio;
namespace control = kftrain::control;
namespace kube = kftrain::kube;
using kftrain::error_code;

/// The operators of a process share an elector, metrics and a status listener.
class service {
public:
    service(kube::client const& client, std::shared_ptr<control::request_metrics const> requests)
        : elector_(
              std::make_shared<control::leader_elector>(client, control::leader_election_options()
                                                                    .with_name("trainer-operator")
                                                                    .with_namespace("default")
                                                                    .with_identity(control::make_identity("host-1")))),
          pytorch_(client, shared()),
          jax_(client, shared()),
          requests_(std::move(requests)),
          status_(control::status_listener::open(client.get_executor(), status_options()).value()) {}

    void start() {
        pytorch_.async_run(asio::bind_cancellation_slot(stop_pytorch_.slot(), [this](error_code ec) { ended(ec); }));
        jax_.async_run(asio::bind_cancellation_slot(stop_jax_.slot(), [this](error_code ec) { ended(ec); }));
        elector_->async_run(asio::bind_cancellation_slot(stop_elector_.slot(), [this](error_code ec) {
            std::cout << "elector: " << ec.message() << '\n'; // leadership_lost, or the lease was released
            stop();
            stop_status_.emit(asio::cancellation_type::terminal);
        }));
        status_.async_run(asio::bind_cancellation_slot(stop_status_.slot(), [](error_code) {}));
    }
    /// Call this on SIGTERM: the operators finish their work, and then the lease is released.
    void stop() {
        stop_pytorch_.emit(asio::cancellation_type::terminal);
        stop_jax_.emit(asio::cancellation_type::terminal);
    }
    std::string metrics() const {
        return control::prometheus_text({pytorch_.metrics(), jax_.metrics()}, requests_.get());
    }

private:
    control::job_operator_options shared() const {
        control::job_operator_options options;
        options.elector = elector_;
        options.controller.workers = 16;
        options.shutdown_grace = std::chrono::seconds(20);
        return options;
    }
    control::status_listener_options status_options() {
        return control::status_listener_options().with_metrics([this] { return metrics(); }).with_ready([this] {
            return pytorch_.has_synced() && jax_.has_synced();
        });
    }
    void ended(error_code ec) {
        std::cout << "operator: " << ec.message() << '\n';
        if (--running_ == 0) stop_elector_.emit(asio::cancellation_type::terminal);
    }

    // Declared first: a signal must outlive the runs that it cancels.
    asio::cancellation_signal stop_pytorch_, stop_jax_, stop_elector_, stop_status_;
    int running_ = 2;
    std::shared_ptr<control::leader_elector> elector_;
    control::job_operator<kftrain::pytorch_job> pytorch_;
    control::job_operator<kftrain::jax_job> jax_;
    std::shared_ptr<control::request_metrics const> requests_;
    control::status_listener status_;
};

kube::client_options counted_and_audited(std::shared_ptr<control::request_metrics const>& requests) {
    auto options = kube::client_options().with_user_agent("trainer-operator/1.0");
    options.with_before_request([](kube::http_request& r) { // the span of the caller's tracer
        r.fields.set("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    });
    options.with_on_request([](kube::request_report const& r) { // one line for each write
        if (r.subject.mutates()) std::cout << r.subject.verb << ' ' << r.subject.resource << ' ' << r.status << '\n';
    });
    requests = control::count_requests(options);
    return options;
}
// [readme end]

int main() {
    asio::io_context context;
    kftrain::apiserver::api_server cluster(context.get_executor()); // stands in for a cluster
    for (auto const& kind : {kftrain::pytorch_job::resource, kftrain::jax_job::resource})
        cluster.register_resource(kftrain::apiserver::resource_definition(kind)).value();
    std::shared_ptr<control::request_metrics const> requests;
    kube::client const client(cluster.transport(), counted_and_audited(requests));
    service operators(client, requests);
    operators.start();

    // Meanwhile, in another program: a user submits a job and waits until its operator has accepted it.
    kube::api<kftrain::pytorch_job> const jobs(kube::client(cluster.transport()), "default");
    kftrain::pytorch_job job;
    job.metadata.name = "mnist";
    auto& master = job.spec.pytorch_replica_specs["Master"];
    master.replicas = 1;
    auto& container = master.template_.spec.containers.emplace_back();
    container.name = "pytorch";
    container.image = "example.com/train:1";
    jobs.async_create(job, [](error_code ec, kftrain::pytorch_job const&) {
        if (ec) std::cout << "create: " << ec.message() << '\n';
    });
    bool seen = false;
    auto const is_taken_up = [](kftrain::pytorch_job const* j) {
        return j != nullptr && !j->status.conditions.empty();
    };
    auto const limit = kube::wait_options().with_timeout(std::chrono::seconds(30));
    kube::async_wait(jobs, "mnist", is_taken_up, limit, [&](error_code ec, kftrain::pytorch_job const&) {
        auto const led =
            operators.metrics().find("leader_election_master_status{name=\"default/trainer-operator\"} 1\n");
        seen = !ec && led != std::string::npos;
        operators.stop();
    });
    context.run();
    return seen ? 0 : 1;
}
