#include "unit/kinds/lint_of_manifests.hpp"

BOOST_AUTO_TEST_SUITE(kinds_lint_of_commands)

using namespace lint_of_manifests;

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`: the address is that of the Master.
BOOST_AUTO_TEST_CASE(workers_alone_have_no_endpoint) {
    auto const of = [](std::string const& container, int workers = 2, std::string const& spec = "") {
        return places("lint.pytorch.no-endpoint",
                      torch("Worker: " + replicas(workers, pod_text("pytorch", container)), spec));
    };
    BOOST_TEST(of("command: [torchrun, t.py]") == lines{"spec.pytorchReplicaSpecs"});
    BOOST_TEST(of("command: [python, t.py]") == lines{"spec.pytorchReplicaSpecs"});
    BOOST_TEST(of("command: [torchrun, t.py]", 1) == none);
    BOOST_TEST(of("command: [torchrun, t.py]", 2, "elasticPolicy: {maxReplicas: 2}, ") == none);
    BOOST_TEST(of("command: [torchrun, --rdzv-endpoint=etcd:2379, t.py]") == none);
    BOOST_TEST(of("command: [torchrun, t.py], env: [{name: PET_RDZV_ENDPOINT, value: 'etcd:2379'}]") == none);
    BOOST_TEST(of("command: [./serve]") == none);
    BOOST_TEST(of("command: [torchrun, t.py], envFrom: [{configMapRef: {name: c}}]") == none);
    BOOST_TEST(of("command: [sh, -c, 'export PET_NNODES=2; torchrun t.py']") == none);
    BOOST_TEST(of("command: [sh, -c, 'export X=2; torchrun t.py']") == lines{"spec.pytorchReplicaSpecs"});
    BOOST_TEST(places("lint.pytorch.no-endpoint", torch_with("command: [torchrun, t.py]")) == none);
}

BOOST_AUTO_TEST_CASE(a_plain_python_program_starts_one_process) {
    auto const of = [](std::string const& container, std::string const& spec) {
        return places("lint.pytorch.one-process", torch_with(container, spec));
    };
    lines const found{master_path + ".command"};
    BOOST_TEST(of("command: [python, t.py]", "nprocPerNode: '2', ") == found);
    BOOST_TEST(of("command: [sh, -c, 'pip install x && exec python3 -u t.py']", "nprocPerNode: '2', ") == found);
    BOOST_TEST(of("command: [python, t.py]", "") == none);
    BOOST_TEST(of("command: [python, t.py]", "nprocPerNode: '1', ") == none);
    BOOST_TEST(of("command: [torchrun, t.py]", "nprocPerNode: '2', ") == none);
    BOOST_TEST(of("command: [python, -m, torch.distributed.run, t.py]", "nprocPerNode: '2', ") == none);
    BOOST_TEST(of("command: [accelerate, launch, t.py]", "nprocPerNode: '2', ") == none);
    BOOST_TEST(of("command: [bash, run.sh]", "nprocPerNode: '2', ") == none);
    BOOST_TEST(of("", "nprocPerNode: '2', ") == none);
    auto const script = [&](std::string const& text) {
        return of("command: [sh, -c, '" + text + "']", "nprocPerNode: '2', ");
    };
    BOOST_TEST(script("python prepare.py && accelerate launch train.py") == none);
    BOOST_TEST(script("python setup.py install; deepspeed train.py") == none);
    BOOST_TEST(script("python tools/download.py && ./scripts/train_dist.sh") == none);
    BOOST_TEST(script("python prepare.py && python -m accelerate.commands.launch train.py") == none);
    BOOST_TEST(script("python prepare.py && python train.py; echo done") == found);
    BOOST_TEST(places("lint.pytorch.one-process",
                      torch("Worker: " + replicas(1, pod_text("pytorch", "command: [python, t.py]")),
                            "elasticPolicy: {maxReplicas: 2}, ")) == lines{worker_path + ".command"});
}

BOOST_AUTO_TEST_CASE(replicas_with_too_few_processes_or_other_gpus_are_reported) {
    auto const gpus = [](int n) { return ", resources: {limits: {nvidia.com/gpu: " + std::to_string(n) + "}}"; };
    auto const of = [&](std::string_view rule, std::string const& master, std::string const& worker) {
        return places(rule, torch("Master: " + replicas(1, pod_text("pytorch", master)) +
                                  ", Worker: " + replicas(1, pod_text("pytorch", worker))));
    };
    std::string const python = "command: [python, t.py]", torchrun = "command: [torchrun, t.py]";
    BOOST_TEST(of("lint.pytorch.idle-devices", python + gpus(2), python + gpus(2)) == lines{master_path + ".command"});
    BOOST_TEST(of("lint.pytorch.idle-devices", python + gpus(1), python + gpus(1)) == none);
    BOOST_TEST(of("lint.pytorch.idle-devices", torchrun + gpus(2), torchrun + gpus(2)) == none);
    BOOST_TEST(of("lint.pytorch.uneven-devices", torchrun + gpus(1), torchrun + gpus(2)) ==
               lines{worker_path + ".resources.limits"});
    BOOST_TEST(of("lint.pytorch.uneven-devices", torchrun + gpus(2), torchrun + gpus(2)) == none);
    BOOST_TEST(of("lint.pytorch.uneven-devices", torchrun, torchrun + gpus(2)) == none);
    BOOST_TEST(of("lint.pytorch.uneven-devices", python + gpus(1), python + gpus(2)) == none);
    BOOST_TEST(of("lint.pytorch.uneven-devices", torchrun + gpus(1), python + gpus(2)) == none);
    auto const with = [&](std::string const& option, int n) {
        return "command: [torchrun, " + option + ", t.py]" + gpus(n);
    };
    BOOST_TEST(of("lint.pytorch.uneven-devices", with("--nproc_per_node=1", 1), with("--nproc_per_node=1", 2)) == none);
    BOOST_TEST(of("lint.pytorch.uneven-devices", with("--nproc-per-node=gpu", 1), with("--nproc-per-node=gpu", 2)) ==
               lines{worker_path + ".resources.limits"});
}

BOOST_AUTO_TEST_CASE(torchrun_replaces_the_port) {
    auto const of = [](std::string_view rule, std::string const& master, std::string const& worker) {
        return places(
            rule, torch("Master: " + replicas(1, pod_text("pytorch", "command: [torchrun, " + master + "t.py]")) +
                        ", Worker: " + replicas(1, pod_text("pytorch", "command: [torchrun, " + worker + "t.py]"))));
    };
    std::string const other = "--master_port=29500, ", same = "--master-port, '23456', ";
    BOOST_TEST(of("lint.pytorch.master-port", "", other) == lines{worker_path + ".command"});
    BOOST_TEST(of("lint.pytorch.master-port", other, other) == none);
    BOOST_TEST(of("lint.pytorch.other-port", other, other) == lines{master_path + ".command"});
    BOOST_TEST(of("lint.pytorch.other-port", same, "") == none);
    BOOST_TEST(of("lint.pytorch.master-port", same, "") == none);
    // Of the script, which has an option of this name, too.
    BOOST_TEST(places("lint.pytorch.master-port",
                      torch("Master: " + replicas(1, pod_text("pytorch", "command: [torchrun, t.py]")) + ", Worker: " +
                            replicas(1, pod_text("pytorch", "command: [python, -m, torch.distributed.launch, "
                                                            "--use_env, main.py, --master_port, '29555']")))) == none);
}

BOOST_AUTO_TEST_CASE(ports_must_have_the_expected_name) {
    auto const of = [](std::string const& ports) {
        return places("lint.port-name", torch_with("command: [python, t.py], ports: [" + ports + "]"));
    };
    BOOST_TEST(of("{name: master-port, containerPort: 2057}") ==
               (lines{master_path + ".ports[0].name", worker_path + ".ports[0].name"}));
    BOOST_TEST(of("{name: pytorchjob-port, containerPort: 2057}") == none);
    BOOST_TEST(of("{name: metrics, containerPort: 9090}") == none);
}

/// Kubernetes replaces $(NAME) alone: k8s.io/kubernetes `third_party/forked/golang/expansion`.
BOOST_AUTO_TEST_CASE(only_a_shell_replaces_variables) {
    auto const of = [](std::string const& command) {
        return places("lint.shell-variable", torch("Master: " + replicas(1, pod_text("pytorch", command))));
    };
    BOOST_TEST(of("command: [python, t.py, --rank=$RANK]") == lines{master_path + ".command[2]"});
    BOOST_TEST(of("command: [python, t.py], args: ['--rank', '${RANK}', $X1]") == lines{master_path + ".args[1]"});
    BOOST_TEST(of("command: [python, t.py, --rank=$(RANK)]") == none);
    BOOST_TEST(of("command: [sh, -c, 'python t.py --rank=$RANK']") == none);
    BOOST_TEST(of("command: [/bin/bash, -c], args: ['python t.py $RANK']") == none);
    BOOST_TEST(of("command: [mpirun, sh, -c, 'echo $RANK']") == none);
    BOOST_TEST(of("command: [awk, '{print $NF}', f]") == none);
    for (auto const* shell : {"csh", "/bin/tcsh", "fish"})
        BOOST_TEST(of("command: [" + std::string(shell) + ", -c, 'python t.py $RANK']") == none, shell);
    BOOST_TEST(of("command: [python3, -u, -c, \"Template('${HOME_DIR}')\"]") == none);
    BOOST_TEST(of("command: [/usr/bin/Rscript, -e, 'df$COL']") == none);
    BOOST_TEST(of("command: [python3, -c], args: [\"Template('${HOME_DIR}')\"]") == none);
    BOOST_TEST(of("command: [python3, -c, 'f()', $RANK]") == lines{master_path + ".command[3]"});
    BOOST_TEST(of("command: [python3, t.py, -c, $CONFIG]") == lines{master_path + ".command[3]"});
    BOOST_TEST(of("command: [grep, '^a$', f]") == none);
    BOOST_TEST(of("command: [python, t.py, '--price=$5']") == none);
    BOOST_TEST(of("args: ['train $RANK']") == none); // the entry point may be a shell
}

BOOST_AUTO_TEST_CASE(mpirun_needs_enough_slots) {
    auto const of = [](std::string const& launcher, std::string const& spec = "") {
        return places("lint.mpi.processes", mpi(launcher, "", 2, spec));
    };
    lines const found{launcher_path + ".containers[0].command"};
    BOOST_TEST(of("command: [mpirun, -np, '16', x]") == found);
    BOOST_TEST(of("command: [mpirun, -np, '2', x]") == none);
    BOOST_TEST(of("command: [mpirun, -np, '16', x]", "slotsPerWorker: 8, ") == none);
    BOOST_TEST(of("command: [mpirun, -np, '3', x]", "runLauncherAsWorker: true, ") == none);
    BOOST_TEST(of("command: [mpirun, -np, '16', x]", "mpiImplementation: Intel, ") == none);
    BOOST_TEST(of("command: [mpirun, --oversubscribe, -np, '16', x]") == none);
    auto const with = [&](std::string const& name, std::string const& value) {
        return of("command: [mpirun, -np, '16', x], env: [{name: " + name + ", value: '" + value + "'}]");
    };
    BOOST_TEST(with("OMPI_MCA_rmaps_base_oversubscribe", "1") == none);
    BOOST_TEST(with("OMPI_MCA_rmaps_base_oversubscribe", "0") == found);
    BOOST_TEST(with("PRTE_MCA_rmaps_default_mapping_policy", ":OVERSUBSCRIBE") == none);
    BOOST_TEST(with("OMPI_MCA_btl", "tcp,self") == found);
    BOOST_TEST(of("command: [mpirun, -x, OMPI_MCA_rmaps_base_oversubscribe=1, -np, '16', x]") == none);
    BOOST_TEST(of("command: [mpirun, --timestamp-output, ./app, -n, '100']") == none);
    auto const v1 = [](std::string const& processes) {
        return kubeflow("MPIJob", "v1", "mpiReplicaSpecs",
                        "Launcher: " + replicas(1, pod_text("l", "command: [mpirun, -np, '" + processes + "', x]")) +
                            ", Worker: " + replicas(2, pod_text("w", "")),
                        "slotsPerWorker: 2, ");
    };
    BOOST_TEST(places("lint.mpi-v1.processes", v1("5")) == found);
    BOOST_TEST(places("lint.mpi-v1.processes", v1("4")) == none);
}

BOOST_AUTO_TEST_CASE(workers_must_run_sshd) {
    auto const of = [](std::string const& worker, std::string const& launcher = "command: [mpirun, x]") {
        return places("lint.mpi.worker-command", mpi(launcher, worker, 2));
    };
    BOOST_TEST(of("command: [sh, -c, 'sleep infinity']").size() == 1U);
    BOOST_TEST(of("command: [python, t.py]").size() == 1U);
    BOOST_TEST(of("command: [sh, -c, 'mkdir -p /run/sshd && exec /usr/sbin/sshd -De']") == none);
    BOOST_TEST(of("command: [/start.sh]") == none);
    BOOST_TEST(of("") == none);
    BOOST_TEST(of("command: [sleep, '9']", "command: [sleep, '9']") == none);
}

BOOST_AUTO_TEST_CASE(slots_should_match_devices) {
    auto const of = [](std::string const& launcher, int gpus, std::string const& spec = "") {
        return places("lint.mpi.idle-devices",
                      mpi(launcher, "resources: {limits: {nvidia.com/gpu: " + std::to_string(gpus) + "}}", 2, spec));
    };
    BOOST_TEST(of("command: [mpirun, x]", 8) == lines{"spec.slotsPerWorker"});
    BOOST_TEST(of("command: [mpirun, x]", 1) == none);
    BOOST_TEST(of("command: [mpirun, x]", 8, "slotsPerWorker: 8, ") == none);
    BOOST_TEST(of("command: [mpirun, torchrun, --nproc_per_node=8, t.py]", 8) == none);
}

BOOST_AUTO_TEST_CASE(open_mpi_5_needs_other_variables) {
    auto const of = [](std::string const& command) {
        return places("lint.mpi.open-mpi-5", mpi("command: [" + command + "]", "", 1)).size();
    };
    BOOST_TEST(of("prterun, x") == 1U);
    BOOST_TEST(of("mpirun, x") == 0U);
}

/// Upstream: volcano v1.9.0 `pkg/controllers/job/plugins/distributed-framework/pytorch/pytorch.go`: no PET_ variables.
BOOST_AUTO_TEST_CASE(torchrun_needs_options_under_volcano) {
    auto const of = [](std::string const& words, int workers = 2, std::string const& plugins = "pytorch: []") {
        auto const command = "command: [torchrun, " + words + "t.py]";
        return places("lint.volcano.torchrun",
                      volcano(task("master", 1, command) + ", " + task("worker", workers, command),
                              "plugins: {" + plugins + "}, "));
    };
    lines const found{"spec.tasks[0].template.spec.containers[0].command"};
    BOOST_TEST(of("") == found);
    BOOST_TEST(of("--nnodes=3, ") == found);
    BOOST_TEST(of("--nnodes=3, --node_rank=$(RANK), ") == none);
    BOOST_TEST(of("--nnodes=3, --rdzv-backend=c10d, --rdzv-endpoint=j-master-0.j, ") == none);
    BOOST_TEST(of("", 0) == none);
    BOOST_TEST(of("", 2, "svc: []") == none);
    auto const worker = [](std::string const& container) {
        return places("lint.volcano.torchrun",
                      volcano(task("master", 1, "command: [a]") + ", " + task("worker", 2, container),
                              "plugins: {pytorch: []}, "));
    };
    BOOST_TEST(worker("command: [sh, -c, 'export X=2; torchrun t.py']").size() == 1U);
    BOOST_TEST(worker("command: [sh, -c, 'export PET_NNODES=3 PET_NODE_RANK=$RANK; torchrun t.py']") == none);
    BOOST_TEST(worker("command: [torchrun, t.py], envFrom: [{configMapRef: {name: c}}]") == none);
}

BOOST_AUTO_TEST_CASE(workers_that_serve_forever_without_a_policy_are_reported) {
    auto const of = [](std::string const& worker, std::string const& more = "", std::string const& spec = "") {
        return places("lint.volcano.no-end",
                      volcano(task("master", 1, "command: [mpiexec, x]", "OnFailure", more) + ", " +
                                  task("worker", 2, "command: [" + worker + "]", "OnFailure"),
                              spec));
    };
    std::string const ends = "policies: [{event: TaskCompleted, action: CompleteJob}], ";
    BOOST_TEST(of("/usr/sbin/sshd, -D") == lines{"spec.tasks[1]"});
    BOOST_TEST(of("sh, -c, 'mkdir -p /run/sshd; /usr/sbin/sshd -De'") == lines{"spec.tasks[1]"});
    BOOST_TEST(of("sleep, infinity") == lines{"spec.tasks[1]"});
    BOOST_TEST(of("/usr/sbin/sshd, -D", ends) == none);
    BOOST_TEST(of("/usr/sbin/sshd, -D", "", ends) == none);
    BOOST_TEST(of("/usr/sbin/sshd, -D", "", "minSuccess: 1, ") == none);
    BOOST_TEST(of("sh, -c, 'sshd; train'") == none);
    BOOST_TEST(of("sleep, '10'") == none);
    BOOST_TEST(of("sh, -c, 'sshd -D & until ready; do sleep 1; done; python work.py'") == none);
    BOOST_TEST(of("sh, -c, 'sleep infinity & python work.py'") == none);
    BOOST_TEST(of("sh, -c, 'true && sleep infinity'") == lines{"spec.tasks[1]"});
    BOOST_TEST(of("sh, -c, 'tail -n 3 x > /dev/null'") == none);
    BOOST_TEST(of("tail, -f, /dev/null") == lines{"spec.tasks[1]"});
    BOOST_TEST(of("/usr/sbin/sshd, -oUseDNS=no") == none);
    BOOST_TEST(of("/usr/sbin/sshd, -eD, -oUseDNS=no") == lines{"spec.tasks[1]"});
}

BOOST_AUTO_TEST_SUITE_END()
