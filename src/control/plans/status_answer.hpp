#ifndef KFTRAIN_SRC_CONTROL_PLANS_STATUS_ANSWER_HPP
#define KFTRAIN_SRC_CONTROL_PLANS_STATUS_ANSWER_HPP

#include <kftrain/control/status_listener.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::control {

/// The whole answer, head and body, to a request that begins with `head`. Connections are closed after it.
std::string status_answer(status_listener_options const& options, std::string_view head);
/// The answer to a request whose head is longer than allowed.
std::string too_long_answer();
/// The end of the head of a request, after its empty line; nothing if that has not arrived.
std::optional<std::size_t> end_of_head(std::string_view text);

} // namespace kftrain::control

#endif
