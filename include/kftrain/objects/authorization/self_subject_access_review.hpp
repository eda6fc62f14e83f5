#ifndef KFTRAIN_OBJECTS_AUTHORIZATION_SELF_SUBJECT_ACCESS_REVIEW_HPP
#define KFTRAIN_OBJECTS_AUTHORIZATION_SELF_SUBJECT_ACCESS_REVIEW_HPP

/** @file The check of `authorization.k8s.io/v1` whether the caller has a permission. The server answers it and does
    not store it.
    @par Upstream k8s.io/api `authorization/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::authorization {

/// One condition on a field or label of the objects that are listed, watched or deleted together.
struct attributes_requirement {
    attributes_requirement() = default;

    std::string key;                 ///< name of the field or label
    std::string operator_;           ///< In, NotIn, Exists or DoesNotExist
    std::vector<std::string> values; ///< at least one for In and NotIn, none for Exists and DoesNotExist
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(attributes_requirement, "key", "operator_")
KFTRAIN_DESCRIBE(attributes_requirement, (key, operator_, values))

/// Selects objects by field or label, either as text or parsed.
struct selector_attributes {
    selector_attributes() = default;

    std::string raw_selector; ///< as in the query of a request, e.g. `a=b`; excludes `requirements`
    std::vector<attributes_requirement> requirements; ///< objects must meet all of them
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(selector_attributes, (raw_selector, requirements))

/// A verb on objects of one type.
struct resource_attributes {
    resource_attributes() = default;

    std::string namespace_;                    ///< empty: all namespaces, or cluster scope
    std::string verb;                          ///< e.g. `create`, `watch`; `*` for all
    std::string group;                         ///< empty for the core group, `*` for all
    std::string version;                       ///< `*` for all
    std::string resource;                      ///< e.g. `pods`, `*` for all
    std::string subresource;                   ///< e.g. `status`, `log`; empty: the object itself, `*` for all
    std::string name;                          ///< empty: all objects
    boxed<selector_attributes> field_selector; ///< limits the check to objects with these fields; absent: no limit
    boxed<selector_attributes> label_selector; ///< limits the check to objects with these labels; absent: no limit
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_attributes,
                 (namespace_, verb, group, version, resource, subresource, name, field_selector, label_selector))

/// A verb on a path that is not an object, such as `/metrics`.
struct non_resource_attributes {
    non_resource_attributes() = default;

    std::string path; ///< path of the URL, e.g. `/metrics`; `*` for all
    std::string verb; ///< HTTP method in lower case, e.g. `get`; `*` for all
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(non_resource_attributes, (path, verb))

/// Exactly one of the two is set.
struct self_subject_access_review_spec {
    self_subject_access_review_spec() = default;

    boxed<kftrain::authorization::resource_attributes> resource_attributes;         ///< a permission for objects
    boxed<kftrain::authorization::non_resource_attributes> non_resource_attributes; ///< a permission for a path
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(self_subject_access_review_spec, (resource_attributes, non_resource_attributes))

/// The answer of the server.
struct subject_access_review_status {
    subject_access_review_status() = default;

    bool allowed = false;         ///< whether the caller has the permission
    bool denied = false;          ///< explicitly denied: no other authorizer may allow it
    std::string reason;           ///< why the permission was granted or denied; may be empty
    std::string evaluation_error; ///< error during the evaluation; the request may still be allowed
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(subject_access_review_status, "allowed")
KFTRAIN_DESCRIBE(subject_access_review_status, (allowed, denied, reason, evaluation_error))

/// The question whether the caller has a permission, and the answer; sent by a create request.
struct self_subject_access_review {
    self_subject_access_review() = default;

    static constexpr resource_info resource{"authorization.k8s.io", "v1", "SelfSubjectAccessReview",
                                            "selfsubjectaccessreviews", resource_scope::cluster};

    object_meta metadata;                 ///< may be empty, because the server does not store the object
    self_subject_access_review_spec spec; ///< the question
    subject_access_review_status status;  ///< the answer, set by the server
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(self_subject_access_review, "spec")
KFTRAIN_DESCRIBE_RESOURCE(self_subject_access_review, (metadata, spec, status))

} // namespace kftrain::authorization

#endif
