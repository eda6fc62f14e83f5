#ifndef KFTRAIN_SRC_KUBE_ANSWERS_EXPECTED_PLACE_HPP
#define KFTRAIN_SRC_KUBE_ANSWERS_EXPECTED_PLACE_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace kftrain::kube::detail {

/// An answer that breaks the rules of the API at this place.
inline failure protocol_failure(std::string path, std::string message) {
    diagnostics d;
    d.path = std::move(path);
    d.message = std::move(message);
    return {errc::protocol, std::move(d)};
}

/// The expected place of the objects of a list or a watch: one namespace or all, one name or any.
class expected_place {
public:
    expected_place() = default;
    /// The name is the one that `field_selector` requires, if it requires one.
    explicit expected_place(std::string ns, std::string_view field_selector = {});

    /** Whether an object with this namespace and name may occur. An object without a namespace passes, because some
        servers omit it in list items.
        @par Errors `errc::protocol` for another namespace and for an object without a name */
    result<void> check(std::string_view ns, std::string_view name) const;
    /// Whether the name is the required one.
    bool selects(std::string_view name) const noexcept { return name_.empty() || name == name_; }
    /// check(), and `errc::protocol` for a name that the list was not to contain.
    result<void> check_listed(std::string_view ns, std::string_view name) const;

private:
    std::string namespace_; ///< empty: any
    std::string name_;      ///< empty: any
};

} // namespace kftrain::kube::detail

#endif
