#ifndef KFTRAIN_TEST_UNIT_CONVERT_TO_VOLCANO_VOLCANO_CHANGE_LINES_HPP
#define KFTRAIN_TEST_UNIT_CONVERT_TO_VOLCANO_VOLCANO_CHANGE_LINES_HPP

#include "unit/convert/change_lines.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <map>

/// Properties of converted Volcano Jobs as text.
namespace convert_sample {

inline std::string policies_of(volcano::task_spec const& task) {
    std::string text;
    for (auto const& p : task.policies)
        text += (text.empty() ? "" : ", ") + (p.exit_code ? std::to_string(*p.exit_code) : p.event) + " " + p.action;
    return text;
}

/// The faults that admission and schema of Volcano find.
inline std::string faults_of(volcano_job const& job) {
    any_job const made(job);
    std::string found = join_errors(made.validate(), "; ");
    auto const pruned = prune(made.rules().schema(), made.to_json()).value();
    for (auto const& field : pruned.unknown_fields) found += field + " is unknown; ";
    if (!validate(made.rules().schema(), pruned.json).value().empty()) found += "the schema refuses it; ";
    return found;
}

/// By pod: its rank, and the variables of its first container that must be equal in both kinds.
inline std::map<std::string, std::string> pod_environments(any_job const& job, std::vector<std::string> const& names) {
    member_lookup const oracle(job);
    std::map<std::string, std::string> all;
    for (auto const& m : oracle.layout().members) {
        auto& text = all[m.pod_name];
        text = "rank " + (m.rank ? std::to_string(*m.rank) : "-");
        for (auto const& v : oracle.environment_of(m).back().effective())
            if (std::ranges::find(names, v.name) != names.end()) text += " " + v.name + "=" + v.value;
    }
    return all;
}

/// `NAME=value` for a variable of a container, and `NAME<-field` for one from a field of the pod.
inline lines variables_of(core::container const& c) {
    lines all;
    for (auto const& v : c.env)
        all.push_back(v.value_from ? v.name + "<-" + v.value_from->field_ref->field_path : v.name + "=" + v.value);
    return all;
}

} // namespace convert_sample

#endif
