#include "local/cluster/job_resources.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/local/local_cluster.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_job_resources)

using namespace kftrain;

namespace {

jax_job sample() {
    jax_job job;
    job.metadata.name = "j";
    job.metadata.namespace_ = "default";
    auto& spec = job.spec.jax_replica_specs["Worker"];
    spec.replicas = 3;
    auto& c = spec.template_.spec.containers.emplace_back();
    c.name = "jax";
    c.image = "none";
    c.command = {"true"};
    return job;
}

std::optional<apiserver::admission_denial> judged(jax_job const& job, std::optional<jax_job> const& before = {}) {
    auto const limits = [](prepared_job const& j) {
        return local::unsupported_parts(*j, local::isolation::namespaces, operator_options());
    };
    auto const object = boost::json::parse(any_job(job).to_json()).as_object();
    auto const old = before ? any_job(*before).to_json() : std::string();
    return local::resource_for(job_rules_for<jax_job>(), limits)
        .admission(apiserver::admission_request(object, old))
        .denied;
}

issues issues_of(std::string const& text) {
    return local::unsupported_parts(parse_job(text).value(), local::isolation::namespaces, operator_options());
}

void expect_issues(std::string const& text, std::vector<std::string> const& paths) {
    BOOST_TEST_CONTEXT(text) {
        std::vector<std::string> found;
        for (auto const& i : issues_of(text)) {
            BOOST_TEST(i.message.starts_with(i.path + ": "), i.message);
            found.push_back(i.path);
        }
        BOOST_TEST(found == paths, boost::test_tools::per_element());
    }
}

void expect_namespaces_needed(std::string const& text, std::string const& name) {
    auto const job = parse_job(text).value();
    auto const found = local::unsupported_parts(job, local::isolation::processes, operator_options());
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].path == "kind");
    for (auto const& part : {name, std::string("kubectl exec"), std::string("isolation by namespaces"),
                             std::string("a conversion to MPIJob.v2beta1 creates")})
        BOOST_TEST(found[0].message.find(part) != std::string::npos, found[0].message << " does not name " << part);
    BOOST_TEST(local::unsupported_parts(job, local::isolation::namespaces, operator_options()).empty());
}

} // namespace

BOOST_AUTO_TEST_CASE(pods_that_would_never_run_are_refused_once_per_replica_type) {
    auto job = sample();
    BOOST_TEST(!judged(job).has_value());
    job.spec.jax_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    auto const denied = judged(job);
    BOOST_TEST_REQUIRE(denied.has_value());
    BOOST_TEST(denied->code == 403u);
    BOOST_TEST((denied->why == reason::forbidden));
    BOOST_TEST(denied->webhook == "local-cluster.kftrain"); // not the one of the operator, which accepts the job
    BOOST_TEST(denied->message ==
               "spec.jaxReplicaSpecs[Worker].template.spec.containers[0].command: the local cluster does not support "
               "this: images are not pulled; set command to a program of this machine, or give the image one with "
               "--command 'none=PROGRAM' (commands in C++ and Python)");
}

BOOST_AUTO_TEST_CASE(issues_of_templates_have_paths_of_the_written_job) {
    auto const container = [](std::string const& name, std::string const& more) {
        return R"({"name":")" + name + R"(","image":"a:1")" + more + "}";
    };
    std::string const run = R"(,"command":["true"])";
    auto const tmpl = [](std::string const& containers, std::string const& more = {}) {
        return R"("template":{"spec":{"containers":[)" + containers + "]" + more + "}}";
    };
    std::string const volume = R"(,"volumes":[{"name":"d","nfs":{"server":"nas","path":"/data"}}])";
    // A replica type in the author's case, two containers.
    expect_issues(R"({"apiVersion":"kubeflow.org/v1","kind":"TFJob","metadata":{"name":"j","namespace":"n"},"spec":
                    {"tfReplicaSpecs":{"chief":{)" +
                      tmpl(container("tensorflow", run)) + R"(},"worker":{"replicas":3,)" +
                      tmpl(container("tensorflow", run) + "," + container("side", "")) + "}}}}",
                  {"spec.tfReplicaSpecs[worker].template.spec.containers[1].command"});
    // The operator puts an init container of its own before the worker.
    expect_issues(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j","namespace":"n"},"spec":
                    {"pytorchReplicaSpecs":{"Master":{"replicas":1,)" +
                      tmpl(container("pytorch", run), volume) + R"(},"Worker":{)" +
                      tmpl(container("pytorch", run), R"(,"initContainers":[)" + container("own", "") + "]") + "}}}}",
                  {"spec.pytorchReplicaSpecs[Master].template.spec.volumes[0]",
                   "spec.pytorchReplicaSpecs[Worker].template.spec.initContainers[0].command"});
    // Templates in lists; one with a default command has no issue.
    expect_issues(R"({"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","metadata":{"name":"j","namespace":"n"},
                    "spec":{"minAvailable":1,"tasks":[{"name":"a","replicas":1,)" +
                      tmpl(container("c", run)) + R"(},{"name":"b","replicas":2,)" + tmpl(container("c", "")) + "}]}}",
                  {"spec.tasks[1].template.spec.containers[0].command"});
    expect_issues(R"({"apiVersion":"kubeflow.org/v2beta1","kind":"MPIJob","metadata":{"name":"j","namespace":"n"},
                    "spec":{"mpiReplicaSpecs":{"Launcher":{)" +
                      tmpl(container("mpi", "")) + R"(},"Worker":{"replicas":1,)" + tmpl(container("mpi", "")) + "}}}}",
                  {"spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].command"});
    expect_issues(R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"PyTorchJob","metadata":{"name":"j","namespace":"n"},
                    "spec":{"replicaSpecs":[{"replicas":1,"replicaType":"MASTER",)" +
                      tmpl(container("pytorch", run)) + R"(},{"replicas":1,"replicaType":"WORKER",)" +
                      tmpl(container("pytorch", "")) + "}]}}",
                  {"spec.replicaSpecs[1].template.spec.containers[0].command"});
    expect_issues(R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"ChainerJob","metadata":{"name":"j","namespace":"n"},
                    "spec":{"master":{)" +
                      tmpl(container("chainer", "")) + "}}}",
                  {"spec.master.template.spec.containers[0].command"});
}

BOOST_AUTO_TEST_CASE(a_volume_that_is_not_mounted_is_named_with_its_kind) {
    auto const job = parse_job(R"({"apiVersion":"kubeflow.org/v1","kind":"XGBoostJob","metadata":{"name":"j",
        "namespace":"n"},"spec":{"xgbReplicaSpecs":{"Master":{"replicas":1,"template":{"spec":{"containers":[{
        "name":"xgboost","image":"a:1","command":["true"]}],
        "volumes":[{"name":"d","nfs":{"server":"nas","path":"/data"}}]}}}}}})")
                         .value();
    auto const found = local::unsupported_parts(job, local::isolation::namespaces, operator_options());
    BOOST_TEST_REQUIRE(found.size() == 1U);
    for (auto const* part : {"spec.xgbReplicaSpecs[Master].template.spec.volumes[0]: ", "volume \"d\"", "nfs \"nas\""})
        BOOST_TEST(found[0].message.find(part) != std::string::npos, found[0].message << " does not name " << part);
}

// Their launchers start processes by `kubectl exec`, for which pods need the network of the node.
BOOST_AUTO_TEST_CASE(jobs_that_start_by_exec_need_namespaces) {
    std::string const pod = R"("template":{"spec":{"containers":[{"name":"c","image":"a:1","command":["true"]}]}})";
    std::string chainer = pod;
    chainer.replace(chainer.find("\"c\""), 3, "\"chainer\"");
    expect_namespaces_needed(R"({"apiVersion":"kubeflow.org/v1","kind":"MPIJob","metadata":{"name":"j","namespace":"n"},
        "spec":{"mpiReplicaSpecs":{"Launcher":{"replicas":1,)" +
                                 pod + R"(},"Worker":{"replicas":1,)" + pod + "}}}}",
                             "MPIJob of kubeflow.org/v1 ");
    expect_namespaces_needed(R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"ChainerJob","metadata":{"name":"j",
        "namespace":"n"},"spec":{"master":{)" +
                                 chainer + R"(},"workerSets":{"ws":{"replicas":1,)" + chainer + "}}}}",
                             "ChainerJob of kubeflow.org/v1alpha1 ");
    auto const alone = parse_job(R"({"apiVersion":"kubeflow.org/v1alpha1","kind":"ChainerJob","metadata":{"name":"j",
        "namespace":"n"},"spec":{"master":{)" +
                                 chainer + "}}}")
                           .value();
    BOOST_TEST(local::unsupported_parts(alone, local::isolation::namespaces, operator_options()).empty());
}

BOOST_AUTO_TEST_CASE(rules_of_the_kind_come_before_what_cannot_be_served) {
    auto job = sample();
    job.spec.jax_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    job.spec.jax_replica_specs["Worker"].template_.spec.containers[0].name = "other";
    auto const denied = judged(job);
    BOOST_TEST_REQUIRE(denied.has_value());
    BOOST_TEST(denied->message.find("the local cluster") == std::string::npos, denied->message);
}

BOOST_AUTO_TEST_CASE(a_stored_job_that_cannot_be_served_may_still_be_changed) {
    auto before = sample();
    auto after = before;
    after.spec.jax_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    BOOST_TEST(judged(after, before).has_value());
    before = after;
    after.metadata.labels["a"] = "b";
    BOOST_TEST(!judged(after, before).has_value());
}

// The schema of replicas has `integer` with format `int32`, and the API server ignores the format.
BOOST_AUTO_TEST_CASE(values_that_do_not_fit_the_type_are_refused_with_their_position) {
    auto const resource = local::resource_for(job_rules_for<jax_job>());
    auto const object = boost::json::parse(R"({"apiVersion":"kubeflow.org/v1","kind":"JAXJob","metadata":{"name":"j"},)"
                                           R"("spec":{"jaxReplicaSpecs":{"Worker":{"replicas":3000000000}}}})")
                            .as_object();
    auto const verdict = resource.admission(apiserver::admission_request(object));
    BOOST_TEST_REQUIRE(verdict.denied.has_value());
    BOOST_TEST(verdict.denied->code == 400u);
    for (auto const* part : {"spec.jaxReplicaSpecs.Worker.replicas", "int32", "3000000000"})
        BOOST_TEST(verdict.denied->message.find(part) != std::string::npos,
                   verdict.denied->message << " does not name " << part);
}

BOOST_AUTO_TEST_SUITE_END()
