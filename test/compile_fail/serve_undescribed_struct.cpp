// expect: the type is not described: write KFTRAIN_DESCRIBE
#include <kftrain/kube/informer.hpp>

namespace users {
struct widget {
    static constexpr kftrain::resource_info resource{"example.com", "v1", "Widget", "widgets"};
    kftrain::object_meta metadata;
};
} // namespace users

void follow(kftrain::kube::client c) {
    kftrain::kube::informer<users::widget> i(kftrain::kube::api<users::widget>(c, "default"));
}
