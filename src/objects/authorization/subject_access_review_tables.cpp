#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/authorization/subject_access_review.hpp>

namespace kftrain::authorization {

KFTRAIN_TABLE(subject_access_review_spec)
KFTRAIN_RESOURCE_TABLE(subject_access_review)
KFTRAIN_TABLE(self_subject_rules_review_spec)
KFTRAIN_TABLE(resource_rule)
KFTRAIN_TABLE(non_resource_rule)
KFTRAIN_TABLE(subject_rules_review_status)
KFTRAIN_RESOURCE_TABLE(self_subject_rules_review)

} // namespace kftrain::authorization
