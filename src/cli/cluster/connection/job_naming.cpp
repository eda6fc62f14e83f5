#include "cli/cluster/connection/job_naming.hpp"

#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/read_job.hpp"
#include "cli/option_values.hpp"

#include <kftrain/facade/served_kind.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/discovery.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
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
    jobs_file from;
    from.file = file;
    auto const jobs = read_placed_jobs(c, from);
    if (!jobs) return reported(jobs.exit());
    std::vector<job_reference> selected;
    for (auto const& job : *jobs) {
        if (job.metadata().name.empty()) {
            complain(place(file, 0, 0) + "metadata.name: expected the name of an existing job, got none");
            return reported();
        }
        selected.emplace_back(job.rules(), job.metadata().namespace_, job.metadata().name);
    }
    return selected;
}

/// The time that the hint may cost.
constexpr std::chrono::seconds patience_for_hint{2};

} // namespace

void add_job_naming(CLI::App& command, job_naming& naming) {
    auto* const names = command.add_option(
        "JOB", naming.names, "Select jobs by kind and name: KIND/NAME KIND/NAME ..., or KIND NAME NAME ...");
    command.add_option("-f,--filename", naming.file, "Select the jobs of this manifest; - reads standard input")
        ->excludes(names)
        ->type_name("FILE");
}

void add_single_job(CLI::App& command, job_naming& naming, std::string const& file_option) {
    auto* const names =
        command.add_option("JOB", naming.names, "Select the job by kind and name: KIND/NAME or KIND NAME");
    auto const usage = file_option.substr(0, file_option.find(','));
    command.add_option(file_option, naming.file, "Select the job of this manifest; - reads standard input")
        ->excludes(names)
        ->type_name("FILE");
    names->option_text("(JOB | " + usage + " FILE)");
}

void add_jobs_file(CLI::App& command, jobs_file& from) {
    auto* const positional =
        command.add_option("FILE", from.file, "Read jobs from this YAML or JSON file; - reads standard input");
    command.add_option("-f,--filename", from.file, "Read jobs from FILE; the same as the argument FILE")
        ->excludes(positional)
        ->type_name("FILE");
    add_operator_flags(command, from.flags);
    command.parse_complete_callback([&from] {
        if (from.file.empty()) throw CLI::RequiredError("FILE or --filename");
    });
}

found<rules::job_rules const*> find_kind(connection& c, std::string const& name) {
    auto kind = find_job_kind(name);
    if (!kind && find_job_kinds(name).size() > 1) {
        auto const served = read_catalog(c);
        if (!served)
            return reported(report_failure(served.error(), "cannot find the preferred version of \"" + name + "\""));
        kind = find_served_kind(name, **served);
    }
    if (kind) return *kind;
    complain(kind.error().to_string());
    return reported();
}

found<std::vector<job_reference>> find_jobs(connection& c, job_naming const& naming) {
    if (!naming.file.empty()) return of_manifest(c, naming.file);
    auto const names = parse_job_names(naming.names);
    if (!names || names->empty()) {
        complain(names ? "expected a job as KIND/NAME or a manifest with --filename, got neither"
                       : names.error().to_string());
        return reported();
    }
    std::map<std::string, rules::job_rules const*> kinds;
    std::vector<job_reference> selected;
    for (auto const& named_job : *names) {
        auto& kind = kinds[named_job.kind];
        if (kind == nullptr) {
            auto const named = find_kind(c, named_job.kind);
            if (!named) return reported(named.exit());
            kind = *named;
        }
        selected.emplace_back(*kind, c.jobs().get_namespace(), named_job.name);
    }
    return selected;
}

found<job_reference> find_job(connection& c, job_naming const& naming) {
    auto const jobs = find_jobs(c, naming);
    if (!jobs) return reported(jobs.exit());
    if (jobs->size() == 1) return jobs->front();
    complain("expected one job, got " + std::to_string(jobs->size()));
    return reported();
}

found<std::vector<any_job>> read_placed_jobs(connection const& c, jobs_file const& from) {
    auto jobs = read_written_jobs(from.file, from.flags);
    if (!jobs) return reported();
    for (auto& job : *jobs) {
        auto& its = job.metadata().namespace_;
        auto const& requested = c.options().namespace_;
        if (!requested.empty() && !its.empty() && its != requested) {
            complain(place(from.file, 0, 0) + qualified_name(job) + ": metadata.namespace: expected \"" + requested +
                     "\" from --namespace, got \"" + its + "\"");
            return reported();
        }
        if (its.empty()) its = c.jobs().get_namespace();
    }
    if (!jobs->empty()) return *std::move(jobs);
    complain(place(from.file, 0, 0) + "expected a job, got none");
    return reported();
}

int report_job_failure(connection& c, failure const& f, job_reference const& job) {
    int const code = report_failure(f, job.to_string());
    if (!is_not_found(f.code)) return code;
    auto last = std::chrono::steady_clock::now() + patience_for_hint;
    if (c.end()) last = std::min(last, *c.end());
    for (auto const* const kind : known_job_rules()) {
        if (kind->primary().info == job.kind->primary().info) continue;
        auto how = kube::call_options().with_timeout(patience_for_hint);
        if (c.end()) how.timeout = std::min(how.timeout, c.left());
        auto const other = c.jobs().get(job_reference(*kind, job.namespace_, job.name), how);
        if (other) complain(qualified_name(*kind, job.name) + " exists in namespace " + job.namespace_);
        if (std::chrono::steady_clock::now() > last) break;
    }
    return code;
}

} // namespace kftrain::cli
