// usage: bench_submit [--count N]
//
// Submits 200 PyTorchJobs by the training client through a transport that answers at once: what a create costs the
// client without connection, TLS and HTTP. Deterministic, so that `valgrind --tool=callgrind` counts the same
// instructions each time; the difference of two counts is that of the creates alone.
#include "bench/samples/sample_submission.hpp"
#include "bench/support/arguments.hpp"

#include <kftrain/kube/transport.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstdio>
#include <memory>

namespace {

using namespace kftrain;
namespace asio = boost::asio;

class whole_body final : public kube::body_stream {
public:
    whole_body(asio::any_io_executor executor, std::string text)
        : executor_(std::move(executor)), text_(std::move(text)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        asio::post(executor_, [h = std::move(handler)]() mutable {
            std::move(h)(make_error_code(asio::error::misc_errors::eof), std::string());
        });
    }
    std::optional<std::string> take_whole() override { return std::exchange(text_, {}); }

private:
    asio::any_io_executor executor_;
    std::string text_;
};

/// Answers each create with the object and what a server adds to it.
class answering_transport final : public kube::transport {
public:
    explicit answering_transport(asio::any_io_executor executor) : executor_(std::move(executor)) {}

    asio::any_io_executor get_executor() const noexcept override { return executor_; }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override {
        static constexpr std::string_view begin = R"("metadata":{)";
        static constexpr std::string_view added =
            R"("uid":"5f0b3cf9-4a4d-4f0c-9a53-8d0f3a1f7a10","resourceVersion":"4711",)"
            R"("generation":1,"creationTimestamp":"2026-01-01T00:00:00Z",)";
        auto text = std::move(request.body);
        text.insert(text.find(begin) + begin.size(), added);
        kube::streamed_response answer;
        answer.head.status = 201;
        answer.body = std::make_unique<whole_body>(executor_, std::move(text));
        asio::post(executor_, [h = std::move(handler), a = std::move(answer)]() mutable {
            std::move(h)(error_code(), std::move(a));
        });
    }

private:
    asio::any_io_executor executor_;
};

} // namespace

int main(int argc, char** argv) {
    bench::arguments const a(argc, argv, "bench_submit [--count N]");
    asio::io_context context(1);
    training_client trainer(kube::client(std::make_shared<answering_transport>(context.get_executor())), "default");
    auto const base = bench::sample_submission("default");
    long const count = a.number("--count", 200);
    long created = 0;
    for (long i = 0; i < count; ++i) {
        auto job = base;
        job.metadata.name = "bench-" + std::to_string(i);
        trainer.async_submit(any_job(std::move(job)), {}, [&](error_code ec, any_job const& stored) {
            if (ec || stored.metadata().uid.empty()) bench::give_up("a job was not created: " + ec.message());
            ++created;
        });
        context.restart();
        context.run();
    }
    if (created != count) bench::give_up("jobs are missing");
    std::printf("%ld jobs created\n", created);
}
