// usage: bench_render
//
// How long the rules take for large jobs: seconds, and for rendering with the first plan how much more each worker
// takes than one of a job of 1000. That must stay near 1: times grow as the jobs do.
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

namespace {

using namespace kftrain;

pytorch_job job_of(std::int32_t workers) {
    pytorch_job j;
    j.metadata.name = "large";
    j.metadata.namespace_ = "team";
    j.metadata.uid = "uid-of-large";
    for (auto const& [type, count] : {std::pair("Master", std::int32_t(1)), std::pair("Worker", workers)}) {
        auto& spec = j.spec.pytorch_replica_specs[type];
        spec.replicas = count;
        auto& c = spec.template_.spec.containers.emplace_back();
        c.name = "pytorch";
        c.image = "example.com/train:1";
        c.command = {"torchrun", "train.py"};
        c.resources.limits.emplace("nvidia.com/gpu", "8");
    }
    return j;
}

/// Seconds of the fastest of three runs.
double seconds(std::function<void()> const& work) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        auto const start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

rules::world world_of(std::vector<any_object> const& children) {
    std::vector<any_object> seen;
    for (auto const& c : children) {
        auto const* const made = c.get_if<pod>();
        if (made == nullptr) {
            seen.push_back(c);
            continue;
        }
        pod running = *made;
        running.metadata.uid = "uid-of-" + running.metadata.name;
        running.status.phase = "Running";
        seen.emplace_back(std::move(running));
    }
    rules::world world;
    world.add("controlled", std::move(seen));
    return world;
}

} // namespace

int main() {
    std::printf("%8s %10s %14s %14s %14s %22s\n", "workers", "render s", "first plan s", "steady plan s",
                "suspend plan s", "x linear, render+plan");
    double of_one = 0; // seconds for each worker of the smallest job
    for (std::int32_t const workers : {1'000, 2'000, 5'000, 10'000, 20'000}) {
        auto j = job_of(workers);
        time_point const now(std::chrono::seconds(1767225600));
        any_job const any(j);
        auto const children = any.render();
        auto const world = world_of(children);
        auto suspended = j;
        suspended.spec.run_policy.suspend = true;
        any_job const stopped(suspended);
        double const render = seconds([&] { any.render(); });
        double const first = seconds([&] { any.rules().make_plan(any.get(), {}, nullptr, now); });
        double const steady = seconds([&] { any.rules().make_plan(any.get(), world, nullptr, now); });
        double const suspend = seconds([&] { stopped.rules().make_plan(stopped.get(), world, nullptr, now); });
        double const each = (render + first) / workers;
        if (of_one == 0) of_one = each;
        std::printf("%8d %10.3f %14.3f %14.3f %14.3f %22.2f\n", workers, render, first, steady, suspend, each / of_one);
    }
    std::printf("target: render and first plan of 10000 workers <= 1 s, growing linearly\n");
    return 0;
}
