// usage: bench_operator [--jobs N] [--rounds N] [--json] [--kubeconfig FILE]
//
// The operator of PyTorchJobs in a process of its own with 200 jobs of 8 pods, over HTTPS with the API server of this
// library in another. A driver creates the jobs at once, sets each pod to Running when it sees it and, when all pods of
// its job run, to Succeeded. Printed are the time until the last job has succeeded, processor time and requests of the
// operator for each job, and its peak memory. `--kubeconfig`: only the operator, for that server, until SIGTERM;
// somebody else drives.
#include "bench/client/connected_client.hpp"
#include "bench/server/api_server_process.hpp"
#include "bench/server/job_driver.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/measurement.hpp"

#include <kftrain/control/job_operator.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/signal_set.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <signal.h>

namespace {

using namespace kftrain::bench;
namespace asio = boost::asio;
namespace kube = kftrain::kube;

constexpr std::array<std::string_view, 5> methods{"GET", "POST", "PUT", "PATCH", "DELETE"};
using method_counts = std::array<long, methods.size()>;

/// Passes on all requests and counts them.
class counting_transport final : public kube::transport {
public:
    counting_transport(std::shared_ptr<kube::transport> inner, method_counts& counts)
        : inner_(std::move(inner)), counts_(counts) {}

    asio::any_io_executor get_executor() const noexcept override { return inner_->get_executor(); }
    void async_open(kube::http_request request,
                    kube::any_handler<void(kftrain::error_code, kube::streamed_response)> handler) override {
        auto const at = std::find(methods.begin(), methods.end(), request.method);
        if (at != methods.end()) ++counts_[static_cast<std::size_t>(at - methods.begin())];
        inner_->async_open(std::move(request), std::move(handler));
    }
    std::string redact(std::string text) const override { return inner_->redact(std::move(text)); }

private:
    std::shared_ptr<kube::transport> inner_;
    method_counts& counts_;
};

struct operator_costs {
    measurement work;
    method_counts requests{};
};

/// Until SIGTERM.
operator_costs operate(kube::config const& server, std::function<void()> const& ready) {
    operator_costs costs;
    asio::io_context context(1);
    auto const begin = instant::now();
    auto transport = kube::make_https_transport(context.get_executor(), server);
    if (!transport) give_up(transport.error().to_string());
    kftrain::control::job_operator<kftrain::pytorch_job> op(
        connect(std::make_shared<counting_transport>(std::move(*transport), costs.requests)));
    asio::cancellation_signal stop;
    asio::signal_set end(context, SIGTERM, SIGINT);
    end.async_wait([&](kftrain::error_code, int) { stop.emit(asio::cancellation_type::total); });
    op.async_run(asio::bind_cancellation_slot(stop.slot(), [&](kftrain::error_code) { context.stop(); }));
    ready();
    context.run();
    costs.work = between(begin, instant::now(), 1);
    return costs;
}

/// `measurement::wall` becomes the time that the driver saw.
operator_costs driven(int jobs) {
    server_process const server;
    auto const config = config_of(server.address());
    child_process const op([&](child_process::send_function const& send) {
        auto const costs = operate(config, [&] { send("ready"); });
        send(std::string_view(reinterpret_cast<char const*>(&costs), sizeof costs));
    });
    op.receive();
    double const wall = drive_jobs(config, jobs);
    op.signal(SIGTERM);
    auto const bytes = op.receive();
    operator_costs costs;
    std::memcpy(&costs, bytes.data(), sizeof costs);
    costs.work.wall = wall;
    costs.work.count = jobs;
    return costs;
}

double median(std::vector<operator_costs> const& all, std::function<double(operator_costs const&)> const& value) {
    std::vector<double> v;
    for (auto const& c : all) v.push_back(value(c));
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

void print_json(operator_costs const& c) {
    std::printf(
        "{\"what\":\"operator\",\"wall\":%.3f,\"cpu\":%.3f,\"user\":%.3f,\"sys\":%.3f,\"per\":%.1f,\"maxrss_mb\":%.1f",
        c.work.wall, c.work.cpu(), c.work.user, c.work.sys, c.work.per_us(), c.work.maxrss_mb);
    for (std::size_t i = 0; i < methods.size(); ++i) std::printf(",\"%s\":%ld", methods[i].data(), c.requests[i]);
    std::printf("}\n");
}

} // namespace

int main(int argc, char** argv) {
    arguments const a(argc, argv, "bench_operator [--jobs N] [--rounds N] [--json] [--kubeconfig FILE]");
    int const jobs = static_cast<int>(a.number("--jobs", 200));
    if (names_server(a)) {
        auto costs = operate(config_of(a), [] {});
        costs.work.count = jobs;
        print_json(costs);
        return 0;
    }
    if (a.has("--json")) {
        print_json(driven(jobs));
        return 0;
    }
    int const rounds = static_cast<int>(a.number("--rounds", 3));
    std::vector<operator_costs> all;
    for (int i = 0; i < rounds; ++i) all.push_back(driven(jobs));
    std::printf("%d jobs of %d pods; %d rounds\n", jobs, pods_per_job, rounds);
    auto const print = [&](std::string const& what, std::function<double(operator_costs const&)> const& value) {
        std::printf("  %-36s %10.2f\n", what.c_str(), median(all, value));
    };
    print("until the last has succeeded: s", [](auto const& c) { return c.work.wall; });
    print("CPU of the operator for a job: ms", [](auto const& c) { return 1e-3 * c.work.per_us(); });
    print("peak memory of the operator: MB", [](auto const& c) { return c.work.maxrss_mb; });
    for (std::size_t m = 0; m < methods.size(); ++m)
        print("requests for a job: " + std::string(methods[m]),
              [&](auto const& c) { return static_cast<double>(c.requests[m]) / jobs; });
}
