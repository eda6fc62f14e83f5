// usage: bench_store_memory [OBJECTS [MEGABYTES]]
//
// What an object store keeps in memory: resident megabytes of the process before it holds OBJECTS (100000), with them, and
// after they were deleted one by one; beside it what the store says of itself, and what the allocator gives back when asked.
// The watch log may take MEGABYTES (256).
#include <kftrain/apiserver/object_store.hpp>

#include <boost/json.hpp>

#include <malloc.h>
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

void print(char const* what, object_store const& store) {
    auto const u = store.usage();
    std::printf("%-28s %9.1f %12zu %9.1f %9zu %9.1f\n", what, resident(), u.objects,
                static_cast<double>(u.object_bytes) / 1e6, u.log_events, static_cast<double>(u.log_bytes) / 1e6);
}

boost::json::object pod(int i) {
    auto text = R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":"worker-)" + std::to_string(i) +
                R"(","labels":{"training.kubeflow.org/job-name":"llm","training.kubeflow.org/replica-index":")" +
                std::to_string(i) +
                R"("}},"spec":{"containers":[{"name":"pytorch","image":"registry.example.com/llm:1",)" +
                R"("command":["torchrun","train.py"],"env":[{"name":"MASTER_ADDR","value":"llm-master-0"},)" +
                R"({"name":"WORLD_SIZE","value":"1024"},{"name":"RANK","value":")" + std::to_string(i) +
                R"("}],"resources":{"limits":{"cpu":"8","memory":"64Gi","nvidia.com/gpu":"8"}}}]}})";
    return boost::json::parse(text).as_object();
}

} // namespace

int main(int argc, char** argv) {
    int const n = argc > 1 ? std::atoi(argv[1]) : 100'000;
    std::size_t uids = 0;
    object_store_options options;
    options.watch_log_bytes = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 256) << 20U;
    options.make_uid = [&] { return "00000000-0000-4000-8000-" + std::to_string(1'000'000'000'000 + uids++); };
    std::optional<object_store> store(std::move(options));
    resource_definition d;
    d.version = "v1";
    d.kind = "Thing";
    d.plural = "things";
    auto const kind = store->add(std::move(d));
    std::printf("%-28s %9s %12s %9s %9s %9s\n", "", "RSS MB", "objects", "MB", "events", "MB");
    print("before", *store);
    kftrain::time_point const now{};
    for (int i = 0; i < n; ++i)
        if (!store->create(kind, "default", pod(i), now)) return 1;
    print("with the objects", *store);
    for (int i = 0; i < n; ++i)
        if (!store->remove(kind, "default", "worker-" + std::to_string(i), {}, now)) return 1;
    print("after they were deleted", *store);
#ifdef __GLIBC__
    malloc_trim(0);
    print("trimmed", *store);
#endif
    store.reset();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    std::printf("%-28s %9.1f\n", "without the store", resident());
}
