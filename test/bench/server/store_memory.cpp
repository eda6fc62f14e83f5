// usage: bench_store_memory [OBJECTS [MEGABYTES]]
//
// The memory of an API server: resident megabytes of the process before it holds OBJECTS (100000) pods of 4.7 KB, with
// them, and after they were deleted one by one; next to it the usage that the store reports, and at the end the memory
// for each pod. The watch log may take MEGABYTES (256).
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
        link = server->transport();
    }

    void send(std::string method, std::string target, std::string body, unsigned expected) {
        kftrain::kube::http_request r;
        r.method = std::move(method);
        r.target = "/api/v1/namespaces/default/pods" + std::move(target);
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

    std::size_t text_bytes(std::string const& name) const {
        auto const& store = server->store();
        return store.get(*store.find("", "v1", "pods"), "default", name).value()->text().size();
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

/// As an operator writes it: 4.7 KB once the server has added what it adds.
std::string text_of(int i) {
    auto const rank = std::to_string(i % 1024), job = "llm-" + std::to_string(i / 1024);
    std::string configuration;
    while (configuration.size() < 2'250) configuration += "epochs: 90; lr: 0.1; batch: 4096; ";
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + worker(i) +
           R"(","labels":{"team":"research","training.kubeflow.org/job-name":")" + job +
           R"(","training.kubeflow.org/operator-name":"pytorchjob-controller",)"
           R"("training.kubeflow.org/replica-index":")" +
           rank +
           R"(","training.kubeflow.org/replica-type":"worker"},"annotations":{"sidecar.istio.io/inject":"false",)"
           R"("example.com/config":")" +
           configuration + R"("},"ownerReferences":[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":")" +
           job +
           R"(","uid":"eedf4406-8cc1-4a27-a80e-dec2375df15f","controller":true,"blockOwnerDeletion":true}]},"spec":{)"
           R"("volumes":[{"name":"dshm","emptyDir":{"medium":"Memory","sizeLimit":"16Gi"}},)"
           R"({"name":"kube-api-access-58b35",)"
           R"("projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},)"
           R"({"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],)"
           R"("defaultMode":420}}],"containers":[{"name":"pytorch",)"
           R"("image":"registry.example.org/research/trainer:2.4.1-cuda12.4-cudnn9","command":["torchrun"],)"
           R"("args":["--nnodes=1024","--nproc-per-node=8","-m","train.pretrain",)"
           R"("--config=/data/configs/pretrain.yaml"],"ports":[{"name":"pytorchjob-port","containerPort":23456,)"
           R"("protocol":"TCP"}],"env":[{"name":"PYTHONUNBUFFERED","value":"1"},{"name":"MASTER_PORT",)"
           R"("value":"23456"},{"name":"MASTER_ADDR","value":")" +
           job + R"(-master-0"},{"name":"WORLD_SIZE","value":"1024"},{"name":"RANK","value":")" + rank +
           R"("},{"name":"PET_NODE_RANK","value":")" + rank +
           R"("},{"name":"PET_NNODES","value":"1024"})"
           R"(],"resources":{"limits":{"cpu":"64","memory":"512Gi","nvidia.com/gpu":"8"},)"
           R"("requests":{"cpu":"64","memory":"512Gi","nvidia.com/gpu":"8"}},"volumeMounts":[{"name":"dshm",)"
           R"("mountPath":"/dev/shm"},{"name":"kube-api-access-58b35","readOnly":true,"mountPath":)"
           R"("/var/run/secrets/kubernetes.io/serviceaccount"}]}],"restartPolicy":"OnFailure",)"
           R"("serviceAccountName":"default","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",)"
           R"("effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable",)"
           R"("operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]}})";
}

} // namespace

int main(int argc, char** argv) {
    int const n = argc > 1 ? std::atoi(argv[1]) : 100'000;
    bench b(static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 256) << 20U);
    std::printf("%-28s %9s %12s %9s %9s %9s\n", "", "RSS MB", "objects", "MB", "events", "MB");
    b.print("before");
    auto const before = resident();
    for (int i = 0; i < n; ++i) b.send("POST", "", text_of(i), 201);
    b.print("with the objects");
    auto const each = (resident() - before) * 1e6 / n;
    auto const text = b.text_bytes(worker(0));
    for (int i = 0; i < n; ++i) b.send("DELETE", "/" + worker(i), "", 200);
    b.print("after they were deleted");
    std::printf("\nA pod, whose text takes %zu bytes, costs %.0f bytes of resident memory.\n", text, each);
}
