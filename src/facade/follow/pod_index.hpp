#ifndef KFTRAIN_SRC_FACADE_POD_INDEX_HPP
#define KFTRAIN_SRC_FACADE_POD_INDEX_HPP

#include <kftrain/objects/core.hpp>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kftrain {

/** Pods by the labels that the roles of jobs know theirs by. A role is looked for by its mark, made of its labels; a pod is kept under the
    mark of every set of keys of which it bears all. So neither the pods of a role nor the role of a pod takes a look at all others. */
class pod_index {
public:
    using object = std::shared_ptr<pod const>;
    using marks = std::vector<std::string>;

    /// Whether roles with these keys were looked for before. If not, pods are kept from now on: put those that there are.
    bool learn(string_map const& role_labels);
    /// That of the role, in a namespace.
    std::string mark_of(std::string const& ns, string_map const& role_labels) const;
    /// Those of a pod.
    marks marks_of(object_meta const& pod) const;

    /// Keeps this pod in place of the one of its name.
    void put(object const& pod);
    void remove(object_meta const& pod);
    /// Appends the pods of a mark.
    void find(std::string const& mark, std::vector<object>& found) const;
    void clear() { by_mark_.clear(); }

private:
    std::vector<std::vector<std::string>> keys_; ///< of the roles that were looked for
    std::unordered_map<std::string, std::unordered_map<std::string, object>> by_mark_; ///< and by name
};

} // namespace kftrain

#endif
