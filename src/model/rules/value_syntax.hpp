#ifndef KFTRAIN_SRC_MODEL_RULES_VALUE_SYNTAX_HPP
#define KFTRAIN_SRC_MODEL_RULES_VALUE_SYNTAX_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** The faults of a field's value, with the server's messages; empty if there are none.
    @par Upstream apimachinery `pkg/util/validation/validation.go`, v0.31.3: `IsValidPortName`, `IsValidPortNum`,
    `IsEnvVarName`, `IsConfigMapKey`, `IsHTTPHeaderName`, `IsValidUserID` */
std::vector<std::string> port_name_faults(std::string_view);
std::vector<std::string> port_number_faults(std::int64_t);
std::vector<std::string> environment_name_faults(std::string_view);
std::vector<std::string> config_key_faults(std::string_view);
std::vector<std::string> header_name_faults(std::string_view);
/// Checks the id of a user or a group.
std::vector<std::string> owner_id_faults(std::int64_t);

/// `must be between 1 and 65535, inclusive`
std::string outside(std::int64_t low, std::int64_t high);
/// Whether it is an IPv4 or IPv6 address. @par Upstream `ParseIPSloppy`: numbers of IPv4 may have leading zeros
bool is_address(std::string_view);

} // namespace kftrain

#endif
