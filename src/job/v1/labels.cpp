#include "job/v1/labels.hpp"

#include "base/ascii.hpp"
#include "base/whole_number.hpp"

namespace kftrain::kubeflow_v1 {

string_map type_labels(replica_job const& job, std::string_view type) {
    string_map labels;
    labels.emplace(label::operator_name, job.constants.controller);
    labels.emplace(label::job_name, job.metadata.name);
    labels.emplace(label::replica_type, to_lower(type));
    return labels;
}

string_map replica_labels(replica_job const& job, member const& r) {
    string_map labels = type_labels(job, r.role);
    if (job.has_index(r.role)) labels.emplace(label::replica_index, std::to_string(r.index));
    return labels;
}

std::optional<std::int32_t> index_of(object_meta const& meta) noexcept {
    auto const index = read_whole_number<std::int32_t>(label_of(meta, label::replica_index));
    return index && *index >= 0 ? index : std::nullopt;
}

} // namespace kftrain::kubeflow_v1
