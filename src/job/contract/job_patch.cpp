#include <kftrain/job/job_patch.hpp>

#include "base/joined.hpp"
#include "model/json/json_text.hpp"

#include <string>

namespace kftrain::rules {

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
