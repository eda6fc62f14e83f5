#include "model/rules/object_meta_parts.hpp"

namespace kftrain::meta_parts {
namespace {

/// Each text about one controller too many repeats all owners: a few say enough, and time stays even.
constexpr std::size_t most_controllers = 8;

/// As `%#v`, which prints addresses of the two truth values; here it is the values.
std::string go_syntax(json::object const& owner) {
    auto const text = [&](std::string_view name) { return go_text::quoted(text_in(owner, name)); };
    auto const truth = [&](std::string_view name) {
        auto const* b = truth_in(owner, name);
        return std::string("(*bool)(") + (b == nullptr ? "nil" : *b ? "true" : "false") + ")";
    };
    return "v1.OwnerReference{APIVersion:" + text("apiVersion") + ", Kind:" + text("kind") + ", Name:" + text("name") +
           ", UID:" + text("uid") + ", Controller:" + truth("controller") +
           ", BlockOwnerDeletion:" + truth("blockOwnerDeletion") + "}";
}
std::string go_syntax(json::array const& owners) {
    std::string out = "[]v1.OwnerReference{";
    for (auto const& owner : owners)
        if (owner.is_object()) out += (out.ends_with('{') ? "" : ", ") + go_syntax(owner.get_object());
    return out + "}";
}

/// The part of an apiVersion behind its only slash, or all of it; none of what is no apiVersion.
std::string_view version_in(std::string_view api_version) {
    auto const slash = api_version.find('/');
    if (slash == std::string_view::npos) return api_version;
    auto const version = api_version.substr(slash + 1);
    return version.find('/') == std::string_view::npos ? version : std::string_view();
}

} // namespace

void find_owner_faults(json::array const& owners, std::vector<metadata_fault>& out) {
    std::string const field = "metadata.ownerReferences";
    std::string controller;
    std::size_t surplus = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
        if (!owners[i].is_object()) continue;
        auto const& owner = owners[i].get_object();
        auto const place = with_index(field, i);
        auto const api_version = text_in(owner, "apiVersion");
        auto const kind = text_in(owner, "kind");
        auto const name = text_in(owner, "name");
        auto const demand = [&](std::string_view part, std::string_view value, bool absent, std::string_view what) {
            if (absent)
                invalid(out, with_key(field, part), go_text::quoted(value), std::string(what) + " must not be empty",
                        with_key(place, part));
        };
        demand("apiVersion", api_version, version_in(api_version).empty(), "version");
        demand("kind", kind, kind.empty(), "kind");
        demand("name", name, name.empty(), "name");
        demand("uid", {}, text_in(owner, "uid").empty(), "uid");
        if (kind == "Event" && (api_version == "v1" || api_version == "/v1"))
            invalid(out, field, go_syntax(owner), "/v1, Kind=Event is disallowed from being an owner", place);
        auto const* controls = truth_in(owner, "controller");
        if (controls == nullptr || !*controls) continue;
        auto const who = std::string(kind).append("/").append(name);
        if (controller.empty())
            controller = who;
        else if (++surplus <= most_controllers)
            invalid(out, field, go_syntax(owners),
                    "Only one reference can have Controller set to true. Found \"true\" in references for " +
                        controller + " and " + who,
                    place);
    }
}

} // namespace kftrain::meta_parts
