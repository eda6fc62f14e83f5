#ifndef KFTRAIN_MODEL_META_HPP
#define KFTRAIN_MODEL_META_HPP

/** @file Metadata of objects and lists, label selectors, conditions, and responses without an object.
    @par Upstream apimachinery `pkg/apis/meta/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/name_map.hpp>
#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/scalars.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// Amounts by resource, e.g. `cpu`, `memory`, `nvidia.com/gpu`.
using resource_list = name_map<quantity>;
/// Binary data by name, as in a Secret.
using bytes_map = name_map<bytes>;
extern template class name_map<quantity>;
extern template class name_map<bytes>;

namespace meta {

/// An owner of an object. The server deletes the object after all of its owners.
struct owner_reference {
    owner_reference() = default;

    std::string api_version; ///< group and version of the owner, e.g. `kubeflow.org/v1`
    std::string kind;        ///< kind of the owner
    std::string name;        ///< name of the owner, which has the same namespace or none
    std::string uid;         ///< uid of the owner; if no object has it, the server deletes the object
    /// Whether the owner manages the object; true for at most one owner; absent means false.
    std::optional<bool> controller;
    /// Whether a foreground deletion of the owner waits for the object; absent means false.
    std::optional<bool> block_owner_deletion;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(owner_reference, "api_version", "kind", "name", "uid")
KFTRAIN_DESCRIBE(owner_reference, (api_version, kind, name, uid, controller, block_owner_deletion))

/// The fields of an object that one manager set, as the server records them for server-side apply.
struct managed_fields_entry {
    managed_fields_entry() = default;

    std::string manager;            ///< name of the client program or the controller
    std::string operation;          ///< Apply or Update
    std::string api_version;        ///< version in which `fields_v1` is expressed
    std::optional<time_point> time; ///< time of the last change
    std::string fields_type;        ///< FieldsV1
    raw_json fields_v1;             ///< a set of paths, as nested objects
    std::string subresource;        ///< empty for the object itself
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(managed_fields_entry, (manager, operation, api_version, time, fields_type, fields_v1, subresource))

/// The metadata of a stored object.
struct object_meta {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(object_meta);

    std::string name; ///< unique in the namespace among objects of the kind; cannot be changed
    /// If `name` is empty, the server appends a random suffix to this prefix and uses the result as the name.
    std::string generate_name;
    std::string namespace_; ///< empty for objects without a namespace; cannot be changed
    std::string self_link;  ///< from servers before 1.20
    std::string uid;        ///< differs for every object that ever existed; set by the server
    /// Changes with each write; set by the server. If an update contains an old one, the server rejects it (409).
    std::string resource_version;
    /// Number of the desired state, which grows when `spec` changes; set by the server; 0 if the kind has none.
    std::int64_t generation = 0;
    std::optional<time_point> creation_timestamp; ///< time of the creation; set by the server
    /// End of the grace period of a deletion; set by the server; absent: the object is not being deleted.
    std::optional<time_point> deletion_timestamp;
    /// Seconds from the request of the deletion to `deletion_timestamp`; set by the server.
    std::optional<std::int64_t> deletion_grace_period_seconds;
    string_map labels;      ///< values of at most 63 characters, by which selectors find the object
    string_map annotations; ///< other values, 256 KiB in total at most
    std::vector<owner_reference> owner_references; ///< when all of them are deleted, the server deletes the object
    /// Names of clean-up tasks; the server keeps a deleted object until the list is empty.
    std::vector<std::string> finalizers;
    std::vector<managed_fields_entry> managed_fields; ///< which client set which fields, for server-side apply
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(object_meta, {.member = "owner_references", .merge_key = "uid"},
                    {.member = "finalizers", .merge_key = "*"}, {.member = "managed_fields", .bookkeeping = true})
KFTRAIN_DESCRIBE(object_meta, (name, generate_name, namespace_, self_link, uid, resource_version, generation,
                               creation_timestamp, deletion_timestamp, deletion_grace_period_seconds, labels,
                               annotations, owner_references, finalizers, managed_fields))

/// The metadata of a list.
struct list_meta {
    list_meta() = default;

    std::string self_link;        ///< from servers before 1.20
    std::string resource_version; ///< state of the server at which the list was read; a watch can start there
    std::string continue_;        ///< token for the next page; empty on the last one
    /// Number of items on later pages, not always exact; absent if unknown or on the last page.
    std::optional<std::int64_t> remaining_item_count;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(list_meta, (self_link, resource_version, continue_, remaining_item_count))

/// One condition on a label.
struct label_selector_requirement {
    label_selector_requirement() = default;

    std::string key;                 ///< name of the label
    std::string operator_;           ///< In, NotIn, Exists or DoesNotExist
    std::vector<std::string> values; ///< at least one for In and NotIn, otherwise empty
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(label_selector_requirement, "key", "operator_")
KFTRAIN_DESCRIBE(label_selector_requirement, (key, operator_, values))

/// All parts must hold; without parts it selects everything.
struct label_selector {
    label_selector() = default;

    string_map match_labels;                                   ///< labels that must be equal
    std::vector<label_selector_requirement> match_expressions; ///< further conditions
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(label_selector, (match_labels, match_expressions))

/// One condition of an object, in the form of newer kinds.
struct condition {
    condition() = default;

    std::string type;                               ///< unique in the list, in CamelCase, e.g. `Available`
    std::string status;                             ///< True, False or Unknown
    std::int64_t observed_generation = 0;           ///< generation of the metadata that the condition refers to
    std::optional<time_point> last_transition_time; ///< time of the last change of `status`
    std::string reason;                             ///< one word in CamelCase
    std::string message;                            ///< human-readable text; may be empty
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(condition, "type", "status", "reason", "message")
KFTRAIN_DESCRIBE(condition, (type, status, observed_generation, last_transition_time, reason, message))

/// One cause of a failure, e.g. one invalid field.
struct status_cause {
    status_cause() = default;

    std::string reason;  ///< one word in CamelCase, e.g. FieldValueInvalid
    std::string message; ///< human-readable text
    std::string field;   ///< path in the object, e.g. `spec.containers[0].image`; empty if the cause is not a field
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(status_cause, (reason, message, field))

/// The object of a failed request, and the causes of the failure.
struct status_details {
    status_details() = default;

    std::string name;                     ///< name of the object
    std::string group;                    ///< group of its kind; empty for the core group
    std::string kind;                     ///< its kind, or the plural name of the resource
    std::string uid;                      ///< uid of the object; empty if unknown
    std::vector<status_cause> causes;     ///< empty if there is nothing more to report
    std::int32_t retry_after_seconds = 0; ///< seconds after which the request may be repeated; 0: none is suggested
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(status_details, (name, group, kind, uid, causes, retry_after_seconds))

/// The response of a server that contains no object, usually for a failure.
struct api_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(api_status);

    static constexpr resource_info resource{"", "v1", "Status", ""};

    list_meta metadata;            ///< usually empty
    std::string status;            ///< Success or Failure
    std::string message;           ///< human-readable text
    std::string reason;            ///< one word in CamelCase, e.g. NotFound, AlreadyExists, Conflict
    boxed<status_details> details; ///< the object and the causes
    std::int32_t code = 0;         ///< status code of HTTP; 0 if not set
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(api_status, (metadata, status, message, reason, details, code))

} // namespace meta

using meta::label_selector;
using meta::object_meta;
using meta::owner_reference;

/** Clears what servers write into the metadata of an object, so that it can be created again: resourceVersion, uid,
    times, managed fields. Keeps the other fields, also unknown ones. */
void clear_server_fields(object_meta& metadata);

/// Returns a name of the form that a server generates from a prefix in `generateName`; always the same one.
/// @par Upstream apiserver `pkg/storage/names/generate.go`, v0.31.3
std::string sample_of_generated_name(std::string_view prefix);

/// A list of objects as the server sends it; `items` have no apiVersion and kind of their own there.
template <class K> struct object_list {
    object_list() = default;

    static constexpr resource_info resource{K::resource.group,  K::resource.version, K::resource.kind,
                                            K::resource.plural, K::resource.where,   true};

    meta::list_meta metadata; ///< resource version and token for the next page
    std::vector<K> items;     ///< objects in the order of the server
    unknown_fields unknown;

    BOOST_DESCRIBE_CLASS(object_list, (), (metadata, items), (), ())
};

} // namespace kftrain

#endif
