#ifndef KFTRAIN_SRC_KUBE_DISCOVERY_DISCOVERY_DOCUMENTS_HPP
#define KFTRAIN_SRC_KUBE_DISCOVERY_DISCOVERY_DOCUMENTS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/discovery.hpp>
#include <kftrain/kube/message.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/// A version of a group whose resources are not read yet.
struct listed_version {
    listed_version() = default;
    listed_version(std::string g, std::string v) : group(std::move(g)), version(std::move(v)) {}

    std::string group;
    std::string version;
};

/// The content of a discovery document: resources of aggregated discovery, else the versions to request, preferred ones
/// first.
struct discovered {
    discovered() = default;

    std::vector<served_resource> resources;
    std::vector<unserved_version> failures;
    std::vector<listed_version> versions;
};

/// GET of `/api` or `/apis`, aggregated if the server supports it.
http_request discovery_request(std::string_view path);
/// GET of what is in a version.
http_request version_request(listed_version const& v);

/** Reads the answer to discovery_request(), in whichever form it came. Pure.
    @par Errors those of decode_json(); `errc::wrong_kind` for what is no document of discovery */
result<discovered> read_groups(std::string_view text);
/// Reads the answer to version_request().
result<std::vector<served_resource>> read_resources(listed_version const& v, std::string_view text);

} // namespace kftrain::kube::detail

#endif
