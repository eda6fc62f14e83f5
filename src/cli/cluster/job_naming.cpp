#include "cli/cluster/job_naming.hpp"

#include "cli/cluster/job_words.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"
#include "cli/manifests.hpp"

#include <kftrain/facade/served_kind.hpp>
#include <kftrain/kube/discovery.hpp>

#include <CLI/CLI.hpp>

#include <map>

namespace kftrain::cli {
namespace {

using catalog = std::shared_ptr<kube::api_catalog const>;

result<catalog> read_catalog(connection& c) {
    kube::discovery const served(c.jobs().get_client());
    diagnostics detail;
    auto const how = c.timed(kube::call_options().with_detail(detail));
    return kube::run_blocking<catalog>(c.jobs().get_executor(), detail,
                                       [&](auto handler) { served.async_catalog(how, std::move(handler)); });
}

found<std::vector<job_reference>> of_manifest(connection& c, std::string const& file) {
    auto const jobs = read_placed_jobs(c, file);
    if (!jobs) return refusal(jobs.exit());
    std::vector<job_reference> meant;
    for (auto const& job : *jobs) {
        if (job.metadata().name.empty()) {
            complain(place(file, 0, 0) + "metadata.name: expected the name of a job that is there, found none");
            return refusal();
        }
        meant.emplace_back(job.rules(), job.metadata().namespace_, job.metadata().name);
    }
    return meant;
}

} // namespace

void add_job_naming(CLI::App& command, job_naming& naming, std::string const& file_option) {
    auto* const words = command.add_option("JOB", naming.words, "KIND/NAME, any number, or KIND NAME...");
    command.add_option(file_option, naming.file, "Manifest of the jobs that are meant; - for the standard input")
        ->excludes(words);
}

found<rules::job_rules const*> find_kind(connection& c, std::string const& name) {
    auto kind = find_job_kind(name);
    if (!kind && find_job_kinds(name).size() > 1) {
        auto const served = read_catalog(c);
        if (!served) return refusal(tell_failure(served.error(), "which \"" + name + "\" the cluster prefers"));
        kind = find_served_kind(name, **served);
    }
    if (kind) return *kind;
    complain(kind.error().to_string());
    return refusal();
}

found<std::vector<any_job>> read_placed_jobs(connection const& c, std::string const& file) {
    auto jobs = read_written_jobs(file);
    if (!jobs) return refusal();
    for (auto& job : *jobs) {
        auto& its = job.metadata().namespace_;
        auto const& asked = c.options().namespace_;
        if (!asked.empty() && !its.empty() && its != asked) {
            complain(place(file, 0, 0) + word_of(job) + ": metadata.namespace: expected \"" + asked +
                     "\" as --namespace says, found \"" + its + "\"");
            return refusal();
        }
        if (its.empty()) its = c.jobs().get_namespace();
    }
    if (!jobs->empty()) return *std::move(jobs);
    complain(place(file, 0, 0) + "expected a job, found none");
    return refusal();
}

found<std::vector<job_reference>> find_jobs(connection& c, job_naming const& naming) {
    if (!naming.file.empty()) return of_manifest(c, naming.file);
    auto const words = read_job_words(naming.words);
    if (!words || words->empty()) {
        complain(words ? "expected a job as KIND/NAME, or a manifest by --filename" : words.error().to_string());
        return refusal();
    }
    std::map<std::string, rules::job_rules const*> kinds;
    std::vector<job_reference> meant;
    for (auto const& word : *words) {
        auto& kind = kinds[word.kind];
        if (kind == nullptr) {
            auto const named = find_kind(c, word.kind);
            if (!named) return refusal(named.exit());
            kind = *named;
        }
        meant.emplace_back(*kind, c.jobs().get_namespace(), word.name);
    }
    return meant;
}

found<job_reference> find_job(connection& c, job_naming const& naming) {
    auto const jobs = find_jobs(c, naming);
    if (!jobs) return refusal(jobs.exit());
    if (jobs->size() == 1) return jobs->front();
    complain("expected one job, found " + std::to_string(jobs->size()));
    return refusal();
}

} // namespace kftrain::cli
