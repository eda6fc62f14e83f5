#include <kftrain/job/admission.hpp>

#include <algorithm>

namespace kftrain::rules {

admission_answer answer_of(issues const& found) {
    admission_answer answer;
    for (auto const& i : found)
        if (i.level == issue::severity::warning) answer.warnings.push_back(i.message);
    auto const errors = std::ranges::count(found, issue::severity::error, &issue::level);
    if (errors == 0) return answer;
    std::string text = join_errors(found, ", ");
    answer.denied.emplace(errors > 1 ? "[" + text + "]" : std::move(text));
    return answer;
}

} // namespace kftrain::rules
