#ifndef KFTRAIN_SRC_MODEL_RULES_NAME_SYNTAX_HPP
#define KFTRAIN_SRC_MODEL_RULES_NAME_SYNTAX_HPP

#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** The faults of a name, with the server's messages; empty if it is valid. A `prefix`, to which the server appends, may
    end in `-`; upstream then does not check the character before it, either.
    @par Upstream apimachinery `pkg/api/validation/generic.go`, `NameIsDNSSubdomain`, `NameIsDNSLabel`,
    `NameIsDNS1035Label` and `pkg/util/validation/validation.go`, v0.31.3 */
std::vector<std::string> dns_subdomain_faults(std::string_view name, bool prefix = false);
std::vector<std::string> dns_label_faults(std::string_view name, bool prefix = false);
std::vector<std::string> dns_1035_label_faults(std::string_view name, bool prefix = false);
/** The least that any name has to be, since it is part of a path.
    @par Upstream apimachinery `pkg/api/validation/path/name.go`, `ValidatePathSegmentName`, v0.31.3 */
std::vector<std::string> path_segment_faults(std::string_view name, bool prefix = false);

/// One of these.
using name_rule = std::vector<std::string> (*)(std::string_view name, bool prefix);

} // namespace kftrain

#endif
