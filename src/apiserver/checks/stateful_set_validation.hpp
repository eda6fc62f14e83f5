#ifndef KFTRAIN_SRC_APISERVER_CHECKS_STATEFUL_SET_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_STATEFUL_SET_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <vector>

namespace kftrain::apiserver {

/** Checks a StatefulSet as a server does: its name, its numbers and, if it is created, its pods.
    @param typed The same object before its defaults as apps::stateful_set, if it is created
    @par Upstream kubernetes `pkg/apis/apps/validation/validation.go`, v1.31 */
std::vector<refusal_cause> check_stateful_set(json::object const& set, void const* typed);

/// The same of one that replaces a stored one: most of its specification stays as it is.
std::vector<refusal_cause> check_stateful_set_update(json::object const& old, json::object const& next);

} // namespace kftrain::apiserver

#endif
