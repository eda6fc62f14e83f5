// expect: no matching (member )?function for call to
#include <kftrain/kube/api.hpp>

auto list(kftrain::kube::api<kftrain::pod> const& pods) { return pods.async_list(kftrain::kube::call_options()); }
