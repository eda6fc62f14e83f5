#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_ADMISSION_ADMISSION_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_ADMISSION_ADMISSION_HPP

#include "kinds/volcano_job/kind.hpp"

#include <kftrain/job/admission.hpp>

#include <string>
#include <vector>

namespace kftrain::volcano {

/// One finding of admission.
struct fault {
    fault(std::string_view r, std::string p, std::string t) : rule(r), path(std::move(p)), text(std::move(t)) {}

    std::string_view rule; ///< stable id, e.g. `volcano.task-name`
    std::string path;
    std::string text;  ///< as in the answer, with all blanks
    bool ends = false; ///< upstream checks nothing after this fault
};

/** The faults of a new job with defaults, in upstream's order: the answer joins all of the texts. The queue is not
    checked; its faults come before those of the graph of the tasks, see graph_faults(). */
std::vector<fault> creation_faults(job const&, volcano_operator_options const&);
/// The fault of dependencies between tasks that are no acyclic graph.
std::vector<fault> graph_faults(job const&);
/// The first fault of an update.
std::optional<fault> update_fault(job next, job before, volcano_operator_options const&);
/// The same as issues, of an operator with these options.
issues validate_update(job const& next, job const& before, volcano_operator_options const&);
/// The faults of a list of policies in one text, with the valid values.
std::vector<fault> policy_faults(std::vector<lifecycle_policy> const&, std::string path,
                                 std::string_view path_in_message, volcano_release);
bool is_event(std::string_view, volcano_release) noexcept;
bool is_action(std::string_view, volcano_release) noexcept;

/// The JSON patch by which the mutating webhook fills in missing fields; empty if there are none.
std::string defaults_patch(job const&, volcano_operator_options const&);

rules::admission_answer admit(job const&, rules::admission_context const&, volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
