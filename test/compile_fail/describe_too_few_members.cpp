// expect: only 3 names (were )?provided
#define KFTRAIN_DESCRIBE_MEMBERS
#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

namespace users {
struct widget {
    static constexpr kftrain::resource_info resource{"example.com", "v1", "Widget", "widgets"};
    kftrain::object_meta metadata;
    std::string size;
    bool shiny = false;
    kftrain::unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(widget, (metadata, size))
KFTRAIN_RESOURCE_TABLE(widget)
} // namespace users
