#ifndef KFTRAIN_SRC_JOB_CONTRACT_CHILD_METADATA_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_CHILD_METADATA_HPP

#include <kftrain/model/ownership.hpp>

namespace kftrain {

/// Returns the metadata of an object that a job controls: name, namespace and owner.
template <class Job> object_meta child_metadata(Job const& job, std::string name) {
    object_meta m;
    m.name = std::move(name);
    m.namespace_ = job.metadata.namespace_;
    m.owner_references.push_back(controller_reference(job));
    return m;
}

} // namespace kftrain

#endif
