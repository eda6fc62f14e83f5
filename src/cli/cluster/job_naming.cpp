#include "cli/cluster/job_naming.hpp"

#include "cli/cluster/job_words.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"
#include "cli/manifests.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/discovery.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace kftrain::cli {
namespace {

using catalog = std::shared_ptr<kube::api_catalog const>;

/// Which of the kinds the server prefers; null if it serves none.
result<rules::job_rules const*> preferred(connection& c, std::vector<rules::job_rules const*> const& kinds) {
    kube::discovery served(c.jobs().get_client());
    diagnostics detail;
    auto const how = c.timed(kube::call_options().with_detail(detail));
    auto const read = kube::run_blocking<catalog>(c.jobs().get_executor(), detail,
                                                  [&](auto handler) { served.async_catalog(how, std::move(handler)); });
    if (!read) return read.error();
    rules::job_rules const* none = nullptr;
    auto const& info = *kinds.front()->primary().info;
    auto const* const known = (*read)->find(info.group, info.kind);
    if (known == nullptr) return none;
    auto const of_it = std::ranges::find_if(
        kinds, [&](rules::job_rules const* k) { return k->primary().info->version == known->version; });
    return of_it == kinds.end() ? none : *of_it;
}

bool is_of_one_api(std::vector<rules::job_rules const*> const& kinds) {
    return std::ranges::all_of(kinds, [&](rules::job_rules const* k) {
        auto const &a = *k->primary().info, &b = *kinds.front()->primary().info;
        return a.kind == b.kind && a.group == b.group;
    });
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
    auto const kinds = find_job_kinds(name);
    if (kinds.size() > 1 && is_of_one_api(kinds)) {
        auto const kind = preferred(c, kinds);
        if (!kind) return refusal(tell_failure(kind.error(), "which \"" + name + "\" the cluster prefers"));
        if (*kind != nullptr) return *kind;
    }
    auto const only = find_job_kind(name);
    if (only) return *only;
    complain(only.error().to_string());
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
