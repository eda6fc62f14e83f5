#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/authorization/self_subject_access_review.hpp>

namespace kftrain::authorization {

KFTRAIN_TABLE(attributes_requirement)
KFTRAIN_TABLE(selector_attributes)
KFTRAIN_TABLE(resource_attributes)
KFTRAIN_TABLE(non_resource_attributes)
KFTRAIN_TABLE(self_subject_access_review_spec)
KFTRAIN_TABLE(subject_access_review_status)
KFTRAIN_RESOURCE_TABLE(self_subject_access_review)

} // namespace kftrain::authorization
