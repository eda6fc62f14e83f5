// expect: what the operation completes with
#include <kftrain/kube/api.hpp>

void read(kftrain::kube::api<kftrain::pod> const& pods) {
    pods.async_list([](kftrain::error_code, kftrain::pod const&) {});
}
