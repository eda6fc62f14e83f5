#include "convert/carried.hpp"

#include "model/rules/object_meta.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/v1/job_builder.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

constexpr std::string_view by_server = "Servers write it; the result is still to be created.";
constexpr std::string_view by_kubectl =
    "It is the manifest in its old form, which kubectl apply would take for what it applied last.";
constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";

/// Leaves name, labels and the like as they are, whatever fields an object_meta has.
object_meta without_server_fields(object_meta m) {
    m.self_link.clear();
    m.uid.clear();
    m.resource_version.clear();
    m.generation = 0;
    m.creation_timestamp.reset();
    m.deletion_timestamp.reset();
    m.deletion_grace_period_seconds.reset();
    m.managed_fields.clear();
    return m;
}

/// As a server asks: a name that is to be generated is there by then.
issues faults_of(rules::job_rules const& kind, void const* job) {
    auto const& type = kind.primary();
    auto const& m = type.metadata(job);
    if (!m.name.empty() || m.generate_name.empty()) return kind.validate(job, nullptr);
    auto const named = type.copy(job);
    type.metadata_of(named.get()).name = sample_of_generated_name(m.generate_name);
    return kind.validate(named.get(), nullptr);
}

bool is_error(issue const& i) { return i.level == issue::severity::error; }

/// Whether a path leads into a part, or is it.
bool is_within(std::string const& path, std::string const& part) {
    return path.starts_with(part) &&
           (path.size() == part.size() || path[part.size()] == '.' || path[part.size()] == '[');
}

std::string path_in_source(std::string const& path, std::vector<change> const& changes, moved_parts const& moved) {
    auto const told =
        std::ranges::find_if(changes, [&](change const& c) { return c.result_path == path && !c.value.text.empty(); });
    if (told != changes.end()) return told->path;
    moved_part const* inner = nullptr;
    for (auto const& part : moved)
        if (is_within(path, part.result_path) &&
            (inner == nullptr || part.result_path.size() > inner->result_path.size()))
            inner = &part;
    return inner == nullptr ? path : inner->path + path.substr(inner->result_path.size());
}

} // namespace

object_meta carried_metadata(object_meta const& given, change_list& changes) {
    object_meta m = without_server_fields(given);
    for (auto const& d : diff(given, m)) changes.dropped("metadata." + d.path, d.before, by_server);
    if (auto const found = m.annotations.find(last_applied); found != m.annotations.end()) {
        changes.dropped("metadata.annotations[" + std::string(last_applied) + "]", json_text(found->second),
                        by_kubectl);
        m.annotations.erase(found);
    }
    return m;
}

std::optional<failure> source_fault(rules::job_rules const& kind, void const* job) {
    auto const found = faults_of(kind, job);
    if (std::ranges::none_of(found, is_error)) return std::nullopt;
    return detail::refused(found);
}

failure refused_field(std::string path, std::string message) {
    failure f;
    f.code = errc::invalid_job;
    f.detail.path = std::move(path);
    f.detail.message = std::move(message);
    return f;
}

std::optional<failure> result_fault(rules::job_rules const& kind, void const* job, std::vector<change> const& changes,
                                    moved_parts const& moved) {
    auto fault = source_fault(kind, job);
    if (!fault) return fault;
    auto& told = fault->detail;
    auto const& info = *kind.primary().info;
    told.message = std::string(info.kind) + " of " + info.api_version() + " refuses it: " + told.message;
    told.path = path_in_source(told.path, changes, moved);
    return fault;
}

} // namespace kftrain::convert
