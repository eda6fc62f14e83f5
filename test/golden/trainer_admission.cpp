// Admission of TrainJobs and runtimes by the rules alone, compared with the recordings.
#include "golden/trainer_cases.hpp"
#include "model/rules/name_syntax.hpp"

BOOST_AUTO_TEST_SUITE(golden_trainer_admission)

namespace {

using namespace golden::trainer_cases;
using namespace golden;

struct verdict {
    verdict() = default;

    unsigned code = 0; ///< 0: accepted
    std::string message;
    json::array causes;
    json::array warnings;
    json::object stored;
};

json::object cause(schema_violation const& v) {
    return json::object{{"field", v.field}, {"message", v.message}, {"reason", v.reason}};
}

verdict decide(recorded_case const& c) {
    auto const kind = text(c.job, "kind"), name = name_of(c.job);
    auto const& schema = is_train_job(c) ? trainer::schema() : trainer::runtime_schema();
    verdict v;
    v.stored = stored(schema, c.job);
    std::vector<schema_violation> faults;
    for (auto const& why : dns_subdomain_faults(name))
        faults.emplace_back("FieldValueInvalid", "metadata.name", "Invalid value: \"" + name + "\": " + why);
    for (auto& f : validate(schema, json::serialize(v.stored)).value()) faults.push_back(std::move(f));
    if (!faults.empty()) {
        v.code = 422;
        std::string all;
        for (auto const& f : faults) {
            all += (all.empty() ? "" : ", ") + f.text();
            v.causes.push_back(cause(f));
        }
        if (faults.size() > 1) all = "[" + all + "]";
        v.message = kind + ".trainer.kubeflow.org \"" + name + "\" is invalid: " + all;
        return v;
    }
    rules::admission_context asked;
    asked.look_up = [&](rules::target const& t) {
        BOOST_TEST((t.namespace_ == (t.type->where == resource_scope::cluster ? "" : "corpus")));
        return find_runtime(c, t.type->kind, t.name);
    };
    auto const answer = is_train_job(c) ? trainer::admit(job_of(v.stored), asked)
                                        : rules::answer_of(trainer::validate(*trainer::spec_of(decode_runtime(c.job))));
    for (auto const& w : answer.warnings) v.warnings.emplace_back(w);
    if (!answer.denied) return v;
    v.code = answer.denied->code;
    v.message = std::string("admission webhook \"validator.") + (is_train_job(c) ? "trainjob" : "trainingruntime") +
                ".trainer.kubeflow.org\" denied the request: " + answer.denied->text;
    return v;
}

/// The webhook takes the times of patches from its clock, which the rules do not have: `#trainer-patch-time`.
std::string without_times(std::string message) {
    std::string const time = R"("time":"<time>",)";
    for (std::size_t at = 0; (at = message.find(time)) != message.npos;) message.erase(at, time.size());
    return message;
}

json::object without_times(json::object object) {
    for (auto const* key : {"generation", "uid"}) object["metadata"].as_object().erase(key);
    if (auto* spec = object["spec"].if_object())
        if (auto* patches = spec->if_contains("runtimePatches"))
            for (auto& p : patches->as_array()) p.as_object().erase("time");
    return object;
}

} // namespace

BOOST_AUTO_TEST_CASE(jobs_and_runtimes_are_accepted_or_rejected_with_the_messages_of_the_server) {
    std::size_t refused = 0;
    for (auto const& c : cases()) {
        auto const ours = decide(c);
        bool const accepted = c.admission.at("accepted").as_bool();
        refused += accepted ? 0 : 1;
        if (accepted) {
            BOOST_TEST(ours.code == 0u, title(c) + ": " + ours.message);
            compare(c, "stored", without_times(c.admission.at("stored").as_object()), without_times(ours.stored));
        } else if (title(c) != "curated/runtime-container") {
            auto const& status = child_of(c.admission, "status");
            BOOST_TEST(ours.code == status.at("code").to_number<unsigned>(), title(c));
            BOOST_TEST(ours.message == without_times(text(status, "message")), title(c));
            compare(c, "causes", list_of(child_of(status, "details"), "causes"), ours.causes);
        }
        compare(c, "warnings", list_of(c.admission, "warnings"), ours.warnings);
    }
    BOOST_TEST(cases().size() == 92u);
    BOOST_TEST(refused == 17u);
}

BOOST_AUTO_TEST_CASE(defaults_of_a_job_equal_those_of_the_server) {
    for (auto const& c : cases()) {
        if (!is_train_job(c) || !c.admission.at("accepted").as_bool()) continue;
        auto job = job_of(c.job);
        trainer::set_defaults(job);
        auto const ours = json::parse(to_json(job)).as_object();
        compare(c, "job", without_times(c.admission.at("stored").as_object()), without_times(ours));
    }
}

BOOST_AUTO_TEST_SUITE_END()
