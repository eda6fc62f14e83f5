#include "unit/kinds/lint_of_manifests.hpp"

BOOST_AUTO_TEST_SUITE(kinds_lint_of_options)

using namespace lint_of_manifests;

namespace {

std::string gpus(int count) { return ", resources: {limits: {nvidia.com/gpu: " + std::to_string(count) + "}}"; }

std::string torchrun(std::string const& options) { return "command: [torchrun, " + options + "t.py]"; }

/// A master and two workers under plugin pytorch.
std::string plugin_job(std::string const& master, std::string const& worker, int workers = 2) {
    return volcano(task("master", 1, master) + ", " + task("worker", workers, worker), "plugins: {pytorch: []}, ");
}

std::string const ranked = "--node_rank=$(RANK), ";

} // namespace

/// Upstream: PyTorch 2.5 `torch/distributed/run.py`: each process gets one local rank, which scripts use as the device.
BOOST_AUTO_TEST_CASE(processes_of_torchrun_need_devices) {
    auto const of = [](std::string const& container) {
        return places("lint.torchrun-devices", torch("Master: " + replicas(1, pod_text("pytorch", container))));
    };
    lines const found{master_path + ".command"};
    BOOST_TEST(of(torchrun("--nproc-per-node=8, ") + gpus(4)) == found);
    BOOST_TEST(of(torchrun("--nproc_per_node, '8', ") + gpus(4)) == found);
    BOOST_TEST(of("command: [sh, -c, 'cd /w && python3 -m torch.distributed.run --nproc-per-node 8 t.py']" + gpus(4)) ==
               found);
    BOOST_TEST(of(torchrun("--nproc-per-node=4, ") + gpus(4)) == none);
    BOOST_TEST(of(torchrun("--nproc-per-node=2, ") + gpus(4)) == none);
    BOOST_TEST(of(torchrun("--nproc-per-node=8, ")) == none); // on CPUs
    BOOST_TEST(of(torchrun("--nproc-per-node=gpu, ") + gpus(4)) == none);
    BOOST_TEST(of(torchrun("--nproc-per-node=$(N), ") + gpus(4)) == none);
    BOOST_TEST(of("command: [torchrun, t.py, --nproc-per-node=8]" + gpus(4)) == none); // of the script
    BOOST_TEST(places("lint.torchrun-devices", volcano(task("t", 1, torchrun("--nproc-per-node=8, ") + gpus(4)))) ==
               lines{"spec.tasks[0].template.spec.containers[0].command"});
}

/// The option replaces PET_NPROC_PER_NODE, which the operator makes of the field.
BOOST_AUTO_TEST_CASE(an_option_replaces_the_number_of_processes_of_the_job) {
    auto const of = [](std::string const& options) {
        return places("lint.pytorch.devices", torch_with(torchrun(options) + gpus(4), "nprocPerNode: '8', ")).size();
    };
    BOOST_TEST(of("") == 2U);
    BOOST_TEST(of("--nproc-per-node=4, ") == 0U);
}

/// Upstream: PyTorch 2.5 `torch/distributed/run.py`: standalone sets the endpoint localhost:0.
BOOST_AUTO_TEST_CASE(standalone_torchrun_with_several_pods_is_reported) {
    auto const of = [](std::string const& container, int workers = 1) {
        return places("lint.pytorch.standalone",
                      torch("Master: " + replicas(1, pod_text("pytorch", container)) +
                            (workers == 0 ? "" : ", Worker: " + replicas(workers, pod_text("pytorch", container)))));
    };
    BOOST_TEST(of(torchrun("--standalone, ")) == lines{master_path + ".command"});
    BOOST_TEST(of(torchrun("--standalone, "), 0) == none);
    BOOST_TEST(of(torchrun("")) == none);
    BOOST_TEST(of("command: [torchrun, t.py, --standalone]") == none);
    BOOST_TEST(of("command: [sh, -c, '[ -n \"$ALONE\" ] && exec torchrun --standalone t.py; exec torchrun t.py']") ==
               none);
    auto const in_volcano = [](std::string const& options, int workers) {
        auto const container = torchrun(options);
        return places("lint.volcano.standalone", plugin_job(container, container, workers));
    };
    BOOST_TEST(in_volcano("--standalone, --nnodes=3, ", 2) ==
               lines{"spec.tasks[0].template.spec.containers[0].command"});
    BOOST_TEST(in_volcano("--standalone, ", 0) == none);
    BOOST_TEST(in_volcano("--nnodes=3, " + ranked, 2) == none);
    // One finding for one fault.
    BOOST_TEST(places("lint.volcano.torchrun", plugin_job(torchrun("--standalone, "), torchrun("--standalone, "))) ==
               none);
}

/// Upstream: PyTorch 2.5 `torch/distributed/run.py`: parse_min_max_nnodes(); the rendezvous waits for MIN nodes and
/// admits MAX.
BOOST_AUTO_TEST_CASE(nnodes_of_torchrun_must_match_the_pods) {
    auto const of = [](std::string const& options, std::string const& spec = "") {
        return places("lint.pytorch.nnodes", torch_with(torchrun(options), spec, 2));
    };
    lines const found{master_path + ".command"};
    BOOST_TEST(of("--nnodes=2, ") == found);
    BOOST_TEST(of("--nnodes, '4', ") == found);
    BOOST_TEST(of("--nnodes=4:8, ") == found);
    BOOST_TEST(of("--nnodes=1:2, ") == found);
    for (auto const* fits : {"--nnodes=3, ", "--nnodes=1:4, ", "--nnodes=3:3, ", "--nnodes=$(PET_NNODES), ", ""})
        BOOST_TEST(of(fits) == none, fits);
    auto const mixed = [](std::string const& worker) {
        return places("lint.pytorch.nnodes",
                      torch("Master: " + replicas(1, pod_text("pytorch", torchrun("--nnodes=2, "))) +
                            ", Worker: " + replicas(2, pod_text("pytorch", worker))));
    };
    BOOST_TEST(mixed("") == none); // the image decides
    BOOST_TEST(mixed("command: [sh, -c, 'torchrun a.py & torchrun b.py']") == none);
    BOOST_TEST(mixed(torchrun("")) == found);
    auto const elastic = [](std::string const& options, std::string const& policy) {
        return places("lint.pytorch.nnodes", torch("Worker: " + replicas(2, pod_text("pytorch", torchrun(options))),
                                                   "elasticPolicy: {" + policy + "}, "));
    };
    BOOST_TEST(elastic("--nnodes=3:4, ", "minReplicas: 1, maxReplicas: 4") == lines{worker_path + ".command"});
    BOOST_TEST(elastic("--nnodes=1:4, ", "minReplicas: 1, maxReplicas: 4") == none);
    BOOST_TEST(elastic("--nnodes=3:4, ", "minReplicas: 1, maxReplicas: 4, metrics: [{type: Resource, resource: "
                                         "{name: cpu, target: {type: Utilization, averageUtilization: 50}}}]") == none);
    auto const in_volcano = [](std::string const& options) {
        auto const container = torchrun(options + ranked);
        return places("lint.volcano.nnodes", plugin_job(container, container));
    };
    BOOST_TEST(in_volcano("--nnodes=2, ") == lines{"spec.tasks[0].template.spec.containers[0].command"});
    BOOST_TEST(in_volcano("--nnodes=1, ") == lines{"spec.tasks[0].template.spec.containers[0].command"});
    BOOST_TEST(in_volcano("--nnodes=3, ") == none);
    BOOST_TEST(in_volcano("--nnodes=1:4, ") == none);
    BOOST_TEST(places("lint.volcano.nnodes", plugin_job(torchrun("--nnodes=2, " + ranked), "command: [./serve]")) ==
               none);
}

/// XCU `sh`: with -c, operands behind the command string are $0 and the positional parameters.
BOOST_AUTO_TEST_CASE(arguments_after_a_shell_script_are_reported) {
    auto const of = [](std::string const& container) {
        return places("lint.shell-arguments", torch("Master: " + replicas(1, pod_text("pytorch", container))));
    };
    BOOST_TEST(of("command: [bash, -c], args: [python, t.py]") == lines{master_path + ".args"});
    BOOST_TEST(of("command: [/bin/sh, -c, python, t.py]") == lines{master_path + ".command"});
    BOOST_TEST(of("command: [bash, -c], args: [python t.py]") == none);
    BOOST_TEST(of("command: [bash, -c], args: [python t.py, '--lr=1']") == none); // which may be meant as $0
    BOOST_TEST(of("command: [bash, -c], args: ['exec \"$0\" \"$@\"', python, t.py]") == none);
    BOOST_TEST(of("command: [bash, -c], args: [train.sh]") == none);
    BOOST_TEST(of("command: [python, -c], args: [f, x]") == none);
    BOOST_TEST(of("args: [bash, -c, python, t.py]") == none); // the entry point may join them
}

/// Upstream: k8s.io/apimachinery v0.31 `pkg/api/resource/quantity.go`: m is a thousandth; kubernetes v1.31
/// `pkg/api/pod/warnings.go` warns of fractions of bytes.
BOOST_AUTO_TEST_CASE(memory_without_a_unit_is_reported) {
    auto const of = [](std::string const& resources) {
        return places("lint.memory-unit",
                      torch("Master: " + replicas(1, pod_text("pytorch", "resources: {" + resources + "}"))));
    };
    std::string const limits = master_path + ".resources.limits", requests = master_path + ".resources.requests";
    BOOST_TEST(of("limits: {memory: '16'}") == lines{limits + "[memory]"});
    BOOST_TEST(of("limits: {memory: 512m}") == lines{limits + "[memory]"});
    BOOST_TEST(of("requests: {memory: 512m, ephemeral-storage: '10'}") ==
               (lines{requests + "[memory]", requests + "[ephemeral-storage]"}));
    for (auto const* right : {"16Gi", "512Mi", "1Mi", "1e9", "17179869184", "'0'", "4294967296000m", "100.1Gi"})
        BOOST_TEST(of("limits: {memory: " + std::string(right) + "}") == none, right);
    BOOST_TEST(of("limits: {cpu: 500m, nvidia.com/gpu: 1}") == none);
    BOOST_TEST(places("lint.memory-unit", mpi("resources: {limits: {memory: '16'}}", "", 1)) ==
               lines{launcher_path + ".containers[0].resources.limits[memory]"});
}

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`: one host with slotsPerWorker slots per worker.
BOOST_AUTO_TEST_CASE(unused_mpirun_slots_are_reported) {
    auto const of = [](std::string const& launcher, std::string const& spec = "slotsPerWorker: 4, ") {
        return places("lint.mpi.idle-slots", mpi(launcher, "", 2, spec));
    };
    lines const found{launcher_path + ".containers[0].command"};
    BOOST_TEST(of("command: [mpirun, -np, '6', x]") == found);
    BOOST_TEST(of("command: [mpirun, -np, '1', x]", "") == found);
    BOOST_TEST(of("command: [mpirun, -np, '2', x]", "runLauncherAsWorker: true, ") == found);
    BOOST_TEST(of("command: [sh, -c, 'mpirun -np 1 a; mpirun -np 8 b']") == none);
    for (auto const* words : {"-np, '8', x", "-np, '9', x", "x", "-np, $N, x", "-np, '2', --map-by, 'ppr:1:node', x",
                              "-np, '2', -H, a, x", "-np, '2', torchrun, t.py"})
        BOOST_TEST(of("command: [mpirun, " + std::string(words) + "]") == none, words);
    BOOST_TEST(of("command: [sh, -c, 'mpirun -np 4 a & mpirun -np 4 b']") == none);
    auto const v1 = [](std::string const& processes) {
        return places(
            "lint.mpi-v1.idle-slots",
            kubeflow("MPIJob", "v1", "mpiReplicaSpecs",
                     "Launcher: " + replicas(1, pod_text("l", "command: [mpirun, -np, '" + processes + "', x]")) +
                         ", Worker: " + replicas(2, pod_text("w", "")),
                     "slotsPerWorker: 2, "));
    };
    BOOST_TEST(v1("3") == found);
    BOOST_TEST(v1("4") == none);
}

/// Upstream: volcano.sh/apis v1.12.1 `pkg/apis/batch/v1alpha1/job.go`; v1.11.0 has no such field.
BOOST_AUTO_TEST_CASE(fields_of_later_releases_are_reported_with_the_release) {
    auto const job = volcano(task("t", 2, ""), "networkTopology: {mode: hard, highestTierAllowed: 2}, ");
    BOOST_TEST(places("lint.volcano.later-field", job) == lines{"spec.networkTopology"});
    BOOST_TEST(places("lint.volcano.later-field", volcano(task("t", 2, ""))) == none);
}

BOOST_AUTO_TEST_SUITE_END()
