#include <kftrain/kinds/registry.hpp>

#include <kftrain/kinds/all.hpp>
#include <kftrain/model/reflect.hpp>

#include <array>

namespace kftrain {
namespace {

/// The two fields that say what a document is.
struct type_meta {
    type_meta() = default;

    std::string api_version;
    std::string kind;
};
BOOST_DESCRIBE_STRUCT(type_meta, (), (api_version, kind))

template <class... Kinds> std::array<job_kind const*, sizeof...(Kinds)> addresses(job_list<Kinds...>) {
    return {&job_kind_of<Kinds>()...};
}

failure unknown_kind(type_meta const& found) {
    failure f;
    f.code = errc::unknown_kind;
    std::string known;
    for (auto const* k : job_kinds())
        known += (known.empty() ? "" : ", ") + k->resource->api_version() + " " + std::string(k->resource->kind);
    f.detail.path = found.kind.empty() ? "kind" : "";
    f.detail.message = found.kind.empty() && found.api_version.empty()
                           ? "expected apiVersion and kind of a job, found neither"
                           : "apiVersion \"" + found.api_version + "\" and kind \"" + found.kind +
                                 "\" name no known job kind; known are: " + known;
    return f;
}

} // namespace

std::span<job_kind const* const> job_kinds() noexcept {
    static auto const kinds = addresses(known_jobs());
    return kinds;
}

job_kind const* find_job_kind(std::string_view api_version, std::string_view kind) noexcept {
    for (auto const* k : job_kinds())
        if (k->resource->kind == kind && k->resource->api_version() == api_version) return k;
    return nullptr;
}

result<any_job> parse_job(std::string_view text) {
    auto const meta = from_yaml<type_meta>(text);
    if (!meta) return meta.error();
    auto const* kind = find_job_kind(meta->api_version, meta->kind);
    if (kind == nullptr) return unknown_kind(*meta);
    any_job job(*kind);
    if (auto r = job.read_yaml(text); !r) return r.error();
    return job;
}

} // namespace kftrain
