#include "cli/run/run_checks.hpp"

#include "cli/commands.hpp"
#include "cli/manifests/manifests.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/documents.hpp>
#include <kftrain/local/job_checks.hpp>

#include <algorithm>

namespace kftrain::cli {
namespace {

/// Returns advice for a job that waits for an action outside of this command; empty for other issues.
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

std::optional<document> issue_printer::find_job() {
    auto text = file_ == "-" ? result<std::string>(std::string()) : read_text(file_); // which cannot be read again
    text_ = std::make_shared<std::string const>(text ? *std::move(text) : std::string());
    for (auto const& one : split_yaml(*text_)) {
        auto objects = objects_of(one);
        if (!objects) continue;
        for (auto& object : *objects) {
            auto const type = object.type();
            if (!type || type->api_version != api_version_ || type->kind != kind_) continue;
            auto const names = object.names();
            bool const generated = names.name.empty() && !generate_name_.empty();
            if (names.name == name_ || (generated && names.generate_name == generate_name_)) return object;
        }
    }
    return std::nullopt;
}

void issue_printer::print(issue const& i, std::string const& advice) {
    if (text_ == nullptr && !i.path.empty()) written_ = find_job();
    auto const at = written_ && !i.path.empty() ? written_->find(i.path) : text_position();
    complain(place(file_, at.line, at.column) + std::string(to_string(i.level)) + ": " + i.message +
             (advice.empty() ? "" : "; " + advice) + " [" + i.rule + "]");
}

bool startable(prepared_job const& job, issue_printer& printer) {
    bool fine = true;
    for (auto i : job.lint()) {
        auto const advice = advice_for(i);
        if (!advice.empty()) i.level = issue::severity::error;
        if (i.level != issue::severity::info) printer.print(i, advice);
        fine = fine && !i.keeps_from_starting && advice.empty();
    }
    return fine;
}

bool servable(prepared_job const& job, local::isolation mode, local::pod_options const& pods, issue_printer& printer) {
    auto const found = local::find_faults(job, mode, pods);
    for (auto const& i : found) printer.print(i);
    return found.empty();
}

void print_references(prepared_job const& job, std::set<local::named_object> const& missing, issue_printer& printer) {
    for (auto const& i : local::missing_object_issues(job, missing)) printer.print(i, advice_about_missing(i));
}

std::vector<rules::reference> looked_up_by_admission(prepared_job const& job) {
    std::vector<rules::reference> all;
    rules::admission_context context;
    context.look_up = [&](rules::reference const& t) {
        all.push_back(t);
        return any_object();
    };
    context.prepared = &job;
    (void)job.rules().admit(job->get(), context);
    return all;
}

bool admitted_with(prepared_job const& job, std::vector<any_object> const& objects) {
    rules::admission_context context;
    context.look_up = [&](rules::reference const& t) {
        auto const found = std::ranges::find_if(objects, [&](any_object const& o) {
            return !o.empty() && o.resource().kind == t.type->info->kind && o.metadata().name == t.name;
        });
        return found == objects.end() ? any_object() : *found;
    };
    context.prepared = &job;
    return !job.rules().admit(job->get(), context).denied;
}

} // namespace kftrain::cli
