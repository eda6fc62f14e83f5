#ifndef KFTRAIN_SRC_FACADE_KIND_TABLE_HPP
#define KFTRAIN_SRC_FACADE_KIND_TABLE_HPP

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>

namespace kftrain::detail {

using job_kind = rules::job_rules const*;

inline resource_info const& names_of(job_kind kind) noexcept { return *kind->primary().info; }

/// A kind by itself, as options list it. Prints the shortest name that is unique.
template <> struct describe<job_kind> {
    static bool parse(std::string_view name, job_kind& to) {
        if (to != nullptr) // its apiVersion was read before
            if (auto const* const same = find_job_rules(names_of(to).api_version(), name)) return to = same, true;
        auto const found = find_job_kind(name);
        if (found) to = *found;
        return found.has_value();
    }
    static void print(job_kind kind, std::string& out) { out += kind == nullptr ? "" : job_kind_name(*kind); }

    static constexpr model::descriptor make() { return describe_text<job_kind, describe>("job kind"); }
};

/// The kind without its apiVersion.
struct kind_text : describe<job_kind> {
    static void print(job_kind kind, std::string& out) {
        if (kind != nullptr) out += names_of(kind).kind;
    }
};

/// The apiVersion of a kind. Reads any kind of this apiVersion: the kind itself is read next.
struct version_text {
    static bool parse(std::string_view api_version, job_kind& to) {
        auto const known = known_job_rules();
        auto const found = std::ranges::find(known, api_version, [](job_kind k) { return names_of(k).api_version(); });
        if (found != known.end()) to = *found;
        return found != known.end();
    }
    static void print(job_kind kind, std::string& out) {
        if (kind != nullptr) out += names_of(kind).api_version();
    }
};

/// A field whose value is the kind itself.
constexpr model::field kind_field(std::string_view member, model::descriptor const& type, std::string_view quoted) {
    auto const name = quoted.substr(1, quoted.size() - 3);
    model::field f{name, member, &type, [](void* p) { return p; }, false};
    f.key = model::name_key(name);
    f.quoted = quoted;
    return f;
}

/// An inlined kind: `apiVersion` and `kind`, as all objects of Kubernetes have them.
template <> struct object_table<job_kind> {
    static constexpr std::size_t count = 2;
    static constexpr model::descriptor version = describe_text<job_kind, version_text>("apiVersion");
    static constexpr model::descriptor kind = describe_text<job_kind, kind_text>("job kind");
    // Padded: see model::field::quoted.
    static constexpr std::array<char, 16> quoted_version{"\"apiVersion\":"};
    static constexpr std::array<char, 16> quoted_kind{"\"kind\":"};
    static constexpr std::array<model::field, 2> fields{kind_field("api_version", version, {quoted_version.data(), 13}),
                                                        kind_field("kind", kind, {quoted_kind.data(), 7})};
};

} // namespace kftrain::detail

#endif
