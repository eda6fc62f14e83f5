#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1::pytorch {
namespace {

/// FNV-1a: the same everywhere and always, unlike std::hash.
std::uint64_t hash(std::string_view text) noexcept {
    std::uint64_t h = 14695981039346656037U;
    for (char const c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return h;
}

} // namespace

std::string path_of(std::size_t set) { return "spec.replicaSpecs[" + std::to_string(set) + "]"; }

std::string const& type_of(pytorch_replica_spec const& set) noexcept {
    return set.replica_type.empty() ? set.pytorch_replica_type : set.replica_type;
}

bool is_known(std::string_view type) noexcept { return type == master_type || type == worker_type; }
std::int32_t count_of(pytorch_replica_spec const& set) noexcept {
    return std::clamp(set.replicas.value_or(1), 0, most_replicas);
}
std::int32_t port_of(pytorch_replica_spec const& set) noexcept { return set.master_port.value_or(default_port); }

std::int64_t world_size(replica_sets const& sets) noexcept {
    std::int64_t all = 0;
    for (auto const& set : sets) all += count_of(set);
    return all;
}

std::string_view lower_of(std::string_view type) noexcept { return type == worker_type ? "worker" : "master"; }

std::int32_t rank_of(std::string_view type, std::int32_t index) noexcept {
    return type == worker_type ? index + 1 : index;
}

std::string runtime_id_of(pytorch_job const& job) {
    if (!job.spec.runtime_id.empty()) return job.spec.runtime_id;
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    auto const& meta = job.metadata;
    std::uint64_t h = hash(meta.uid.empty() ? meta.namespace_ + "/" + meta.name : meta.uid);
    std::string id;
    for (int i = 0; i < 4; ++i, h /= digits.size()) id += digits[h % digits.size()];
    return id;
}

std::string child_name(pytorch_job const& job, std::string_view type, std::int32_t number) {
    return job.metadata.name.substr(0, 40).append("-").append(lower_of(type)).append("-") + runtime_id_of(job) + "-" +
           std::to_string(number);
}

std::string pod_name(pytorch_job const& job, std::string_view type, std::int32_t rank, std::size_t attempt) {
    auto digits = std::to_string(attempt);
    digits.insert(0, digits.size() < 5 ? 5 - digits.size() : 0, '0');
    return child_name(job, type, rank) + "-" + digits;
}

string_map type_labels(pytorch_job const& job, std::string_view type) {
    string_map labels;
    labels.emplace(label::group, "");
    labels.emplace(label::job_type, type);
    labels.emplace(label::job_name, job.metadata.name);
    labels.emplace(label::runtime_id, runtime_id_of(job));
    return labels;
}

string_map child_labels(pytorch_job const& job, std::string_view type, std::int32_t number) {
    string_map labels = type_labels(job, type);
    labels.emplace(label::task_index, std::to_string(number));
    return labels;
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
