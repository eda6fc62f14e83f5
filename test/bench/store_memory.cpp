// usage: bench_store_memory [OBJECTS [MEGABYTES]]
//
// What an API server keeps in memory: resident megabytes of the process before it holds OBJECTS (100000), with them, and after
// they were deleted one by one; beside it what the store says of itself. The watch log may take MEGABYTES (256).
#include <kftrain/apiserver/api_server.hpp>

#include <boost/asio/io_context.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace {

using namespace kftrain::apiserver;

double resident() {
    std::ifstream in("/proc/self/statm");
    long size = 0, pages = 0;
    in >> size >> pages;
    return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

struct bench {
    explicit bench(std::size_t log_bytes) {
        api_server_options options;
        options.watch_log_bytes = log_bytes;
        server.emplace(context.get_executor(), std::move(options));
        resource_definition d;
        d.version = "v1";
        d.kind = "Thing";
        d.plural = "things";
        if (!server->register_resource(std::move(d))) std::exit(1);
        link = server->transport();
    }

    void send(std::string method, std::string target, std::string body, unsigned expected) {
        kftrain::kube::http_request r;
        r.method = std::move(method);
        r.target = "/api/v1/namespaces/default/things" + std::move(target);
        r.body = std::move(body);
        r.fields.add("Content-Type", "application/json");
        link->async_open(std::move(r), [=](kftrain::error_code, kftrain::kube::streamed_response s) {
            if (s.head.status == expected) return;
            std::fprintf(stderr, "bench_store_memory: got status %u, expected %u\n", s.head.status, expected);
            std::exit(1);
        });
        context.restart();
        context.poll();
    }

    void print(char const* what) const {
        auto const u = server->store().usage();
        std::printf("%-28s %9.1f %12zu %9.1f %9zu %9.1f\n", what, resident(), u.objects,
                    static_cast<double>(u.object_bytes) / 1e6, u.log_events, static_cast<double>(u.log_bytes) / 1e6);
    }

    boost::asio::io_context context;
    std::optional<api_server> server;
    std::shared_ptr<kftrain::kube::transport> link;
};

std::string worker(int i) { return "worker-" + std::to_string(i); }

std::string text_of(int i) {
    return R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":")" + worker(i) +
           R"(","labels":{"training.kubeflow.org/job-name":"llm","training.kubeflow.org/replica-index":")" +
           std::to_string(i) + R"("}},"spec":{"containers":[{"name":"pytorch","image":"registry.example.com/llm:1",)" +
           R"("command":["torchrun","train.py"],"env":[{"name":"MASTER_ADDR","value":"llm-master-0"},)" +
           R"({"name":"WORLD_SIZE","value":"1024"},{"name":"RANK","value":")" + std::to_string(i) +
           R"("}],"resources":{"limits":{"cpu":"8","memory":"64Gi","nvidia.com/gpu":"8"}}}]}})";
}

} // namespace

int main(int argc, char** argv) {
    int const n = argc > 1 ? std::atoi(argv[1]) : 100'000;
    bench b(static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 256) << 20U);
    std::printf("%-28s %9s %12s %9s %9s %9s\n", "", "RSS MB", "objects", "MB", "events", "MB");
    b.print("before");
    for (int i = 0; i < n; ++i) b.send("POST", "", text_of(i), 201);
    b.print("with the objects");
    for (int i = 0; i < n; ++i) b.send("DELETE", "/" + worker(i), "", 200);
    b.print("after they were deleted");
}
