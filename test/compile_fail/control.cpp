// compiles
#include <kftrain/kinds/pytorch_job_builder.hpp>

auto job(std::int64_t workers) {
    return kftrain::pytorch_job_builder("mnist")
        .in("team-a")
        .image("example.com/mnist:1")
        .command({"torchrun", "train.py"})
        .gpus(8)
        .nproc_per_node(8)
        .master()
        .workers(workers, [](kftrain::pod_settings& pod) { pod.memory("64Gi"); })
        .elastic(1, 4)
        .build();
}

auto workers_only() { return kftrain::pytorch_job_builder("mnist").workers(3U).image("example.com/mnist:1").build(); }
