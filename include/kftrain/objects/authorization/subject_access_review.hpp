#ifndef KFTRAIN_OBJECTS_AUTHORIZATION_SUBJECT_ACCESS_REVIEW_HPP
#define KFTRAIN_OBJECTS_AUTHORIZATION_SUBJECT_ACCESS_REVIEW_HPP

/** @file Further checks of permissions of `authorization.k8s.io/v1`. The server answers them and stores none.
    @par Upstream k8s.io/api `authorization/v1/types.go`, v0.31 */

#include <kftrain/objects/authorization/self_subject_access_review.hpp>

#include <map>

namespace kftrain::authorization {

/// A permission and a user. One of the two attributes is set, and the user or a group.
struct subject_access_review_spec {
    subject_access_review_spec() = default;

    boxed<kftrain::authorization::resource_attributes> resource_attributes;         ///< a permission for objects
    boxed<kftrain::authorization::non_resource_attributes> non_resource_attributes; ///< a permission for a path
    std::string user;                                                               ///< name of the user
    std::vector<std::string> groups;                                                ///< groups of the user
    std::map<std::string, std::vector<std::string>, std::less<>> extra;             ///< further data about the user
    std::string uid;                                                                ///< unique identifier of the user
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(subject_access_review_spec, (resource_attributes, non_resource_attributes, user, groups, extra, uid))

/// The question whether a user has a permission, and the answer; sent by a create request.
struct subject_access_review {
    subject_access_review() = default;

    static constexpr resource_info resource{"authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews",
                                            resource_scope::cluster};

    object_meta metadata;                ///< may be empty, because the server does not store the object
    subject_access_review_spec spec;     ///< the question
    subject_access_review_status status; ///< the answer, set by the server
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(subject_access_review, "spec")
KFTRAIN_DESCRIBE_RESOURCE(subject_access_review, (metadata, spec, status))

/// The namespace whose permissions are listed.
struct self_subject_rules_review_spec {
    self_subject_rules_review_spec() = default;

    std::string namespace_; ///< name of the namespace; must be set
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(self_subject_rules_review_spec, (namespace_))

/// Permissions for objects: all of the verbs on all of the resources.
struct resource_rule {
    resource_rule() = default;

    std::vector<std::string> verbs;          ///< `*` for all
    std::vector<std::string> api_groups;     ///< empty text for the core group, `*` for all
    std::vector<std::string> resources;      ///< `*` for all
    std::vector<std::string> resource_names; ///< empty: all objects
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_rule, (verbs, api_groups, resources, resource_names))

/// Permissions for paths: all of the verbs on all of the paths.
struct non_resource_rule {
    non_resource_rule() = default;

    std::vector<std::string> verbs;             ///< HTTP methods in lower case; `*` for all
    std::vector<std::string> non_resource_urls; ///< paths; a `*` at the end stands for any text
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(non_resource_rule, {.member = "non_resource_urls", .json_name = "nonResourceURLs"})
KFTRAIN_DESCRIBE(non_resource_rule, (verbs, non_resource_urls))

/// The permissions of the caller in a namespace.
struct subject_rules_review_status {
    subject_rules_review_status() = default;

    std::vector<resource_rule> resource_rules;         ///< for objects
    std::vector<non_resource_rule> non_resource_rules; ///< for paths
    bool incomplete = false;                           ///< whether rules may be missing
    std::string evaluation_error;                      ///< error during the evaluation; rules may be missing
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(subject_rules_review_status, "incomplete")
KFTRAIN_DESCRIBE(subject_rules_review_status, (resource_rules, non_resource_rules, incomplete, evaluation_error))

/// The question which permissions the caller has in a namespace, and the answer; sent by a create request.
struct self_subject_rules_review {
    self_subject_rules_review() = default;

    static constexpr resource_info resource{"authorization.k8s.io", "v1", "SelfSubjectRulesReview",
                                            "selfsubjectrulesreviews", resource_scope::cluster};

    object_meta metadata;                ///< may be empty, because the server does not store the object
    self_subject_rules_review_spec spec; ///< the question
    subject_rules_review_status status;  ///< the answer, set by the server
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(self_subject_rules_review, "spec")
KFTRAIN_DESCRIBE_RESOURCE(self_subject_rules_review, (metadata, spec, status))

} // namespace kftrain::authorization

#endif
