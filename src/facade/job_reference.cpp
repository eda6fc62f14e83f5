#include <kftrain/facade/job_reference.hpp>

#include <kftrain/job/job_rules.hpp>

namespace kftrain {

std::string job_reference::to_string() const {
    if (empty()) return "no job";
    std::string text(kind->primary().info->kind);
    text += ' ';
    if (!namespace_.empty()) text += namespace_ + "/";
    return text + name;
}

} // namespace kftrain
