#include "unit/job/sample.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_prepared)

using namespace kftrain;

namespace {

/// A Volcano Job with a claim that its operator makes.
volcano_job with_claim() {
    volcano_job job;
    job.metadata.name = "j";
    job.metadata.namespace_ = "team";
    auto& task = job.spec.tasks.emplace_back();
    task.name = "worker";
    task.replicas = 2;
    auto& c = task.template_.spec.containers.emplace_back();
    c.name = "main";
    c.image = "a:1";
    auto& volume = job.spec.volumes.emplace_back();
    volume.mount_path = "/data";
    volume.volume_claim.emplace().access_modes = {"ReadWriteOnce"};
    return job;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_valid_job_has_members_and_objects) {
    auto const job = prepared_job::admitted(sample::job(1, 2));
    BOOST_TEST(job.is_valid());
    BOOST_TEST(job.layout().members.size() == 3U);
    BOOST_TEST(job.render().size() == 6U); // pods and services
    BOOST_TEST(&prepared_job(job).layout() == &job.layout());
    BOOST_TEST(job.pod_of(job.layout().members.at(1)).metadata.name == job.layout().members.at(1).pod_name);
}

BOOST_AUTO_TEST_CASE(an_invalid_job_has_no_members_whatever_its_size) {
    auto const job = prepared_job::admitted(sample::job(1, 2'000'000'000));
    BOOST_TEST(!job.is_valid());
    BOOST_TEST((job.faults() == job->validate()));
    BOOST_TEST(job.layout().members.empty());
    BOOST_TEST(job.render().empty());
    BOOST_TEST(job.pod_of(member()).spec.containers.empty());
    BOOST_TEST(any_job(*job).members().members.empty());
    BOOST_TEST((member_lookup(*job).of_rank(0).error().code == errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(an_empty_job_has_one_fault) {
    prepared_job const job;
    BOOST_TEST(job.empty());
    BOOST_TEST_REQUIRE(job.faults().size() == 1U);
    BOOST_TEST(job.faults()[0].rule == "job.kind");
    BOOST_TEST(job.layout().members.empty());
    BOOST_TEST((job.scaled("Worker", 1).error().code == errc::invalid_argument));
    BOOST_TEST(job.suspending().refused == "expected a job, got an empty one");
}

/// Between two writes of the operator: the spec has the name of its claim, the status does not list it yet.
BOOST_AUTO_TEST_CASE(a_stored_job_may_have_what_its_operator_wrote) {
    auto job = with_claim();
    BOOST_TEST(prepared_job::admitted(job).is_valid());
    job.spec.volumes[0].volume_claim_name = "j-volume-12345";
    BOOST_TEST(!prepared_job::admitted(job).is_valid());
    auto const stored = prepared_job::stored(job);
    BOOST_TEST(stored.faults().empty());
    BOOST_TEST(stored.layout().members.size() == 2U);
    BOOST_TEST(any_job(job).members().members.empty());
    job.metadata.uid = "u";
    BOOST_TEST(any_job(job).members().members.size() == 2U);
    BOOST_TEST(!any_job(job).render().empty());
    BOOST_TEST(!member_lookup(job).layout().members.empty());
}

BOOST_AUTO_TEST_CASE(a_generated_name_is_completed_for_all_but_the_written_job) {
    auto written = sample::job(1, 1);
    written.metadata.generate_name = "run-";
    written.metadata.name.clear();
    auto const job = prepared_job::admitted(written);
    BOOST_TEST(job.is_valid());
    BOOST_TEST(job->metadata().name == "");
    BOOST_TEST(job.complete().metadata().name == "run-xxxxx");
    BOOST_TEST(job.layout().members.at(0).pod_name == "run-xxxxx-master-0");
}

BOOST_AUTO_TEST_CASE(defaults_are_applied_to_a_copy) {
    auto written = sample::job(1, 1);
    written.spec.pytorch_replica_specs["Worker"].replicas.reset();
    auto const job = prepared_job::admitted(written);
    BOOST_TEST(!job->get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").replicas);
    BOOST_TEST(job.complete().get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").replicas.value() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
