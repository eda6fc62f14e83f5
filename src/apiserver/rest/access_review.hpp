#ifndef KFTRAIN_SRC_APISERVER_REST_ACCESS_REVIEW_HPP
#define KFTRAIN_SRC_APISERVER_REST_ACCESS_REVIEW_HPP

#include "apiserver/rest/handler.hpp"

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The kind of SelfSubjectAccessReviews, of which none is stored.
resource_definition const& access_review_definition();
/// Whether a path is that of the collection of this kind.
bool is_access_review(std::vector<std::string> const& path);
/** Answers a SelfSubjectAccessReview. This server authenticates nobody and forbids nothing, so it allows every action.
    @par Upstream kubernetes `pkg/registry/authorization/selfsubjectaccessreview/rest.go`,
    `pkg/apis/authorization/validation/validation.go`, v1.31.3 */
answer<reply> review_access(kube::http_request const&, request_target const&);

} // namespace kftrain::apiserver

#endif
