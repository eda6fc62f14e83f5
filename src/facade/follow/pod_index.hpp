#ifndef KFTRAIN_SRC_FACADE_FOLLOW_POD_INDEX_HPP
#define KFTRAIN_SRC_FACADE_FOLLOW_POD_INDEX_HPP

#include <kftrain/objects/core.hpp>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kftrain {

/** Indexes pods by the labels of the roles of jobs. The mark of a role is made of its labels; a pod is stored under the
    mark of every set of keys of which it has all. So a lookup, of the pods of a role or of the role of a pod, does not
    visit all others. */
class pod_index {
public:
    using object = std::shared_ptr<pod const>;
    using marks = std::vector<std::string>;

    /// Returns whether roles with these keys are already indexed. If not, their pods are indexed from now on: put the
    /// existing ones.
    bool learn(string_map const& role_labels);
    /// The mark of the role, in a namespace.
    std::string mark_of(std::string const& ns, string_map const& role_labels) const;
    /// The marks of a pod.
    marks marks_of(object_meta const& pod) const;

    /// Replaces the pod of the same name.
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
