#include "apiserver/store/selector.hpp"
#include "apiserver/tables/table.hpp"
#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_batch_jobs)

using namespace sample;

// Jobs of batch/v1. Expected: kubernetes pkg/apis/batch/v1/defaults.go, pkg/registry/batch/job/strategy.go,
// pkg/apis/batch/validation/validation.go, pkg/printers/internalversion/printers.go (printJob), v1.31; Jobs that a real
// API server stored.
namespace {

struct batch_jobs : refused_sample {
    batch_jobs() : refused_sample("batch", "v1", "jobs") {}

    static std::string text(std::string const& spec, std::string const& policy = "Never") {
        return R"({"metadata":{"name":"j"},"spec":{)" + spec + (spec.empty() ? "" : ",") +
               R"("template":{"metadata":{"labels":{"app":"x"}},"spec":{"restartPolicy":")" + policy +
               R"(","containers":[{"name":"c","image":"i:1","resources":{"limits":{"cpu":"1"}}}]}}}})";
    }
    json::object stored(std::string const& spec) {
        return store.create(kind, "default", parse(text(spec)), at(0)).value().object->parsed();
    }
    std::string fault(std::string const& spec, std::string const& policy = "Never") {
        return refusal(text(spec, policy));
    }
    /// The columns of `kubectl get -o wide` after the name.
    std::string row(std::string const& spec, std::string const& status) {
        store.create(kind, "default", parse(text(spec)), at(0)).value();
        auto const o =
            store.patch_status(kind, "default", "j", patch_type::merge, R"({"status":)" + status + "}", at(0))
                .value()
                .object;
        table_options options;
        options.now = at(65);
        options.rows = row_object::none;
        auto const table = make_table(store.definition(kind), std::span(&o, 1), options);
        std::string out;
        for (auto const& cell : table.at("rows").at(0).at("cells").as_array())
            out += (out.empty() ? "" : " ") + std::string(cell.as_string());
        return out;
    }
};

std::string at_path_of(json::object const& o, std::string_view path) {
    auto const* v = at_path(o, path);
    return v == nullptr ? "(none)" : json::serialize(*v);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_new_job_gets_the_servers_defaults) {
    batch_jobs w;
    auto const job = w.stored("");
    BOOST_TEST(at_path_of(job, "spec.completions") == "1");
    BOOST_TEST(at_path_of(job, "spec.parallelism") == "1");
    BOOST_TEST(at_path_of(job, "spec.backoffLimit") == "6");
    BOOST_TEST(at_path_of(job, "spec.completionMode") == R"("NonIndexed")");
    BOOST_TEST(at_path_of(job, "spec.suspend") == "false");
    BOOST_TEST(at_path_of(job, "spec.manualSelector") == "false");
    BOOST_TEST(at_path_of(job, "spec.podReplacementPolicy") == R"("TerminatingOrFailed")");
    BOOST_TEST(at_path_of(job, "metadata.generation") == "1");
    BOOST_TEST(at_path_of(job, "spec.template.spec.dnsPolicy") == R"("ClusterFirst")");
    // Each pod gets these itself.
    BOOST_TEST(at_path_of(job, "spec.template.spec.enableServiceLinks") == "(none)");
    BOOST_TEST(at_path_of(job, "status") == "(none)");
    auto const& c = job.at("spec").at("template").at("spec").at("containers").at(0).as_object();
    BOOST_TEST(at_path_of(c, "resources.requests") == "(none)");
    BOOST_TEST(at_path_of(c, "imagePullPolicy") == R"("IfNotPresent")");
}

BOOST_AUTO_TEST_CASE(defaults_depend_on_other_fields) {
    batch_jobs w;
    auto const queue = w.stored(R"("parallelism":3)");
    BOOST_TEST(at_path_of(queue, "spec.completions") == "(none)");
    batch_jobs v;
    auto const indexed = v.stored(
        R"("completionMode":"Indexed","completions":2,"backoffLimitPerIndex":1,"podFailurePolicy":{"rules":[
            {"action":"Ignore","onPodConditions":[{"type":"DisruptionTarget"}]}]})");
    BOOST_TEST(at_path_of(indexed, "spec.parallelism") == "1");
    BOOST_TEST(at_path_of(indexed, "spec.backoffLimit") == "2147483647");
    BOOST_TEST(at_path_of(indexed, "spec.podReplacementPolicy") == R"("Failed")");
    BOOST_TEST(json::serialize(indexed.at("spec").at("podFailurePolicy").at("rules").at(0).at("onPodConditions")) ==
               R"([{"type":"DisruptionTarget","status":"True"}])");
}

BOOST_AUTO_TEST_CASE(the_generated_selector_uses_the_job_uid) {
    batch_jobs w;
    auto const job = w.stored("");
    auto const uid = std::string(job.at("metadata").at("uid").as_string());
    BOOST_TEST(json::serialize(job.at("spec").at("selector")) ==
               R"({"matchLabels":{"batch.kubernetes.io/controller-uid":")" + uid + "\"}}");
    auto const& labels = job.at("spec").at("template").at("metadata").at("labels").as_object();
    BOOST_TEST(labels.size() == 5u);
    for (auto const* name : {"job-name", "batch.kubernetes.io/job-name"})
        BOOST_TEST(std::string(labels.at(name).as_string()) == "j");
    for (auto const* name : {"controller-uid", "batch.kubernetes.io/controller-uid"})
        BOOST_TEST(std::string(labels.at(name).as_string()) == uid);
    BOOST_TEST(json::serialize(job.at("metadata").at("labels")) == R"({"app":"x"})");
}

BOOST_AUTO_TEST_CASE(a_manual_selector_is_kept) {
    batch_jobs w;
    auto const job = w.stored(R"("manualSelector":true,"selector":{"matchLabels":{"app":"x"}})");
    BOOST_TEST(json::serialize(job.at("spec").at("selector")) == R"({"matchLabels":{"app":"x"}})");
    BOOST_TEST(json::serialize(job.at("spec").at("template").at("metadata").at("labels")) == R"({"app":"x"})");
}

BOOST_AUTO_TEST_CASE(objects_that_are_not_jobs_are_refused) {
    batch_jobs w;
    BOOST_TEST(w.fault("", "Always") ==
               R"(Job.batch "j" is invalid: spec.template.spec.restartPolicy: Required value: )"
               R"(valid values: "OnFailure", "Never")");
    BOOST_TEST(w.fault(R"("completions":-1)") ==
               "Job.batch \"j\" is invalid: spec.completions: Invalid value: -1: must be greater than or equal to 0");
    BOOST_TEST(w.fault(R"("completionMode":"Indexed","parallelism":1)") ==
               "Job.batch \"j\" is invalid: spec.completions: Required value: when completion mode is Indexed");
    BOOST_TEST(w.fault(R"("completionMode":"Sorted")") ==
               R"(Job.batch "j" is invalid: spec.completionMode: Unsupported value: "Sorted": )"
               R"(supported values: "NonIndexed", "Indexed")");
    BOOST_TEST(w.fault(R"("maxFailedIndexes":1)").find("requires indexed completion mode") != std::string::npos);
    auto const r = w.store.create(
        w.kind, "default",
        batch_jobs::parse(R"({"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never"}}}})"),
        at(0));
    BOOST_REQUIRE(!r);
    BOOST_TEST(r.error().message == "Job.batch \"j\" is invalid: spec.template.spec.containers: Required value");
}

BOOST_AUTO_TEST_CASE(pod_templates_are_immutable) {
    batch_jobs w;
    w.stored(R"("suspend":true)");
    auto const fault = [&](std::string const& spec) {
        auto const r = w.store.patch(w.kind, "default", "j", patch_type::merge, R"({"spec":)" + spec + "}", at(1));
        return r ? "" : r.error().message;
    };
    BOOST_TEST(fault(R"({"parallelism":2,"activeDeadlineSeconds":60})") == "");
    BOOST_TEST(fault(R"({"completions":2})") ==
               "Job.batch \"j\" is invalid: spec.completions: Invalid value: 2: field is immutable");
    BOOST_TEST(fault(R"({"completionMode":"Indexed"})").find("field is immutable") != std::string::npos);
    BOOST_TEST(fault(R"({"selector":{"matchLabels":{"a":"b"}}})").find("field is immutable") != std::string::npos);
    BOOST_TEST(fault(R"({"template":{"spec":{"hostname":"h"}}})").find("spec.template") != std::string::npos);
    // Queue controllers set the placement of the pods before these exist.
    BOOST_TEST(fault(R"({"template":{"metadata":{"labels":{"queue":"a"}},"spec":{"nodeSelector":{"z":"1"}}}})") == "");
    w.store
        .patch_status(w.kind, "default", "j", patch_type::merge, R"({"status":{"startTime":"2026-03-01T10:00:00Z"}})",
                      at(2))
        .value();
    BOOST_TEST(fault(R"({"template":{"spec":{"nodeSelector":{"z":"2"}}}})").find("spec.template") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(completions_of_an_indexed_job_change_with_its_parallelism) {
    batch_jobs w;
    w.stored(R"("completionMode":"Indexed","completions":2,"parallelism":2)");
    auto const patch = [&](std::string const& spec) {
        return w.store.patch(w.kind, "default", "j", patch_type::merge, R"({"spec":)" + spec + "}", at(1)).has_value();
    };
    BOOST_TEST(!patch(R"({"completions":3})"));
    BOOST_TEST(patch(R"({"completions":3,"parallelism":3})"));
}

BOOST_AUTO_TEST_CASE(a_row_shows_state_completions_and_duration) {
    std::string const wide = " c i:1 batch.kubernetes.io/controller-uid=uid-1";
    auto const row = [](std::string const& spec, std::string const& status) { return batch_jobs().row(spec, status); };
    BOOST_TEST(row("", "{}") == "j Running 0/1  65s" + wide);
    BOOST_TEST(row(R"("completions":3)", R"({"succeeded":2,"startTime":"2026-03-01T10:00:05Z"})") ==
               "j Running 2/3 60s 65s" + wide);
    BOOST_TEST(row(R"("parallelism":4)", R"({"succeeded":1})") == "j Running 1/1 of 4  65s" + wide);
    BOOST_TEST(row("", R"({"succeeded":1,"startTime":"2026-03-01T10:00:05Z","completionTime":"2026-03-01T10:00:25Z",
                          "conditions":[{"type":"SuccessCriteriaMet","status":"True"},
                                        {"type":"Complete","status":"True"}]})") == "j Complete 1/1 20s 65s" + wide);
    BOOST_TEST(row("", R"({"conditions":[{"type":"Suspended","status":"True"}]})") == "j Suspended 0/1  65s" + wide);
    BOOST_TEST(row("", R"({"conditions":[{"type":"Suspended","status":"False"},
                                         {"type":"FailureTarget","status":"True"}]})") ==
               "j FailureTarget 0/1  65s" + wide);
}

BOOST_AUTO_TEST_CASE(jobs_are_selected_by_their_successes) {
    batch_jobs w;
    w.stored("");
    auto const count = [&](std::string const& fields) {
        auto const by = kftrain::apiserver::selector::parse(w.store.definition(w.kind), "default", "", fields).value();
        auto const all = w.find(w.kind, "j");
        return by.matches(*all);
    };
    BOOST_TEST(count("status.successful=0"));
    w.store.patch_status(w.kind, "default", "j", patch_type::merge, R"({"status":{"succeeded":1}})", at(0)).value();
    BOOST_TEST(!count("status.successful=0"));
    BOOST_TEST(count("status.successful=1"));
}

BOOST_AUTO_TEST_CASE(pods_are_orphaned_unless_a_policy_is_given) {
    for (bool const background : {false, true}) {
        batch_jobs w;
        auto const job = w.store.create(w.kind, "default", batch_jobs::parse(batch_jobs::text("")), at(0)).value();
        w.make(w.pods, R"({"metadata":{"name":"p","ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j",
                           "controller":true,"uid":")" +
                           std::string(job.object->uid()) + R"("}]}})");
        delete_options options;
        if (background) options.propagation = "Background";
        BOOST_REQUIRE(w.store.remove(w.kind, "default", "j", options, at(1)).has_value());
        w.store.collect_garbage(at(1));
        BOOST_TEST((w.find(w.pods, "p") == nullptr) == background);
    }
}

BOOST_AUTO_TEST_SUITE_END()
