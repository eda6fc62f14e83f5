#ifndef KFTRAIN_SRC_APISERVER_REST_REQUESTED_ACCESS_HPP
#define KFTRAIN_SRC_APISERVER_REST_REQUESTED_ACCESS_HPP

#include "apiserver/access/access_request.hpp"
#include "apiserver/rest/request_target.hpp"

#include <string_view>

namespace kftrain::apiserver {

/** Reads the path of a request, also of one that is not served.
    @par Upstream apiserver `pkg/endpoints/request/requestinfo.go`, v0.31 */
access_request access_request_of(std::string_view method, request_target const&);

} // namespace kftrain::apiserver

#endif
