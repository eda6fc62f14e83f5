#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "kube/calls/enum_names.hpp"

#include <kftrain/kube/described.hpp>
#include <kftrain/kube/metadata.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kube {

std::string_view to_string(when_expired w) noexcept {
    switch (w) {
    case when_expired::relist: return "relist";
    case when_expired::go_on_with_newer: return "go_on_with_newer";
    case when_expired::fail_with_expired: return "fail_with_expired";
    }
    return {};
}

std::string_view to_string(list_streaming s) noexcept {
    switch (s) {
    case list_streaming::off: return "off";
    case list_streaming::automatic: return "automatic";
    }
    return {};
}

KFTRAIN_RESOURCE_TABLE(object_metadata)

KFTRAIN_TABLE(call_options)
KFTRAIN_TABLE(next_options)
KFTRAIN_TABLE(wait_options)
KFTRAIN_TABLE(list_options)
KFTRAIN_TABLE(page_options)
KFTRAIN_TABLE(watch_options)
KFTRAIN_TABLE(write_options)
KFTRAIN_TABLE(apply_options)
KFTRAIN_TABLE(delete_options)
KFTRAIN_TABLE(log_options)
KFTRAIN_TABLE(exec_options)
KFTRAIN_TABLE(informer_options)
KFTRAIN_TABLE(sync_options)

} // namespace kftrain::kube
