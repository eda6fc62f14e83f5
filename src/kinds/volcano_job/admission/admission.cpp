#include "kinds/volcano_job/admission/admission.hpp"

#include <kftrain/objects/volcano/pod_group.hpp>

namespace kftrain::volcano {
namespace {

issue issue_of(fault const& f) {
    issue i;
    i.rule = f.rule;
    i.path = f.path;
    auto const first = f.text.find_first_not_of(' ');
    i.message = f.path + ": " + f.text.substr(first == std::string::npos ? 0 : first);
    while (!i.message.empty() && (i.message.back() == ';' || i.message.back() == ' ')) i.message.pop_back();
    return i;
}

/// Empty if the job may go there, or if this is unknown.
std::string queue_text(job const& job, rules::admission_context const& context) {
    if (!context.look_up) return {};
    auto const& name = job.spec.queue;
    auto const found = context.look_up(rules::target(queue::resource, "", name));
    auto const* const q = found.empty() ? nullptr : found.get_if<queue>();
    if (q == nullptr) return " unable to find job queue: queues.scheduling.volcano.sh \"" + name + "\" not found;";
    if (q->status.state == "Open") return {};
    return " can only submit job to queue with state `Open`, queue `" + name + "` status is `" + q->status.state + "`;";
}

/// Bad requests, without a reason.
rules::denial denial_of(std::string const& text) {
    auto const first = text.find_first_not_of(" \n\t"), last = text.find_last_not_of(" \n\t");
    return rules::denial(first == std::string::npos ? std::string() : text.substr(first, last - first + 1), 400,
                         reason::unknown);
}

} // namespace

issues validate(job const& job, volcano_operator_options const& options) {
    issues all;
    for (auto const& f : creation_faults(job, options)) all.push_back(issue_of(f));
    for (auto const& f : graph_faults(job)) all.push_back(issue_of(f));
    return all;
}

issues validate_update(job const& next, job const& before, volcano_operator_options const& options) {
    auto const f = update_fault(next, before, options);
    if (!f) return {};
    issues all;
    all.push_back(issue_of(*f));
    return all;
}

issues validate_update(job const& next, job const& before) {
    return validate_update(next, before, volcano_operator_options());
}

rules::admission_answer admit(job const& given, rules::admission_context const& context,
                              volcano_operator_options const& options) {
    rules::admission_answer answer;
    if (context.before != nullptr) {
        if (auto const f = update_fault(given, *static_cast<job const*>(context.before), options))
            answer.denied = denial_of(f->text);
        return answer;
    }
    job completed = given;
    set_defaults(completed, options);
    std::string text;
    auto const found = creation_faults(completed, options);
    for (auto const& f : found) text += f.text;
    if (found.empty() || !found.front().ends) {
        text += queue_text(completed, context);
        for (auto const& f : graph_faults(completed)) text += f.text;
    }
    if (!text.empty()) {
        answer.denied = denial_of(text);
        return answer;
    }
    answer.patch = defaults_patch(given, options);
    return answer;
}

} // namespace kftrain::volcano
