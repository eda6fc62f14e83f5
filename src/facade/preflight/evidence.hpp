#ifndef KFTRAIN_SRC_FACADE_PREFLIGHT_EVIDENCE_HPP
#define KFTRAIN_SRC_FACADE_PREFLIGHT_EVIDENCE_HPP

#include <kftrain/facade/preflight.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/objects/core/namespace.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::preflight {

/// The outcome of a read.
template <class T> struct looked_up {
    looked_up() = default;

    std::optional<T> value;
    error_code ec;       ///< the reason if there is no value
    std::string message; ///< the reason as text

    bool is_absent() const { return !value && is_not_found(ec); }
};

/// A permission that is needed to submit jobs and to follow or change them.
struct access_need {
    access_need() = default;
    access_need(std::string_view c, std::string_view v, std::string_view g, std::string_view r, std::string_view s = {})
        : check(c), verb(v), group(g), resource(r), subresource(s) {}

    std::string check; ///< the name of the check
    std::string verb;
    std::string group;
    std::string resource;
    std::string subresource;

    /// `pods/log`
    std::string place() const { return subresource.empty() ? resource : resource + "/" + subresource; }
};

/// Returns the permissions for a job, in the order of the checks.
std::vector<access_need> access_needs(prepared_job const& job, preflight_options const& options);

struct access_answer {
    access_answer() = default;

    access_need need;
    std::optional<bool> allowed; ///< absent: unknown
    std::string message;
};

/// Everything that the report is made of. `job` is as its author wrote it, with a namespace.
struct evidence {
    evidence() = default;

    prepared_job job;
    std::vector<std::string> unread; ///< objects to which the job refers, with the reason
    looked_up<std::shared_ptr<kube::api_catalog const>> catalog;
    looked_up<core::namespace_> of_namespace;
    looked_up<any_job> existing;
    std::vector<access_answer> access;
    looked_up<std::vector<core::resource_quota>> quotas;
    std::optional<looked_up<volcano::queue>> queue; ///< absent: the job names no queue
    std::map<std::string, looked_up<bool>> priorities;
    std::optional<looked_up<bool>> dry_run; ///< absent: no dry run was sent
};

/// Returns the priority classes of the job and its pods.
std::vector<std::string> priority_classes_of(prepared_job const& job);
/// Evaluates the evidence; pure.
preflight_report report_of(evidence const&);

// The parts of report_of().
void check_access(evidence const&, preflight_report&);
void check_quotas(evidence const&, preflight_report&);
void add(preflight_report&, std::string_view name, verdict, std::string message);

} // namespace kftrain::preflight

#endif
