#ifndef KFTRAIN_KUBE_DESCRIBED_HPP
#define KFTRAIN_KUBE_DESCRIBED_HPP

/** @file Describes the options of the client for objects of any type, so that value_ref sets them by name, and
    const_value_ref, to_json() and to_yaml() accept them. Only code that serves every option needs it: bindings to other
    languages, command lines.

    Options are described without `detail`. Enumerations have the names that requests have, such as `Background`, or
    those of their enumerators. */

#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/model/descriptor.hpp>

namespace kftrain::kube {

KFTRAIN_DESCRIBE_OPTIONS(call_options, (), (timeout, retry, urgent))
KFTRAIN_DESCRIBE_OPTIONS(next_options, (), (timeout))
KFTRAIN_DESCRIBE_OPTIONS(wait_options, (), (timeout, uid))
KFTRAIN_DESCRIBE_OPTIONS(list_options, (call_options),
                         (label_selector, field_selector, limit, continue_, resource_version, resource_version_match))
KFTRAIN_DESCRIBE_OPTIONS(page_options, (call_options),
                         (label_selector, field_selector, resource_version, page_size, expired, max_pages,
                          total_timeout))
KFTRAIN_DESCRIBE_OPTIONS(watch_options, (call_options),
                         (label_selector, field_selector, resource_version, timeout_seconds, allow_bookmarks,
                          initial_events))
KFTRAIN_DESCRIBE_OPTIONS(write_options, (call_options), (dry_run, field_manager, validation))
KFTRAIN_DESCRIBE_OPTIONS(apply_options, (call_options), (field_manager, force, dry_run, validation))
KFTRAIN_DESCRIBE_OPTIONS(delete_options, (call_options),
                         (grace_period_seconds, propagation_policy, precondition_uid, precondition_resource_version,
                          dry_run, whole_collection))
KFTRAIN_DESCRIBE_OPTIONS(log_options, (call_options),
                         (container, follow, previous, timestamps, tail_lines, since_seconds, since_time, limit_bytes,
                          channel, trust_any_kubelet))
KFTRAIN_DESCRIBE_OPTIONS(exec_options, (call_options), (container, input, output, error_output, tty))
KFTRAIN_DESCRIBE_OPTIONS(informer_options, (),
                         (label_selector, field_selector, page_size, silence, streaming_list, streaming_patience))
KFTRAIN_DESCRIBE_OPTIONS(sync_options, (), (timeout))

} // namespace kftrain::kube

#endif
