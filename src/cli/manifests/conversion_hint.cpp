#include "cli/manifests/conversion_hint.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

namespace kftrain::cli {
namespace {

/// The struct that a field of a struct holds, or null.
model::descriptor const* struct_in(model::descriptor const* type, std::string_view name) {
    auto const* const field = type == nullptr ? nullptr : type->find(name);
    if (field == nullptr) return nullptr;
    auto const* held = field->type;
    while (held->kind == model::shape::optional) held = held->element;
    return held->kind == model::shape::object ? held : nullptr;
}

/// Whether the field at this path, which the kind does not have, is one of its run policy.
bool is_of_run_policy(document_type const& type, std::string_view path) {
    constexpr std::string_view spec = "spec.";
    auto const* const known = find_type(type.api_version, type.kind);
    if (known == nullptr || !path.starts_with(spec)) return false;
    auto const* const policy = struct_in(struct_in(known->model, "spec"), "runPolicy");
    return policy != nullptr && policy->find(path.substr(spec.size())) != nullptr;
}

} // namespace

std::string conversion_hint(document_type const& type) {
    bool const known = find_job_rules(type.api_version, type.kind) != nullptr;
    for (auto const& c : convert::conversions()) {
        bool const old = !known || !c.form.empty();
        if (!old || c.from.kind != type.kind || c.from.api_version() != type.api_version) continue;
        return "; update it with kftrain convert --to " + std::string(c.to.kind) + "." + std::string(c.to.version);
    }
    return {};
}

std::string conversion_hint(document_type const& type, failure const& f) {
    bool const moved = f.code == errc::unknown_field && is_of_run_policy(type, f.detail.path);
    return moved || f.code == errc::unknown_kind ? conversion_hint(type) : std::string();
}

} // namespace kftrain::cli
