#ifndef KFTRAIN_SRC_APISERVER_ACCESS_ACCESS_REQUEST_HPP
#define KFTRAIN_SRC_APISERVER_ACCESS_ACCESS_REQUEST_HPP

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/user_info.hpp>

#include <string>

namespace kftrain::apiserver {

/// A request in the terms of roles.
struct access_request {
    access_request() = default;

    std::string verb;
    std::string group, version;
    std::string resource; ///< empty: the request is for a path
    std::string subresource, ns, name;
    std::string path; ///< only of a request for a path
};

/** Returns the 403 of a server for a request that no role permits.
    @param reason from the authorizer, may be empty
    @par Upstream apiserver `pkg/endpoints/handlers/responsewriters/errors.go`, v0.31 */
refusal access_refusal(user_info const&, access_request const&, std::string const& reason);

} // namespace kftrain::apiserver

#endif
