#include "convert/carried.hpp"

#include "model/rules/object_meta.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/v1/job_builder.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

constexpr std::string_view by_server = "The server sets this field when it creates the result.";
constexpr std::string_view by_kubectl =
    "The annotation holds the old manifest. kubectl apply would treat it as the last applied configuration.";
constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";

object_meta without_unknown(object_meta m) {
    m.unknown = unknown_fields();
    return m;
}

/// As on a server, where a generated name exists by then.
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
    auto const reported =
        std::ranges::find_if(changes, [&](change const& c) { return c.result_path == path && !c.value.text.empty(); });
    if (reported != changes.end()) return reported->path;
    moved_part const* inner = nullptr;
    for (auto const& part : moved)
        if (is_within(path, part.result_path) &&
            (inner == nullptr || part.result_path.size() > inner->result_path.size()))
            inner = &part;
    return inner == nullptr ? path : inner->path + path.substr(inner->result_path.size());
}

} // namespace

std::string_view to_string(fate f) noexcept {
    switch (f) {
    case fate::changed: return "changed";
    case fate::approximated: return "approximated";
    case fate::dropped: return "dropped";
    }
    return {};
}

bool loses_nothing(std::vector<change> const& changes) noexcept {
    return std::ranges::all_of(changes, [](change const& c) { return c.becomes == fate::changed; });
}

object_meta carried_metadata(object_meta const& given, change_list& changes) {
    object_meta m = given;
    clear_server_fields(m);
    changes.dropped(m.unknown, "metadata", "The current API server does not have this field.");
    m.unknown = unknown_fields();
    for (auto const& d : diff(without_unknown(given), m)) changes.dropped("metadata." + d.path, d.before, by_server);
    if (auto const found = m.annotations.find(last_applied); found != m.annotations.end()) {
        changes.dropped("metadata.annotations[" + std::string(last_applied) + "]", json_text(found->second),
                        by_kubectl);
        m.annotations.erase(found);
    }
    return m;
}

void drop_mounts_without_volume(core::pod_spec& pod, std::string const& path,
                                std::initializer_list<std::string_view> of_operator, change_list& changes) {
    auto const exists = [&](std::string const& name) {
        return std::ranges::find(of_operator, name) != of_operator.end() ||
               std::ranges::any_of(pod.volumes, [&](core::volume const& v) { return v.name == name; });
    };
    auto const look_at = [&](std::vector<core::container>& list, std::string const& field) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto& mounts = list[i].volume_mounts;
            for (std::size_t k = 0; k < mounts.size(); ++k)
                if (!exists(mounts[k].name))
                    changes.dropped(path + "." + field + "[" + std::to_string(i) + "].volumeMounts[" +
                                        std::to_string(k) + "]",
                                    to_json(mounts[k]), "The pods of the result have no volume with this name.");
            std::erase_if(mounts, [&](core::volume_mount const& m) { return !exists(m.name); });
        }
    };
    look_at(pod.init_containers, "initContainers");
    look_at(pod.containers, "containers");
}

std::optional<failure> source_fault(rules::job_rules const& kind, void const* job) {
    auto const found = faults_of(kind, job);
    if (std::ranges::none_of(found, is_error)) return std::nullopt;
    return detail::refused(found);
}

failure refused_field(std::string path, std::string message) {
    failure f;
    f.code = errc::invalid_job;
    f.detail.causes.emplace_back("FieldValueInvalid", path, message);
    f.detail.path = std::move(path);
    f.detail.message = std::move(message);
    return f;
}

std::optional<failure> result_fault(rules::job_rules const& kind, void const* job, std::vector<change> const& changes,
                                    moved_parts const& moved) {
    auto fault = source_fault(kind, job);
    if (!fault) return fault;
    return rejected(*std::move(fault), *kind.primary().info, changes, moved);
}

failure rejected(failure fault, resource_info const& info, std::vector<change> const& changes,
                 moved_parts const& moved) {
    auto& reported = fault.detail;
    reported.message =
        std::string(info.kind) + " of " + info.api_version() + " rejects the result: " + reported.message;
    reported.path = path_in_source(reported.path, changes, moved);
    for (auto& cause : reported.causes) cause.field = path_in_source(cause.field, changes, moved);
    return fault;
}

} // namespace kftrain::convert
