// usage: bench_create [--count N] [--in-flight M] [--rounds N] [--json] [--kubeconfig FILE --namespace NS --prefix P]
//
// Submits 1000 PyTorchJobs over HTTPS, 16 in flight, to the API server of this library in a process of its own; beside
// the training client Beast on as many kept connections, with what `boost::json::serialize` made, parsing each answer.
// Only the client counts. `--json`: this library alone, once, as one line of JSON; also to the server of a kubeconfig.
#include "bench/client/connected_client.hpp"
#include "bench/client/plain_client.hpp"
#include "bench/samples/sample_submission.hpp"
#include "bench/server/api_server_process.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/measurement.hpp"

#include <kftrain/training_client.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <unistd.h>

namespace {

using namespace kftrain::bench;
namespace kube = kftrain::kube;
namespace json = boost::json;

struct creation {
    std::string ns, prefix;
    long count;
    int in_flight;
};

class submitter {
public:
    submitter(kube::client client, creation const& c)
        : trainer_(std::move(client), c.ns), creation_(c), base_(sample_submission(c.ns)) {}

    void submit_next() {
        if (next_ == creation_.count) return;
        auto job = base_;
        job.metadata.name = creation_.prefix + std::to_string(next_++);
        trainer_.async_submit(kftrain::any_job(std::move(job)), {}, [this](kftrain::error_code ec, kftrain::any_job) {
            if (ec) give_up(ec.message());
            ++done_;
            submit_next();
        });
    }
    long done() const noexcept { return done_; }

private:
    kftrain::training_client trainer_;
    creation creation_;
    kftrain::pytorch_job base_;
    long next_ = 0, done_ = 0;
};

measurement create_with_kftrain(kube::config const& server, creation const& c) {
    boost::asio::io_context context(1);
    submitter s(connect(context, server), c);
    auto const begin = instant::now();
    for (int i = 0; i < c.in_flight; ++i) s.submit_next();
    context.run();
    if (s.done() != c.count) give_up("jobs are missing");
    return between(begin, instant::now(), static_cast<double>(c.count));
}

measurement create_with_beast(server_address const& server, creation const& c) {
    auto const base = json::parse(kftrain::to_json(sample_submission(c.ns)));
    auto const begin = instant::now();
    send_all(
        server, c.in_flight, c.count,
        [&](long i) {
            auto job = base;
            job.at("metadata").as_object()["name"] = c.prefix + std::to_string(i);
            plain_request r;
            r.target = "/apis/kubeflow.org/v1/namespaces/" + c.ns + "/pytorchjobs";
            r.body = json::serialize(job);
            return r;
        },
        [](std::string const& answer) { keep(json::parse(answer)); });
    return between(begin, instant::now(), static_cast<double>(c.count));
}

} // namespace

int main(int argc, char** argv) {
    arguments const a(argc, argv,
                      "bench_create [--count N] [--in-flight M] [--rounds N] [--json] "
                      "[--kubeconfig FILE --namespace NS --prefix P]");
    creation const c{a.text("--namespace", "default"), a.text("--prefix", "bench-"), a.number("--count", 1000),
                     static_cast<int>(a.number("--in-flight", 16))};
    if (names_server(a)) {
        print_json("create", create_with_kftrain(config_of(a), c));
        return 0;
    }
    server_process const server;
    auto const config = config_of(server.address());
    if (a.has("--json")) {
        print_json("create", create_with_kftrain(config, c));
        return 0;
    }
    // Called in the process that sends them: the names are new ones.
    auto const renamed = [&] {
        auto other = c;
        other.prefix += std::to_string(::getpid()) + "-";
        return other;
    };
    comparison all;
    all.add("Beast, boost::json", [&] { return create_with_beast(server.address(), renamed()); });
    all.add("kftrain: training_client", [&] { return create_with_kftrain(config, renamed()); });
    all.run(std::to_string(c.count) + " creates of PyTorchJobs, " + std::to_string(c.in_flight) + " in flight",
            static_cast<int>(a.number("--rounds", 5)));
}
