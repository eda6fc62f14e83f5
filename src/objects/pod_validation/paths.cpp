#include "objects/pod_validation/checks.hpp"

namespace kftrain::pod_checks {

void check_no_backsteps(std::string_view path, std::string const& field, field_faults& found) {
    for (auto rest = path;;) {
        auto const end = std::min(rest.find('/'), rest.size());
        if (rest.substr(0, end) == "..") return found.invalid_text(field, path, "must not contain '..'");
        if (end == rest.size()) return;
        rest.remove_prefix(end + 1);
    }
}

void check_descending(std::string_view path, std::string const& field, field_faults& found) {
    if (path.starts_with('/')) found.invalid_text(field, path, "must be a relative path");
    check_no_backsteps(path, field, found);
}

void check_unreserved(std::string_view path, std::string const& field, field_faults& found) {
    check_descending(path, field, found);
    if (path.starts_with("..") && !path.starts_with("../")) found.invalid_text(field, path, "must not start with '..'");
}

} // namespace kftrain::pod_checks
