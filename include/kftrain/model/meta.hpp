#ifndef KFTRAIN_MODEL_META_HPP
#define KFTRAIN_MODEL_META_HPP

#include <kftrain/model/descriptor.hpp>
#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/scalars.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain {

/// Labels, annotations, selectors: sorted by key.
using string_map = std::map<std::string, std::string, std::less<>>;

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
KFTRAIN_DESCRIBE(owner_reference, (api_version, kind, name, uid, controller, block_owner_deletion))

struct object_meta {
    object_meta() = default;

    std::string name;
    std::string generate_name;
    std::string namespace_;
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
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(object_meta,
                 (name, generate_name, namespace_, uid, resource_version, generation, creation_timestamp,
                  deletion_timestamp, deletion_grace_period_seconds, labels, annotations, owner_references, finalizers))

struct list_meta {
    list_meta() = default;

    std::string resource_version;
    std::string continue_;
    std::optional<std::int64_t> remaining_item_count;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(list_meta, (resource_version, continue_, remaining_item_count))

/// A list of objects as the server sends it; `items` carry no apiVersion and kind of their own there.
template <class K> struct object_list {
    object_list() = default;

    static constexpr resource_info resource{K::resource.group,  K::resource.version, K::resource.kind,
                                            K::resource.plural, K::resource.where,   true};

    list_meta metadata;
    std::vector<K> items;
    unknown_fields unknown;

    BOOST_DESCRIBE_CLASS(object_list, (), (metadata, items), (), ())
};

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

/// What a server answers instead of an object, mostly upon failure.
struct api_status {
    api_status() = default;

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

} // namespace kftrain

#endif
