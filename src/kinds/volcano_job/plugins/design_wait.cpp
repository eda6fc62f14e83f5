#include "kinds/volcano_job/plugins/design.hpp"

#include "base/joined.hpp"

#include <algorithm>

namespace kftrain::volcano {
namespace {

constexpr std::string_view wait_container = "wait-for-tasks";

/** Probes one host after the other, and all of them again after a pause if one does not respond; fails after the first
    round that ends later than the limit. It uses `date`, because small shells such as busybox do not count seconds. */
constexpr std::string_view wait_script = R"(began=$(date +%s)
while :; do
  absent=
  for host in $IP_LIST; do
    ping -c 1 "$host" >/dev/null 2>&1 || { absent=$host; break; }
  done
  [ -n "$absent" ] || exit 0
  if [ $(($(date +%s) - began)) -gt "$WAIT_TIMEOUT" ]; then
    echo "$absent does not answer" >&2
    exit 1
  fi
  sleep 5
done
)";

} // namespace

/// It comes last, so that no plugin gives it keys or hosts that it does not need.
void add_wait(core::pod& pod, job const& job, task_spec const& task, volcano_operator_options const& options) {
    auto const* const awaited = awaited_task(job, task, options);
    auto& all = pod.spec.init_containers;
    if (awaited == nullptr || std::ranges::find(all, wait_container, &core::container::name) != all.end()) return;
    auto const how = frameworks_of(job).front().wait;
    core::container c;
    c.name = wait_container;
    c.image = how.image;
    c.command = {"sh", "-c", std::string(wait_script)};
    c.env.emplace_back("IP_LIST", joined(hosts(job, *awaited), " "));
    c.env.emplace_back("WAIT_TIMEOUT", std::to_string(how.timeout));
    all.push_back(std::move(c));
}

} // namespace kftrain::volcano
