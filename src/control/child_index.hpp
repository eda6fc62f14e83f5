#ifndef KFTRAIN_SRC_CONTROL_CHILD_INDEX_HPP
#define KFTRAIN_SRC_CONTROL_CHILD_INDEX_HPP

#include <kftrain/kube/any_informer.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::control {

/// `namespace/name`, the key that controllers use for an object.
std::string key_of(object_meta const&);
std::string key_of(std::string_view ns, std::string_view name);

/// The objects of an informer by owner, so that a lookup for one object does not visit all others. All events of the
/// informer update it.
class child_index {
public:
    /// Returns the key of the owner of an object; empty if it has none.
    using owner_function = std::function<std::string(void const* object)>;

    /// By the uid of the controller, if that is of one of these types. `type` is the type of the objects.
    child_index(object_type const& type, std::vector<resource_info const*> controllers);
    explicit child_index(owner_function owner) : owner_(std::move(owner)) {}

    /// Orders objects by namespace and name.
    struct by_name {
        bool operator()(any_object const& a, any_object const& b) const noexcept;
    };
    using ordered_set = std::set<any_object, by_name>;

    void take(kube::any_event const&);
    /// By namespace and name.
    std::vector<any_object> of(std::string_view owner) const;

private:
    owner_function owner_;
    std::map<std::string, ordered_set, std::less<>> by_owner_;
};

/// The primary objects that name an object, so that its events reach them. The events of the primary objects update it.
class name_index {
public:
    /// `names` are those that the object of this key has in this state.
    void add(std::string const& key, std::vector<std::string> const& names);
    void remove(std::string const& key, std::vector<std::string> const& names);
    /// Keys of the primary objects that name this one, in order.
    std::vector<std::string> primaries_naming(std::string_view name) const;

private:
    std::map<std::string, std::set<std::string>, std::less<>> by_name_;
};

/// Objects and the primary objects whose selectors select them. All events of both update it.
class selector_index {
public:
    /// For an event of the objects.
    void take(kube::any_event const&);
    /// By name; `selector` is that of a primary object.
    std::vector<any_object> of(std::string_view ns, string_map const& selector) const;

    /// `primary` is `namespace/name`; replaces its earlier selector. `objects` returns all known objects, which may be
    /// ahead of take().
    void select(std::string const& primary, string_map selector,
                std::function<std::vector<any_object>()> const& objects);
    void forget(std::string const& primary);
    /// Keys of the primary objects that select an object, in order.
    std::vector<std::string> primaries_selecting(object_meta const&) const;

private:
    struct chosen {
        chosen() = default;

        string_map selector;
        string_map::value_type label; ///< the one in by_pair_
    };
    /// Objects by namespace and value of one label. Only labels by which primary objects select are indexed: pods have
    /// many more.
    struct indexed_label {
        indexed_label() = default;

        void take(std::string_view name, kube::any_event const&);

        std::size_t primaries = 0; ///< that chose it
        std::map<std::string, child_index::ordered_set, std::less<>> objects;
    };

    std::map<std::string, indexed_label, std::less<>> labels_; ///< by name
    std::map<std::string, chosen> selectors_;
    /// Primary objects by namespace and that label of their selector which fewest others have.
    std::map<std::string, std::set<std::string>, std::less<>> by_pair_;
};

} // namespace kftrain::control

#endif
