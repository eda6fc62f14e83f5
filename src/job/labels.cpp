#include "job/labels.hpp"

#include <charconv>

namespace kftrain {

std::string to_lower(std::string_view s) {
    std::string result(s);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

string_map type_labels(replica_job const& job, std::string_view type) {
    string_map labels;
    labels.emplace(label::operator_name, job.constants.controller);
    labels.emplace(label::job_name, job.metadata.name);
    labels.emplace(label::replica_type, to_lower(type));
    return labels;
}

string_map replica_labels(replica_job const& job, replica const& r) {
    string_map labels = type_labels(job, r.type);
    labels.emplace(label::replica_index, std::to_string(r.index));
    return labels;
}

std::string_view label_of(object_meta const& meta, std::string_view key) noexcept {
    auto const it = meta.labels.find(key);
    return it == meta.labels.end() ? std::string_view{} : std::string_view(it->second);
}

std::optional<std::int32_t> index_of(object_meta const& meta) noexcept {
    auto const text = label_of(meta, label::replica_index);
    std::int32_t value = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc{} || end != text.data() + text.size() || text.empty() || value < 0) return std::nullopt;
    return value;
}

} // namespace kftrain
