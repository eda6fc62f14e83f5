#include "unit/facade/explain/explained_job.hpp"

#include "facade/explain/collect_evidence.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/all.hpp>
#include <kftrain/kinds/registry.hpp>

BOOST_AUTO_TEST_SUITE(facade_explain_training_container)

using namespace explained;

namespace {

/// Another container stands first in the templates and has the devices.
void add_viewer(pytorch_job& j) {
    for (auto& [type, spec] : j.spec.pytorch_replica_specs) {
        spec.restart_policy = "OnFailure";
        auto& list = spec.template_.spec.containers;
        auto& viewer = *list.insert(list.begin(), core::container());
        viewer.name = "viewer";
        viewer.image = "example.com/viewer:1";
        viewer.resources.limits.emplace("nvidia.com/gpu", quantity("1"));
        list[1].resources.limits.erase("nvidia.com/gpu");
    }
}

std::string container_of(resource_info const& kind) {
    auto const* const rules = find_job_rules(kind.api_version(), kind.kind);
    return std::string(rules->facts().training_container.value_or("none"));
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/*_types.go`, the default container names.
BOOST_AUTO_TEST_CASE(the_training_container_is_named_by_the_operator) {
    BOOST_TEST(container_of(pytorch_job::resource) == "pytorch");
    BOOST_TEST(container_of(tf_job::resource) == "tensorflow");
    BOOST_TEST(container_of(xgboost_job::resource) == "xgboost");
    BOOST_TEST(container_of(paddle_job::resource) == "paddle");
    BOOST_TEST(container_of(jax_job::resource) == "jax");
    BOOST_TEST(container_of(mx_job::resource) == "mxnet");
    BOOST_TEST(container_of(chainer_job::resource) == "chainer");
    BOOST_TEST(container_of(kubeflow_v1alpha1::pytorch_job::resource) == "pytorch");
    BOOST_TEST(container_of(kubeflow_v1::mpi_job::resource) == "");
    BOOST_TEST(container_of(mpi_job::resource) == "");
    BOOST_TEST(container_of(volcano_job::resource) == "none");
}

BOOST_AUTO_TEST_CASE(the_training_container_does_not_depend_on_devices) {
    explained_job w(2, add_viewer);
    w.with_sidecar("viewer");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "sidecar");
    BOOST_TEST(
        contains(c.summary, "Container pytorch of Master 0 (rank 0) has ended with exit code 0, but container viewer"));
    BOOST_TEST(!has_line(c.evidence, "is not in the pod template"));
}

BOOST_AUTO_TEST_CASE(an_ended_helper_of_the_template_is_not_a_sidecar_case) {
    explained_job w(2, add_viewer);
    auto& p = w.with_sidecar("viewer");
    std::swap(p.status.container_statuses[0].name, p.status.container_statuses[1].name);
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(a_container_that_does_not_train_is_named_when_it_fails) {
    explained_job w(2, add_viewer);
    auto& p = w.ended("master-0", 0);
    auto& viewer = p.status.container_statuses.emplace_back();
    viewer.name = "viewer";
    auto& t = viewer.state.terminated.emplace();
    t.exit_code = 3;
    t.finished_at = at("11:30:00");
    w.fail();
    BOOST_TEST(w.first().summary == "Container viewer of Master 0 (rank 0) ended with exit code 3");
    BOOST_TEST(w.first().container == "viewer");
}

BOOST_AUTO_TEST_CASE(of_simultaneous_ends_the_training_container_comes_first) {
    explained_job w(2, add_viewer);
    auto& p = w.pod("master-0");
    p.status.phase = "Failed";
    for (auto const* const name : {"viewer", "pytorch"}) {
        auto& c = p.status.container_statuses.emplace_back();
        c.name = name;
        auto& t = c.state.terminated.emplace();
        t.exit_code = 1;
        t.finished_at = at("11:30:00");
    }
    w.fail();
    BOOST_TEST(w.first().container == "pytorch");
    BOOST_TEST(w.first().summary == "Master 0 (rank 0) ended with exit code 1");
}

BOOST_AUTO_TEST_CASE(logs_of_running_training_containers_are_read) {
    explained_job w(1);
    auto& p = w.running("master-0");
    auto& proxy = p.status.container_statuses.emplace_back();
    proxy.name = "istio-proxy";
    proxy.state.running.emplace().started_at = at("11:00:05");
    w.running("worker-0");
    w.explain();
    explaining::findings const f(w.evidence, w.now);
    std::vector<std::string> read;
    for (auto const& l : explaining::logs_to_read(f, explain_options())) read.push_back(l.pod + "/" + l.container);
    BOOST_TEST(read == (std::vector<std::string>{"digits-master-0/pytorch", "digits-worker-0/pytorch"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_summary_is_stable_without_changes) {
    for (bool const watched : {false, true}) {
        explained_job w;
        if (watched)
            w.all_run(), w.log("master-0", {"step 1"}, "11:40:00");
        else
            w.job.status.conditions.clear();
        auto const before = w.first();
        w.now += 3h;
        auto const after = w.first();
        BOOST_TEST((before.kind == (watched ? cause_kind::stalled : cause_kind::no_operator)));
        BOOST_TEST(before.summary == after.summary);
        BOOST_TEST((before.evidence != after.evidence));
    }
}

BOOST_AUTO_TEST_SUITE_END()
