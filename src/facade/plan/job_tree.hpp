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

/// What has to be changed for `before` to become `after`, which must both outlive the result. Lists of one length are taken apart.
std::vector<leaf> leaves(json::object const& before, json::object const& after);
/// The tree with this change alone.
json::object with(json::object tree, leaf const&);

/** Takes over into the tree of a job as it is written what the server and others keep book of in the stored one, and leaves out of both what
    tells of submission. */
void carry_over(json::object& wanted, json::object& stored);

} // namespace kftrain::job_tree

#endif
