#ifndef KFTRAIN_TEST_PROPERTY_TOLD_FIELDS_HPP
#define KFTRAIN_TEST_PROPERTY_TOLD_FIELDS_HPP

#include <kftrain/convert/change.hpp>

#include <boost/json.hpp>

#include <string>
#include <vector>

/// What became of the fields of a job of `kubeflow.org` that is a Job of Volcano now.
namespace property {

/// Fields of the source that the result does not have as they were, and that no change tells of; in the spelling of changes.
std::vector<std::string> untold_fields(boost::json::value const& source, boost::json::value const& result,
                                       std::vector<kftrain::convert::change> const&);

} // namespace property

#endif
