#ifndef KFTRAIN_SRC_APISERVER_REST_ACCESS_REVIEW_HPP
#define KFTRAIN_SRC_APISERVER_REST_ACCESS_REVIEW_HPP

#include "apiserver/access/account_tokens.hpp"
#include "apiserver/access/authorizer.hpp"
#include "apiserver/rest/handler.hpp"

#include <span>
#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The kinds of reviews, which are answered and not stored: SelfSubjectAccessReview, SubjectAccessReview,
/// SelfSubjectRulesReview, SelfSubjectReview and TokenReview.
std::span<resource_definition const> review_definitions();
/// The kind of reviews whose collection has this path; null if it is none.
resource_definition const* find_review(std::vector<std::string> const& path);
/// The sources of the answers to reviews.
struct review_sources {
    authorizer& access;
    account_tokens const& tokens;
    object_store const& store;
    time_point now;
};

/** Answers a review of the kind `d`.
    @par Upstream kubernetes `pkg/registry/authorization`, `pkg/registry/authentication/selfsubjectreview/rest.go` and
    `tokenreview/storage.go`, `pkg/apis/authorization/validation/validation.go`, v1.31.3 */
answer<reply> make_review(resource_definition const& d, kube::http_request const&, request_target const&,
                          review_sources from, user_info const& user);

} // namespace kftrain::apiserver

#endif
