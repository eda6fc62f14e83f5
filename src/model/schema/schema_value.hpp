#ifndef KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_VALUE_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_VALUE_HPP

#include <kftrain/model/schema.hpp>

#include <boost/json.hpp>

#include <string>
#include <vector>

/** The functions of model/schema.hpp on parsed documents, for the API server. All of them let everything pass when the
    schema is empty. */
namespace kftrain {

/// Removes fields that the schema does not have, and returns their sorted paths.
std::vector<std::string> prune(resource_schema const&, boost::json::object&);
/// Drops the nulls that the schema neither allows nor has a default for. Not in lists.
void drop_nulls(resource_schema const&, boost::json::object&);
void set_schema_defaults(resource_schema const&, boost::json::object&);

/** Every fault of an object that was pruned and defaulted.
    @param old The stored object on an update, else null.
    @param blocked Faults found elsewhere, in the metadata, prevent the evaluation of expressions. */
std::vector<schema_violation> validate(resource_schema const&, boost::json::object const&,
                                       boost::json::object const* old, bool blocked = false);
/// The same for an update through the subresource `status`, which looks at the status alone.
std::vector<schema_violation> validate_status(resource_schema const&, boost::json::object const&,
                                              boost::json::object const& old);

/// As the public function of this name.
issues schema_issues(resource_schema const&, boost::json::object);

/// Writes numbers without fraction as integers, as the server prints them: 2.0 becomes 2.
void settle_numbers(boost::json::value&);

} // namespace kftrain

#endif
