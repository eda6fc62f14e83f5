#ifndef KFTRAIN_SRC_CONVERT_CARRIED_HPP
#define KFTRAIN_SRC_CONVERT_CARRIED_HPP

#include "convert/change_list.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

// Common parts of all conversions.
namespace kftrain::convert {

/// The metadata of a job that is still to be created: without what servers write.
object_meta carried_metadata(object_meta const&, change_list&);

/** Drops the mounts of volumes that neither the pod nor the operator of the result has, such as those that the operator
    of the source adds.
    @param path Of the pod in the source. */
void drop_mounts_without_volume(core::pod_spec&, std::string const& path,
                                std::initializer_list<std::string_view> of_operator, change_list&);

/// A part of the result that is elsewhere in the source.
struct moved_part {
    moved_part(std::string to, std::string from) : result_path(std::move(to)), path(std::move(from)) {}

    std::string result_path;
    std::string path;
};
using moved_parts = std::vector<moved_part>;

/// A job without a counterpart.
failure refused_field(std::string path, std::string message);

/// Why the rules of the kind refuse the source; empty if they accept it.
std::optional<failure> source_fault(rules::job_rules const&, void const* job);
/// Why the kind rejects the result; the path becomes that of the source.
failure rejected(failure, resource_info const&, std::vector<change> const&, moved_parts const&);
/// Why the rules of the kind refuse the result; empty if they accept it. The path is that of the source: from the
/// changes, else of the innermost part that has moved.
std::optional<failure> result_fault(rules::job_rules const&, void const* job, std::vector<change> const&,
                                    moved_parts const& = moved_parts());

template <training_job K> std::optional<failure> source_fault(K const& job) {
    return source_fault(job_rules_for<K>(), &job);
}

/// The result, if its kind accepts it.
template <training_job K>
result<converted<K>> accepted(K job, change_list changes, moved_parts const& moved = moved_parts()) {
    if (auto fault = result_fault(job_rules_for<K>(), &job, changes.all(), moved)) return *std::move(fault);
    return converted<K>(std::move(job), changes.take());
}

} // namespace kftrain::convert

#endif
