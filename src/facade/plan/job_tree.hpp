#ifndef KFTRAIN_SRC_FACADE_PLAN_JOB_TREE_HPP
#define KFTRAIN_SRC_FACADE_PLAN_JOB_TREE_HPP

#include <kftrain/job/any_job.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

// Jobs as trees, so that one of the changes between two can be made without the others.
namespace kftrain::job_tree {

namespace json = boost::json;

json::object tree_of(any_job const&);
/// Empty if the tree does not fit the kind.
std::optional<any_job> job_of(rules::job_rules const&, json::object const&);

/// The same with the defaults of the kind's schema, which servers fill in.
std::optional<any_job> served_job_of(rules::job_rules const&, json::object const&);

/// A change of one value, or list, that cannot be taken apart further.
struct leaf {
    leaf() = default;

    std::vector<std::variant<std::string, std::size_t>> path;
    json::value const* after = nullptr; ///< null: it is taken away
    bool of_metadata() const { return !path.empty() && path.front() == decltype(path)::value_type("metadata"); }
};

/// The changes from `before` to `after`, which must both outlive the result. Lists of the same length are compared item
/// by item.
std::vector<leaf> leaves(json::object const& before, json::object const& after);
/// The tree with this change alone.
json::object with(json::object tree, leaf const&);

/** Copies the fields that the server and controllers maintain from the stored job to the wanted one, and removes the
    annotations of submissions from both. */
void carry_over(json::object& wanted, json::object& stored);

} // namespace kftrain::job_tree

#endif
