#ifndef KFTRAIN_MODEL_META_HPP
#define KFTRAIN_MODEL_META_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/name_map.hpp>
#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/scalars.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain {

/// Amounts by resource, e.g. `cpu`, `memory`, `nvidia.com/gpu`.
using resource_list = name_map<quantity>;
using bytes_map = name_map<bytes>;
extern template class name_map<quantity>;
extern template class name_map<bytes>;

namespace meta {

struct owner_reference {
    owner_reference() = default;

    std::string api_version;
    std::string kind;
    std::string name;
    std::string uid;
    std::optional<bool> controller;
    std::optional<bool> block_owner_deletion;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(owner_reference, "api_version", "kind", "name", "uid")
KFTRAIN_DESCRIBE(owner_reference, (api_version, kind, name, uid, controller, block_owner_deletion))

/// The fields of an object that one manager set, as the server records them for server-side apply.
struct managed_fields_entry {
    managed_fields_entry() = default;

    std::string manager;
    std::string operation;   ///< Apply or Update
    std::string api_version; ///< version in which `fields_v1` is expressed
    std::optional<time_point> time;
    std::string fields_type; ///< FieldsV1
    raw_json fields_v1;      ///< a set of paths, as nested objects
    std::string subresource; ///< empty for the object itself
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(managed_fields_entry, (manager, operation, api_version, time, fields_type, fields_v1, subresource))

struct object_meta {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(object_meta);

    std::string name;
    std::string generate_name;
    std::string namespace_;
    std::string self_link; ///< from servers before 1.20
    std::string uid;
    std::string resource_version;
    std::int64_t generation = 0;
    std::optional<time_point> creation_timestamp;
    std::optional<time_point> deletion_timestamp;
    std::optional<std::int64_t> deletion_grace_period_seconds;
    string_map labels;
    string_map annotations;
    std::vector<owner_reference> owner_references;
    std::vector<std::string> finalizers;
    std::vector<managed_fields_entry> managed_fields;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(object_meta, {.member = "owner_references", .merge_key = "uid"},
                    {.member = "finalizers", .merge_key = "*"}, {.member = "managed_fields", .bookkeeping = true})
KFTRAIN_DESCRIBE(object_meta, (name, generate_name, namespace_, self_link, uid, resource_version, generation,
                               creation_timestamp, deletion_timestamp, deletion_grace_period_seconds, labels,
                               annotations, owner_references, finalizers, managed_fields))

struct list_meta {
    list_meta() = default;

    std::string self_link; ///< from servers before 1.20
    std::string resource_version;
    std::string continue_; ///< token for the next page; empty on the last one
    std::optional<std::int64_t> remaining_item_count;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(list_meta, (self_link, resource_version, continue_, remaining_item_count))

struct label_selector_requirement {
    label_selector_requirement() = default;

    std::string key;
    std::string operator_; ///< In, NotIn, Exists or DoesNotExist
    std::vector<std::string> values;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(label_selector_requirement, "key", "operator_")
KFTRAIN_DESCRIBE(label_selector_requirement, (key, operator_, values))

/// All parts must hold; without parts it selects everything.
struct label_selector {
    label_selector() = default;

    string_map match_labels;
    std::vector<label_selector_requirement> match_expressions;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(label_selector, (match_labels, match_expressions))

/// One condition of an object, in the form of newer kinds.
struct condition {
    condition() = default;

    std::string type;
    std::string status;                   ///< True, False or Unknown
    std::int64_t observed_generation = 0; ///< generation of the metadata that the condition refers to
    std::optional<time_point> last_transition_time;
    std::string reason; ///< one word in CamelCase
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(condition, "type", "status", "reason", "message")
KFTRAIN_DESCRIBE(condition, (type, status, observed_generation, last_transition_time, reason, message))

struct status_cause {
    status_cause() = default;

    std::string reason;
    std::string message;
    std::string field;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(status_cause, (reason, message, field))

struct status_details {
    status_details() = default;

    std::string name;
    std::string group;
    std::string kind;
    std::string uid;
    std::vector<status_cause> causes;
    std::int32_t retry_after_seconds = 0;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(status_details, (name, group, kind, uid, causes, retry_after_seconds))

/// The response of a server that contains no object, usually for a failure.
struct api_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(api_status);

    static constexpr resource_info resource{"", "v1", "Status", ""};

    list_meta metadata;
    std::string status;
    std::string message;
    std::string reason;
    std::optional<status_details> details;
    std::int32_t code = 0;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(api_status, (metadata, status, message, reason, details, code))

} // namespace meta

using meta::label_selector;
using meta::object_meta;
using meta::owner_reference;

/// A list of objects as the server sends it; `items` have no apiVersion and kind of their own there.
template <class K> struct object_list {
    object_list() = default;

    static constexpr resource_info resource{K::resource.group,  K::resource.version, K::resource.kind,
                                            K::resource.plural, K::resource.where,   true};

    meta::list_meta metadata;
    std::vector<K> items;
    unknown_fields unknown;

    BOOST_DESCRIBE_CLASS(object_list, (), (metadata, items), (), ())
};

} // namespace kftrain

#endif
