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

/// Which of the kinds the server prefers; null if it serves none, or does not tell.
rules::job_rules const* preferred(connection& c, std::vector<rules::job_rules const*> const& kinds) {
    kube::discovery served(c.jobs().get_client());
    diagnostics detail;
    auto const how = c.timed(kube::call_options().with_detail(detail));
    auto const read = kube::run_blocking<catalog>(c.jobs().get_executor(), detail,
                                                  [&](auto handler) { served.async_catalog(how, std::move(handler)); });
    if (!read) return nullptr;
    auto const& info = *kinds.front()->primary().info;
    auto const* const found = (*read)->find(info.group, info.kind);
    if (found == nullptr) return nullptr;
    auto const of_it = std::ranges::find_if(
        kinds, [&](rules::job_rules const* k) { return k->primary().info->version == found->version; });
    return of_it == kinds.end() ? nullptr : *of_it;
}

bool is_of_one_api(std::vector<rules::job_rules const*> const& kinds) {
    return std::ranges::all_of(kinds, [&](rules::job_rules const* k) {
        auto const &a = *k->primary().info, &b = *kinds.front()->primary().info;
        return a.kind == b.kind && a.group == b.group;
    });
}

std::optional<std::vector<job_reference>> of_manifest(connection& c, std::string const& file) {
    auto const jobs = read_placed_jobs(c, file);
    if (!jobs) return std::nullopt;
    std::vector<job_reference> found;
    for (auto const& job : *jobs) {
        if (job.metadata().name.empty()) {
            complain(place(file, 0, 0) + "metadata.name: expected the name of a job that is there, found none");
            return std::nullopt;
        }
        found.emplace_back(job.rules(), job.metadata().namespace_, job.metadata().name);
    }
    return found;
}

} // namespace

void add_job_naming(CLI::App& command, job_naming& naming, std::string const& file_option) {
    auto* const words = command.add_option("JOB", naming.words, "KIND/NAME, any number, or KIND NAME...");
    command.add_option(file_option, naming.file, "Manifest of the jobs that are meant; - for the standard input")
        ->excludes(words);
}

rules::job_rules const* find_kind(connection& c, std::string const& name) {
    auto const kinds = find_job_kinds(name);
    if (kinds.size() > 1 && is_of_one_api(kinds))
        if (auto const* const kind = preferred(c, kinds)) return kind;
    auto const only = find_job_kind(name);
    if (only) return *only;
    complain(only.error().to_string());
    return nullptr;
}

std::optional<std::vector<any_job>> read_placed_jobs(connection const& c, std::string const& file) {
    auto jobs = read_written_jobs(file);
    if (!jobs) return std::nullopt;
    for (auto& job : *jobs) {
        auto& its = job.metadata().namespace_;
        auto const& asked = c.options().namespace_;
        if (!asked.empty() && !its.empty() && its != asked) {
            complain(place(file, 0, 0) + word_of(job) + ": metadata.namespace: expected \"" + asked +
                     "\" as --namespace says, found \"" + its + "\"");
            return std::nullopt;
        }
        if (its.empty()) its = c.jobs().get_namespace();
    }
    if (!jobs->empty()) return jobs;
    complain(place(file, 0, 0) + "expected a job, found none");
    return std::nullopt;
}

std::optional<std::vector<job_reference>> find_jobs(connection& c, job_naming const& naming) {
    if (!naming.file.empty()) return of_manifest(c, naming.file);
    auto const words = read_job_words(naming.words);
    if (!words || words->empty()) {
        complain(words ? "expected a job as KIND/NAME, or a manifest by --filename" : words.error().to_string());
        return std::nullopt;
    }
    std::map<std::string, rules::job_rules const*> kinds;
    std::vector<job_reference> found;
    for (auto const& word : *words) {
        auto& kind = kinds[word.kind];
        if (kind == nullptr) kind = find_kind(c, word.kind);
        if (kind == nullptr) return std::nullopt;
        found.emplace_back(*kind, c.jobs().get_namespace(), word.name);
    }
    return found;
}

std::optional<job_reference> find_job(connection& c, job_naming const& naming) {
    auto const jobs = find_jobs(c, naming);
    if (!jobs) return std::nullopt;
    if (jobs->size() == 1) return jobs->front();
    complain("expected one job, found " + std::to_string(jobs->size()));
    return std::nullopt;
}

} // namespace kftrain::cli
