#include "cli/manifests/read_job.hpp"
#include "cli/run/run_checks.hpp"
#include "job/v1/replica_rules.hpp"
#include "kinds/pytorch_job/kind.hpp"
#include "support/sample_jobs.hpp"
#include "support/served_cluster.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/local/job_checks.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <ostream>

// How often one job is validated, completed and laid out on its way through the command and the client. Its server
// applies the rules once more, which these numbers leave out.

BOOST_AUTO_TEST_SUITE(async_job_preparation)

using namespace kftrain;

namespace {

struct rule_counts {
    int validations = 0, defaults = 0, layouts = 0;

    friend bool operator==(rule_counts const&, rule_counts const&) = default;
    friend std::ostream& operator<<(std::ostream& out, rule_counts const& c) {
        return out << c.validations << " validations, " << c.defaults << " defaults, " << c.layouts << " layouts";
    }
};

rule_counts counts;

/// The rules of PyTorchJobs, which count how often callers apply them.
class counted_rules : public kubeflow_v1::replica_rules_of<kubeflow_v1::pytorch_kind> {
    using base = kubeflow_v1::replica_rules_of<kubeflow_v1::pytorch_kind>;

public:
    using base::base;

    std::shared_ptr<rules::job_rules const> with(operator_options const& options) const override {
        return std::make_shared<counted_rules const>(options);
    }
    void set_defaults(void* job) const override { ++counts.defaults, base::set_defaults(job); }
    issues validate(void const* job, void const* before) const override {
        return ++counts.validations, base::validate(job, before);
    }

protected:
    membership lay_out(void const* job) const override { return ++counts.layouts, base::lay_out(job); }
};

rules::job_rules const& counted() {
    static counted_rules const instance;
    return instance;
}

any_job sample() {
    auto job = test::sample_pytorch_job("j", 1, "default");
    for (auto& [type, spec] : job.spec.pytorch_replica_specs) spec.template_.spec.containers[0].command = {"/bin/true"};
    return any_job(counted(), &job);
}

struct counted_jobs : test::served_cluster {
    counted_jobs() {
        counts = rule_counts();
        serve_children(counted());
        serve<pytorch_job>();
    }
    any_job submit(any_job const& job) {
        return ask<any_job>([&](auto h) { client.async_submit(job, std::move(h)); });
    }

    training_client client{user, "default"};
};

rule_counts of(int validations, int defaults, int layouts) {
    rule_counts c;
    c.validations = validations;
    c.defaults = defaults;
    c.layouts = layouts;
    return c;
}

} // namespace

/// The client validates once more, because its caller may be anyone.
BOOST_AUTO_TEST_CASE(run_prepares_a_job_once) {
    counted_jobs w;
    auto const job = cli::checked_job(sample(), "-");
    BOOST_TEST_REQUIRE(job.has_value());
    cli::issue_printer printer("-", **job);
    BOOST_TEST(cli::startable(*job, printer));
    (void)cli::servable(*job, local::isolation::namespaces, local::pod_options(), printer);
    auto const missing = local::needed_objects(*job, local::pod_options());
    cli::print_references(*job, missing, printer);
    BOOST_TEST(job->layout().members.size() == 2U);
    w.submit(**job);
    BOOST_TEST(counts == of(2, 1, 1));
}

BOOST_AUTO_TEST_CASE(explain_prepares_a_job_once) {
    counted_jobs w;
    w.submit(sample());
    counts = rule_counts();
    auto const e = w.ask<explanation>([&](auto h) {
        w.client.async_explain(job_reference(counted(), "default", "j"), explain_options(), std::move(h));
    });
    BOOST_TEST(e.state.ranks.size() == 2U);
    BOOST_TEST(counts == of(1, 1, 1));
}

BOOST_AUTO_TEST_CASE(an_operator_prepares_a_job_once_for_a_pass) {
    auto const job = sample();
    counts = rule_counts();
    auto const plan = counted().make_plan(job.get(), rules::world(), nullptr, time_point());
    BOOST_TEST(plan.steps.size() > 1U);
    BOOST_TEST(counts == of(1, 1, 1));
}

BOOST_AUTO_TEST_SUITE_END()
