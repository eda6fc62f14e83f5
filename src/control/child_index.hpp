#ifndef KFTRAIN_SRC_CONTROL_CHILD_INDEX_HPP
#define KFTRAIN_SRC_CONTROL_CHILD_INDEX_HPP

#include <kftrain/kube/informer.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::control {

/// `namespace/name`, the key by which controllers know an object.
std::string key_of(object_meta const&);

/// What an informer knows, by the uid of the controller, so that a look at one job does not go through those of all. Kept
/// up to date by the informer's events, of which it must be told every one.
class child_index {
public:
    explicit child_index(object_type const& type) : type_(&type) {}

    void take(kube::detail::erased_event const&);
    /// By namespace and name.
    std::vector<erased_object> of(std::string_view controller_uid) const;

private:
    object_type const* type_;
    std::map<std::string, std::map<std::string, erased_object>, std::less<>> by_controller_;
};

} // namespace kftrain::control

#endif
