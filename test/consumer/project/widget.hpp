#ifndef ACME_WIDGET_HPP
#define ACME_WIDGET_HPP

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

/// A custom resource of a user, in a namespace of its own.
namespace acme {

struct part {
    part() = default;

    std::string name;
    std::int32_t size = 0; ///< written even if it is 0
};
KFTRAIN_REQUIRED(part, "name", "size")
KFTRAIN_DESCRIBE(part, (name, size))

struct widget_spec {
    widget_spec() = default;

    std::string motto;
    std::vector<part> parts;
    std::optional<part> spare;
};
KFTRAIN_FIELD_RULES(widget_spec, {.member = "motto", .json_name = "motto-text"},
                    {.member = "parts", .list_keys = "name"})
KFTRAIN_DESCRIBE(widget_spec, (motto, parts, spare))

struct widget_status {
    widget_status() = default;

    std::string written; ///< name of the ConfigMap
};
KFTRAIN_DESCRIBE(widget_status, (written))

struct widget {
    widget() = default;

    static constexpr kftrain::resource_info resource{"acme.example.com", "v1", "Widget", "widgets"};

    kftrain::object_meta metadata;
    widget_spec spec;
    widget_status status;
    kftrain::unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(widget, (metadata, spec, status))

} // namespace acme

#endif
