#include <kftrain/kinds/pytorch_job_builder.hpp>

#include <kftrain/job/any_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_builder)

using namespace kftrain;

namespace {

auto minimal() { return pytorch_job_builder("mnist").image("example.com/mnist:1").workers(2); }

std::string why(result<pytorch_job> const& r) { return r ? "built" : r.error().to_string(); }

} // namespace

BOOST_AUTO_TEST_CASE(every_setter_writes_its_field) {
    using namespace std::chrono_literals;
    core::toleration spot;
    spot.key = "spot";
    spot.operator_ = "Equal";
    spot.value = "yes";
    kubeflow_v1::scheduling_policy gang;
    gang.queue = "research";
    BOOST_TEST(pytorch_job_builder("mnist").choices().metadata.name == "mnist");
    auto const job = pytorch_job_builder("mnist")
                         .in("team-a")
                         .label("team", "a")
                         .annotation("note", "n")
                         .image("example.com/mnist:1")
                         .image_pull_policy("Always")
                         .image_pull_secret("registry")
                         .command({"torchrun", "train.py"})
                         .args({"--epochs", "3"})
                         .working_dir("/src")
                         .env("LR", "0.1")
                         .env_from_secret("TOKEN", "hub", "token")
                         .gpus(8)
                         .cpu("16")
                         .memory("64Gi")
                         .resources("example.com/nic", "2")
                         .mount_claim("data", "/data", true)
                         .mount_config_map("settings", "/etc/settings")
                         .mount_secret("keys", "/keys")
                         .shared_memory("8Gi")
                         .pod_label("tier", "train")
                         .pod_annotation("scrape", "no")
                         .node_selector("zone", "z1")
                         .tolerate("nvidia.com/gpu", "NoSchedule")
                         .tolerate(spot)
                         .service_account("trainer")
                         .priority_class("high")
                         .scheduler("bin-packer")
                         .restart_policy(restart::exit_code)
                         .nproc_per_node(8)
                         .master()
                         .workers(3)
                         .clean_pod_policy(clean_pods::running)
                         .time_to_live(1h)
                         .deadline(2h)
                         .backoff_limit(5)
                         .suspended()
                         .managed_by("kueue.x-k8s.io/multikueue")
                         .scheduling(gang)
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    std::string const pod =
        R"({"metadata":{"labels":{"tier":"train"},"annotations":{"scrape":"no"}},"spec":{)"
        R"("volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data","readOnly":true}},)"
        R"({"name":"settings","configMap":{"name":"settings"}},)"
        R"({"name":"keys","secret":{"secretName":"keys"}},)"
        R"({"name":"shared-memory","emptyDir":{"medium":"Memory","sizeLimit":"8Gi"}}],)"
        R"("containers":[{"name":"pytorch","image":"example.com/mnist:1","imagePullPolicy":"Always",)"
        R"("command":["torchrun","train.py"],"args":["--epochs","3"],"workingDir":"/src",)"
        R"("env":[{"name":"LR","value":"0.1"},)"
        R"({"name":"TOKEN","valueFrom":{"secretKeyRef":{"name":"hub","key":"token"}}}],)"
        R"("resources":{"limits":{"cpu":"16","example.com/nic":"2","memory":"64Gi","nvidia.com/gpu":"8"},)"
        R"("requests":{"cpu":"16","example.com/nic":"2","memory":"64Gi","nvidia.com/gpu":"8"}},)"
        R"("volumeMounts":[{"name":"data","mountPath":"/data","readOnly":true},)"
        R"({"name":"settings","mountPath":"/etc/settings","readOnly":true},)"
        R"({"name":"keys","mountPath":"/keys","readOnly":true},)"
        R"({"name":"shared-memory","mountPath":"/dev/shm"}]}],)"
        R"("nodeSelector":{"zone":"z1"},"serviceAccountName":"trainer",)"
        R"("imagePullSecrets":[{"name":"registry"}],"schedulerName":"bin-packer",)"
        R"("tolerations":[{"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"},)"
        R"({"key":"spot","operator":"Equal","value":"yes"}],"priorityClassName":"high"}})";
    auto const expected = from_json<pytorch_job>(
        R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob",)"
        R"("metadata":{"name":"mnist","namespace":"team-a","labels":{"team":"a"},"annotations":{"note":"n"}},)"
        R"("spec":{"nprocPerNode":"8","runPolicy":{"cleanPodPolicy":"Running","ttlSecondsAfterFinished":3600,)"
        R"("activeDeadlineSeconds":7200,"backoffLimit":5,"suspend":true,"managedBy":"kueue.x-k8s.io/multikueue",)"
        R"("schedulingPolicy":{"queue":"research"}},)"
        R"("pytorchReplicaSpecs":{"Master":{"replicas":1,"restartPolicy":"ExitCode","template":)" +
        pod + R"(},"Worker":{"replicas":3,"restartPolicy":"ExitCode","template":)" + pod + "}}}}");
    BOOST_TEST_REQUIRE(expected.has_value());
    for (auto const& d : diff(*expected, *job)) BOOST_ERROR(d.path + ": expected " + d.before + ", got " + d.after);
}

BOOST_AUTO_TEST_CASE(settings_of_a_replica_type_apply_to_it_alone) {
    auto const job =
        pytorch_job_builder("mnist")
            .image("example.com/mnist:1")
            .master([](pod_settings& pod) { pod.image("example.com/boss:1").env("ROLE", "boss").cpu("1"); })
            .workers(2)
            .env("ROLE", "hand") // order does not matter
            .cpu("4")
            .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& master = job->spec.pytorch_replica_specs.at("Master").template_.spec.containers.at(0);
    auto const& worker = job->spec.pytorch_replica_specs.at("Worker").template_.spec.containers.at(0);
    BOOST_TEST(master.image == "example.com/boss:1");
    BOOST_TEST(worker.image == "example.com/mnist:1");
    BOOST_TEST_REQUIRE(master.env.size() == 1U);
    BOOST_TEST(master.env[0].value == "boss");
    BOOST_TEST(worker.env.at(0).value == "hand");
    BOOST_TEST(master.resources.limits.at("cpu").text() == "1");
    BOOST_TEST(worker.resources.limits.at("cpu").text() == "4");
}

BOOST_AUTO_TEST_CASE(a_builder_can_be_copied_and_varied) {
    auto base = pytorch_job_builder("mnist").image("example.com/mnist:1");
    base.env("LR", "0.1");
    auto const small = base.workers(1).build();
    auto const large = base.master().workers(64).build();
    BOOST_TEST_REQUIRE(small.has_value());
    BOOST_TEST_REQUIRE(large.has_value());
    BOOST_TEST(small->spec.pytorch_replica_specs.size() == 1U);
    BOOST_TEST(large->spec.pytorch_replica_specs.at("Worker").replicas.value() == 64);
    BOOST_TEST(large->spec.pytorch_replica_specs.at("Master").template_.spec.containers.at(0).env.size() == 1U);
}

BOOST_AUTO_TEST_CASE(fields_without_a_setter_are_changed_by_a_function) {
    auto const job = minimal()
                         .change_pod([](core::pod_template_spec& pod) { pod.spec.host_network = true; })
                         .change_container([](core::container& c) { c.tty = true; })
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& spec = job->spec.pytorch_replica_specs.at("Worker").template_.spec;
    BOOST_TEST(spec.host_network);
    BOOST_TEST(spec.containers.at(0).tty);
}

BOOST_AUTO_TEST_CASE(named_process_counts_are_written) {
    BOOST_TEST(minimal().nproc_per_node(processes::gpu).build()->spec.nproc_per_node.value() == "gpu");
    BOOST_TEST(minimal().nproc_per_node(processes::automatic).build()->spec.nproc_per_node.value() == "auto");
}

BOOST_AUTO_TEST_CASE(faults_name_field_value_and_expectation) {
    std::string const worker = "spec.pytorchReplicaSpecs[Worker]";
    std::string const container = worker + ".template.spec.containers[0]";
    BOOST_TEST(why(pytorch_job_builder("Mnist").image("a:1").workers(1).build())
                   .starts_with("metadata.name: Invalid value: \"Mnist\": should match: a DNS-1035 label"));
    BOOST_TEST(
        why(pytorch_job_builder("m").image("a:1").workers(-2).build()).starts_with(worker + ".replicas: Forbidden"));
    BOOST_TEST(why(pytorch_job_builder("m").image("a:1").workers(std::uint64_t(1) << 63U).build())
                   .starts_with(worker + ".replicas: 9223372036854775807, expected a 32-bit integer"));
    BOOST_TEST(why(minimal().memory("16GB").build()) ==
               container + ".resources.limits[memory]: \"16GB\", expected a quantity such as 4, 500m or 16Gi");
    BOOST_TEST(why(minimal().gpus(-1).build())
                   .starts_with(
                       container +
                       ".resources.limits[nvidia.com/gpu]: Invalid value: \"-1\": must be greater than or equal to 0"));
    BOOST_TEST(
        why(minimal().env("A=B", "1").build())
            .starts_with(container + ".env[0].name: Invalid value: \"A=B\": a valid environment variable name must "));
    BOOST_TEST(why(minimal().image_pull_secret("x").in("Team").build())
                   .starts_with("metadata.namespace: Invalid value: \"Team\""));
    BOOST_TEST(why(minimal().managed_by("me").build())
                   .starts_with("spec.runPolicy.managedBy: Unsupported value: \"me\": supported values: "));
    BOOST_TEST(why(minimal().deadline(std::chrono::seconds(0)).build()) ==
               "spec.runPolicy.activeDeadlineSeconds: 0, expected at least 1");
    BOOST_TEST(why(minimal().time_to_live(std::chrono::seconds(std::int64_t(1) << 40)).build()) ==
               "spec.runPolicy.ttlSecondsAfterFinished: 1099511627776, expected a 32-bit integer");
    BOOST_TEST(why(minimal().mount_claim("data", "").build()) ==
               container + ".volumeMounts[0].mountPath: Required value");
    BOOST_TEST(why(minimal().shared_memory("much").build()) ==
               worker + ".template.spec.volumes[0].emptyDir.sizeLimit: \"much\", expected a quantity such as 8Gi");
}

BOOST_AUTO_TEST_CASE(all_faults_are_reported_at_once) {
    auto const job = minimal().memory("16GB").cpu("four").in("Team").build();
    BOOST_TEST_REQUIRE(job.has_error());
    BOOST_TEST((job.error().code == errc::invalid_job));
    BOOST_TEST(job.error().detail.path == "metadata.namespace");
    for (auto const* part : {"16GB", "four", "Team"})
        BOOST_TEST((job.error().detail.message.find(part) != std::string::npos), part);
}

BOOST_AUTO_TEST_SUITE_END()
