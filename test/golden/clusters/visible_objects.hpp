#ifndef KFTRAIN_TEST_GOLDEN_CLUSTERS_VISIBLE_OBJECTS_HPP
#define KFTRAIN_TEST_GOLDEN_CLUSTERS_VISIBLE_OBJECTS_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/job/controller_rules.hpp>

namespace golden {

/// The stored objects of a type, in a namespace or, if that is empty, in all, by namespace and name.
std::vector<kftrain::any_object> stored(kftrain::apiserver::object_store const&, kftrain::object_type const&,
                                        std::string const& ns);

/// Returns the objects that a controller observes for one of its objects, if all are visible: see rules::watched.
kftrain::rules::world visible_from(kftrain::any_object const& primary, kftrain::rules::controller_rules const&,
                                   kftrain::apiserver::object_store const&);

/// The version of the last write to a type that the controller looks at.
std::uint64_t visible_version(kftrain::rules::controller_rules const&, kftrain::apiserver::object_store const&);

} // namespace golden

#endif
