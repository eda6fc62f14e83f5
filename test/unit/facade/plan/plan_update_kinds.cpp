#include "facade/plan/plan_update.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>

BOOST_AUTO_TEST_SUITE(facade_plan_update_kinds)

using namespace kftrain;

namespace {

/// A job of the examples, as the server would have it.
struct known {
    explicit known(std::string const& file) {
        std::ifstream in(std::string(KFTRAIN_SOURCE_DIR) + "/" + file);
        text.assign(std::istreambuf_iterator<char>(in), {});
        read();
    }

    void read() {
        job = parse_job(text).value();
        job.metadata().namespace_ = "team";
        stored = job;
        stored.metadata().uid = "uid";
        stored.set_defaults();
    }

    /// The plan for the job of this text after replacing `from` with `to`.
    update_plan changed(std::string const& from, std::string const& to) const {
        std::string next = text;
        auto const at = next.find(from);
        BOOST_REQUIRE_MESSAGE(at != std::string::npos, from << " is not in " << text);
        next.replace(at, from.size(), to);
        auto wanted = parse_job(next).value();
        wanted.metadata().namespace_ = "team";
        return plan_update(wanted, stored);
    }

    std::string text;
    any_job job;
    any_job stored;
};

bool has(update_plan const& p, std::string const& verb, std::string const& kind) {
    return std::ranges::any_of(p.objects, [&](auto const& o) { return o.verb == verb && o.kind == kind; });
}

} // namespace

BOOST_AUTO_TEST_CASE(only_replica_numbers_of_volcano_jobs_can_change) {
    known const j("examples/manifests/volcano_job.yaml");
    auto const scaled = j.changed("replicas: 2", "replicas: 3");
    BOOST_TEST((scaled.effect == change_effect::in_place), scaled.to_string());
    BOOST_TEST(has(scaled, "create", "Pod"), scaled.to_string());
    auto const image = j.changed("image: ", "image: other");
    BOOST_TEST((image.effect == change_effect::recreation), image.to_string());
    BOOST_TEST_REQUIRE(image.refusals.size() == 1U);
    BOOST_TEST(image.fields[0].why.find("job updates may not change fields other than") != std::string::npos,
               image.fields[0].why);
    BOOST_TEST(image.objects.empty());
}

/// Upstream: volcano v1.9.0 `pkg/webhooks/admission/jobs/mutate/mutate_job.go` fills in `minAvailable` on creation
/// alone.
BOOST_AUTO_TEST_CASE(defaults_of_admission_are_not_changes) {
    known j("examples/manifests/volcano_job.yaml");
    std::string const line = "  minAvailable: 3\n";
    BOOST_TEST_REQUIRE(j.text.find(line) != std::string::npos);
    j.text.erase(j.text.find(line), line.size());
    j.read();
    BOOST_TEST_REQUIRE(j.stored.get_if<volcano_job>()->spec.min_available == 3);
    auto const paths = [](update_plan const& p) {
        std::string all;
        for (auto const& f : p.fields) all += f.path + "\n";
        return all;
    };
    auto const scaled = j.changed("replicas: 2", "replicas: 3");
    BOOST_TEST(paths(scaled).find("minAvailable") == std::string::npos, scaled.to_string());
    BOOST_TEST(paths(scaled).find(".replicas\n") != std::string::npos, scaled.to_string());
    // One that was written and is left out now is a change.
    auto stored = *j.stored.get_if<volcano_job>();
    stored.spec.min_available = 1;
    j.stored = any_job(stored);
    auto const left_out = j.changed("replicas: 2", "replicas: 3");
    BOOST_TEST(paths(left_out).find("spec.minAvailable\n") != std::string::npos, left_out.to_string());
}

BOOST_AUTO_TEST_CASE(refusals_have_the_message_of_the_server) {
    known const j("examples/manifests/xgboost_job.yaml");
    auto const p = j.changed("cleanPodPolicy: Running", "managedBy: kueue.x-k8s.io/multikueue");
    BOOST_TEST_REQUIRE(p.refusals.size() == 1U);
    BOOST_TEST(p.refusals[0].path == "spec.runPolicy.managedBy");
    BOOST_TEST((p.effect == change_effect::recreation));
    auto const field = std::ranges::find(p.fields, "spec.runPolicy.managedBy", &field_change::path);
    BOOST_TEST_REQUIRE((field != p.fields.end()), p.to_string());
    BOOST_TEST((field->effect == change_effect::recreation));
    BOOST_TEST(field->why.find("field is immutable") != std::string::npos, field->why);
    BOOST_TEST(p.objects.empty());
}

BOOST_AUTO_TEST_CASE(launchers_are_unchanged_and_workers_change_in_place) {
    known const j("examples/manifests/mpi_hosts.yaml");
    auto const scaled = j.changed("replicas: 2", "replicas: 3");
    BOOST_TEST((scaled.effect == change_effect::in_place), scaled.to_string());
    BOOST_TEST(has(scaled, "create", "Pod"), scaled.to_string());
    BOOST_TEST(has(scaled, "replace", "ConfigMap"), scaled.to_string());
    auto const launcher = j.changed("image: none #", "image: other #");
    BOOST_TEST((launcher.effect == change_effect::recreation), launcher.to_string());
    auto const worker = j.changed("image: none\n", "image: other\n");
    BOOST_TEST((worker.effect == change_effect::later), worker.to_string());
}

BOOST_AUTO_TEST_CASE(worker_sets_are_updated_by_their_operator) {
    known const j("test/bench/jobs/chainer_workers.yaml");
    auto const scaled = j.changed("replicas: 2", "replicas: 3");
    BOOST_TEST((scaled.effect == change_effect::in_place), scaled.to_string());
    BOOST_TEST(has(scaled, "replace", "StatefulSet"), scaled.to_string());
    auto const master = j.changed("[mpiexec, -n, \"10000\"", "[mpiexec, -n, \"2\"");
    BOOST_TEST((master.effect == change_effect::recreation), master.to_string());
}

/// Nothing else in the house would notice a kind whose stored jobs differ from what was submitted.
BOOST_AUTO_TEST_CASE(defaults_are_no_change_for_every_kind) {
    for (auto const* file :
         {"chainer_job.yaml", "jax_job.yaml", "mpi_hosts.yaml", "mpi_job_v1.yaml", "mx_job.yaml", "paddle_job.yaml",
          "pytorch_digits.yaml", "pytorch_job_v1alpha1.yaml", "tf_job.yaml", "volcano_job.yaml", "xgboost_job.yaml"}) {
        known const j(std::string("examples/manifests/") + file);
        auto const p = plan_update(j.job, j.stored);
        BOOST_TEST(p.empty(), file << ": " << p.to_string());
        auto const fresh = plan_creation(prepared_job::admitted(j.job));
        BOOST_TEST(!fresh.objects.empty(), file);
    }
}

BOOST_AUTO_TEST_SUITE_END()
