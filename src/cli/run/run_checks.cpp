#include "cli/run/run_checks.hpp"

#include "cli/commands.hpp"
#include "cli/local/local_faults.hpp"
#include "cli/manifests/manifests.hpp"
#include "local/cluster/pod_issues.hpp"
#include "local/kubelet/volumes/machine_folders.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/position.hpp>

#include <algorithm>

namespace kftrain::cli {
namespace {

/// What to do about a job that waits for somebody outside of this command; empty for other issues.
std::string advice_for(issue const& i) {
    if (i.rule.ends_with(".suspended"))
        return "remove the field, or use \"kftrain local up\", \"kftrain submit\" and \"kftrain resume\"";
    if (i.rule.ends_with(".managed-by")) return "remove the field to run the job here, where no other controller is";
    return {};
}

std::string advice_about_missing(issue const& i) {
    return i.path.ends_with(".claimName") ? "bind it to a directory with --volume CLAIM=DIR, or add it to the file"
                                          : "add it to the file, or name a further file that has it";
}

} // namespace

issue_printer::issue_printer(std::string file, any_job const& job)
    : file_(std::move(file)),
      api_version_(job.resource().api_version()),
      kind_(job.resource().kind),
      name_(job.metadata().name),
      generate_name_(job.metadata().generate_name) {}

void issue_printer::print(issue const& i, std::string const& advice) const {
    text_position at;
    // The standard input cannot be read again.
    auto const text = file_ == "-" || i.path.empty() ? result<std::string>(std::string()) : read_text(file_);
    if (text)
        for (auto const& document : split_yaml(*text)) {
            auto const type = type_of_document(document.text);
            if (!type || type->api_version != api_version_ || type->kind != kind_) continue;
            detail::document_reader reader(document);
            auto const name = detail::read_other(*type, reader, reader, "").name;
            if (name != name_ && (name.empty() || name != generate_name_)) continue;
            at = position_finder(document.text, document.first_line).find(i.path);
            break;
        }
    complain(place(file_, at.line, at.column) + std::string(to_string(i.level)) + ": " + i.message +
             (advice.empty() ? "" : "; " + advice) + " [" + i.rule + "]");
}

bool startable(prepared_job const& job, issue_printer const& printer) {
    bool fine = true;
    for (auto i : job.lint()) {
        auto const advice = advice_for(i);
        if (!advice.empty()) i.level = issue::severity::error;
        if (i.level != issue::severity::info) printer.print(i, advice);
        fine = fine && !i.keeps_from_starting && advice.empty();
    }
    return fine;
}

bool servable(prepared_job const& job, local::isolation mode, local::pod_options const& pods,
              issue_printer const& printer) {
    auto const found = local_faults(job, mode, pods);
    for (auto const& i : found) printer.print(i);
    return found.empty();
}

std::set<named_object> needed_objects(prepared_job const& job, local::pod_options const& pods) {
    std::set<named_object> all;
    (void)local::issues_of_pods(job, [&](pod const& p) {
        all.merge(local::needed_objects(p));
        return issues();
    });
    // Of what the operator adds to the pods, it makes the objects itself.
    std::erase_if(all, [&](named_object const& o) {
        auto const found = local::issues_of_pods(job, [&](pod const& p) { return local::references_to({o}, p); });
        return std::ranges::all_of(found, [](issue const& i) { return i.path.empty(); });
    });
    auto const& claim = core::persistent_volume_claim::resource;
    std::erase_if(all, [&](named_object const& o) {
        return o.first->kind == claim.kind &&
               !local::directory_of_claim(job->metadata().namespace_, o.second, pods).empty();
    });
    if (all.empty()) return all;
    auto const rendered = job.render();
    for (auto const& o : rendered) all.erase(named_object(&o.resource(), o.metadata().name));
    return all;
}

void print_references(prepared_job const& job, std::set<named_object> const& missing, issue_printer const& printer) {
    auto const found = local::issues_of_pods(job, [&](pod const& p) { return local::references_to(missing, p); });
    for (auto const& i : found)
        if (!i.path.empty()) printer.print(i, advice_about_missing(i));
}

std::vector<rules::target> looked_up_by_admission(any_job const& job) {
    std::vector<rules::target> all;
    rules::admission_context context;
    context.look_up = [&](rules::target const& t) {
        all.push_back(t);
        return any_object();
    };
    (void)job.rules().admit(job.get(), context);
    return all;
}

bool admitted_with(any_job const& job, std::vector<any_object> const& objects) {
    rules::admission_context context;
    context.look_up = [&](rules::target const& t) {
        auto const found = std::ranges::find_if(objects, [&](any_object const& o) {
            return !o.empty() && o.resource().kind == t.type->kind && o.metadata().name == t.name;
        });
        return found == objects.end() ? any_object() : *found;
    };
    return !job.rules().admit(job.get(), context).denied;
}

} // namespace kftrain::cli
