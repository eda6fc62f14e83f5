#include "fuzz/documents.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/kinds/registry.hpp>

#include <map>
#include <memory>

namespace fuzz {

using namespace kftrain;

namespace {

constexpr std::int64_t most_replicas = 40;
constexpr std::size_t most_members = 200;

/// Whether no count of replicas in the job takes long to render.
bool is_small(json::value const& v) {
    if (v.is_array()) {
        for (auto const& item : v.get_array())
            if (!is_small(item)) return false;
    } else if (v.is_object()) {
        for (auto const& [key, value] : v.get_object()) {
            bool const counts = std::string_view(key).ends_with("eplicas"); // minReplicas, too, and the early Replicas
            if (counts && value.is_int64() && value.get_int64() > most_replicas) return false;
            if (!is_small(value)) return false;
        }
    }
    return true;
}

std::string text_of(std::vector<any_object> const& children) {
    std::string text;
    for (auto const& c : children) text += c.to_json() + "\n";
    return text;
}

std::string text_of(issues const& found) {
    std::string text;
    for (auto const& i : found) text += i.rule + " " + i.path + " " + i.message + "\n";
    return text;
}

void renders(any_job const& job) {
    std::string const rendered = text_of(job.render());
    require(text_of(job.render()) == rendered, "rendered twice, the children differ");
    require(text_of(job.with_defaults().render()) == rendered, "rendered with its defaults, the children differ");
    auto const layout = job.members();
    time_point const now{std::chrono::seconds(1'700'000'000)};
    auto const first = job.rules().make_plan(job.get(), {}, nullptr, now);
    require(first.steps.size() == job.rules().make_plan(job.get(), {}, nullptr, now).steps.size(),
            "planned twice, the plans differ");

    for (auto const& text : {job.to_json(), job.to_yaml()}) {
        auto const again = parse_job(text);
        require(again.has_value(), "what was written is refused: " + text);
        require(text_of(any_job(job.rules(), again->get()).render()) == rendered,
                "read back, the job has other children");
    }
}

/// Checks a job as servers do.
void admits(any_job const& job) {
    auto const found = schema_issues(job.rules().schema(), job.to_json());
    require(found.has_value(), "the schema cannot read what was encoded");
    auto const answer = job.rules().admit(job.get(), rules::admission_context());
    require(!answer.denied || !answer.denied->text.empty(), "denied without a word");
    rules::admission_context update;
    update.before = job.get();
    (void)job.rules().admit(job.get(), update);
}

/// Rules of the kind with a value for each flag of its operator: gangs, plugins as designed.
rules::job_rules const& configured_rules(rules::job_rules const& kind) {
    static auto const all = [] {
        std::map<rules::job_rules const*, std::shared_ptr<rules::job_rules const>> rules_with_flags;
        for (auto const* k : known_job_rules()) {
            operator_options options;
            for (auto const& flag : k->flags())
                for (auto const* value : {"volcano", "designed", "init-containers", "2"})
                    if (flag.read(options, value)) break;
            rules_with_flags.emplace(k, k->with(options));
        }
        return rules_with_flags;
    }();
    return *all.at(&kind);
}

void works(any_job const& submitted) {
    any_job job = submitted;
    require(text_of(job.validate()) == text_of(submitted.validate()), "validation changes the job");
    job.set_defaults();
    std::string const defaulted = job.to_json();
    job.set_defaults();
    require(job.to_json() == defaulted, "defaults set twice differ: " + job.to_json() + " from " + defaulted);
    (void)submitted.phase();
    auto const document = parse(defaulted);
    require(document.has_value(), "encoded as something that is no JSON");
    bool const valid = !has_errors(submitted.validate());
    if (!is_small(*document)) return;
    admits(submitted);
    (void)submitted.lint();
    if (valid && job.members().members.size() <= most_members) renders(submitted);
}

} // namespace

void try_manifest(std::string_view text) {
    auto const jobs = parse_jobs(text);
    if (!jobs) return require(!jobs.error().detail.message.empty(), "an error without a message");
    for (auto const& job : *jobs) works(job);
    for (auto const& job : *jobs) works(any_job(configured_rules(job.rules()), job.get()));
}

} // namespace fuzz
