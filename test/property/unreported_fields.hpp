#ifndef KFTRAIN_TEST_PROPERTY_UNREPORTED_FIELDS_HPP
#define KFTRAIN_TEST_PROPERTY_UNREPORTED_FIELDS_HPP

#include <kftrain/convert/change.hpp>

#include <boost/json.hpp>

#include <string>
#include <vector>

/// The changes of a conversion from a job of `kubeflow.org` to a Volcano Job or a TrainJob.
namespace property {

/// Returns the fields of the source that differ in the result and that no change reports, spelled as in changes.
std::vector<std::string> unreported_fields(boost::json::value const& source, boost::json::value const& result,
                                           std::vector<kftrain::convert::change> const&);

} // namespace property

#endif
