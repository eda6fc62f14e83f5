#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "job/contract/conditions.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/job/admission.hpp>
#include <kftrain/job/job_patch.hpp>
#include <kftrain/job/operator_flag.hpp>
#include <kftrain/job/scaling.hpp>

#include <algorithm>
#include <ostream>
#include <string>

// The flags and answers of job_rules.

namespace kftrain {

result<std::int32_t> read_flag_number(std::string_view value) {
    if (auto const number = read_whole_number<std::int32_t>(value)) return *number;
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message = "expected a 32-bit integer, got \"" + std::string(value) + "\"";
    return f;
}

std::string_view to_string(job_phase p) noexcept {
    switch (p) {
    case job_phase::created: return "Created";
    case job_phase::running: return "Running";
    case job_phase::restarting: return "Restarting";
    case job_phase::suspended: return "Suspended";
    case job_phase::succeeded: return "Succeeded";
    case job_phase::failed: return "Failed";
    }
    return "Created";
}

std::ostream& operator<<(std::ostream& out, job_phase p) { return out << to_string(p); }

job_phase phase_of(std::span<meta::condition const> conditions) noexcept { return phase_by(conditions); }

} // namespace kftrain

namespace kftrain::rules {

admission_answer answer_of(issues const& found) {
    admission_answer answer;
    for (auto const& i : found)
        if (i.level == issue::severity::warning) answer.warnings.push_back(i.message);
    auto const errors = std::ranges::count(found, issue::severity::error, &issue::level);
    if (errors == 0) return answer;
    std::string text = join_errors(found, ", ");
    answer.denied.emplace(errors > 1 ? "[" + text + "]" : std::move(text));
    return answer;
}

failure cannot(std::string path, std::string why) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.path = std::move(path);
    f.detail.message = std::move(why);
    return f;
}

result<scale_place> checked_place(scaling const& now, std::string_view role, std::int32_t replicas,
                                  std::string const& path) {
    if (now.places.empty()) return cannot(path, "the job cannot be scaled: " + now.refused);
    auto const place = std::ranges::find(now.places, role, &scale_place::role);
    if (place == now.places.end())
        return cannot(path, "replicas of this type cannot be scaled, expected " +
                                joined(now.places, ", ", &scale_place::role));
    std::int32_t const least = place->least.value_or(0);
    if (replicas < least || (place->most && replicas > *place->most))
        return cannot(path, std::to_string(replicas) + ", expected " +
                                (place->most ? std::to_string(least) + " to " + std::to_string(*place->most)
                                             : "at least " + std::to_string(least)));
    return *place;
}

suspending suspending_of(bool suspended, bool finished) {
    suspending s;
    s.suspended = suspended;
    if (finished) s.refused = "the job is finished";
    return s;
}

patch patch_of_job(resource_info const& type, object_meta const& job, std::initializer_list<std::string_view> member,
                   std::string_view json) {
    std::string text = "{";
    // The caller decided by the job as it was then.
    if (!job.resource_version.empty()) {
        text += "\"metadata\":{\"resourceVersion\":";
        detail::append_string(job.resource_version, text);
        text += "},";
    }
    text += "\"spec\":";
    for (auto const name : member) {
        text += '{';
        detail::append_string(name, text);
        text += ':';
    }
    text += json;
    text.append(member.size() + 1, '}');
    return patch(target(type, job), patch_type::merge, std::move(text));
}

result<job_write> patch_of_suspend(suspending const& now, resource_info const& type, object_meta const& job,
                                   std::initializer_list<std::string_view> member, bool on) {
    if (!now.refused.empty())
        return cannot("spec." + joined(member, "."), "the field cannot be changed: " + now.refused);
    return patch_of_job(type, job, member, on ? "true" : "false");
}

} // namespace kftrain::rules
