#include "golden/admission.hpp"

#include "golden/operator_pass.hpp"

#include <algorithm>

namespace golden {
namespace {

using namespace kftrain;

std::string joined(std::vector<std::string> const& errors) {
    std::string all;
    for (auto const& e : errors) all += (all.empty() ? "" : ", ") + e;
    return errors.size() > 1 ? "[" + all + "]" : all;
}

/// The same number of errors with the same texts: upstream walks its maps in random order.
bool same_in_some_order(std::string recorded, std::string ours) {
    for (auto* text : {&recorded, &ours}) {
        // The two managers that are known, which stand in one message.
        std::string const a = R"("kueue.x-k8s.io/multikueue", "kubeflow.org/training-operator")";
        if (auto const at = text->find(a); at != std::string::npos)
            text->replace(at, a.size(), R"("kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue")");
    }
    auto const open = recorded.find('['), close = recorded.rfind(']');
    if (recorded == ours) return true;
    if (open == std::string::npos || ours.substr(0, open) != recorded.substr(0, open)) return false;
    // Errors begin with the path of a field and end before the next; a permutation has the same pieces.
    auto const pieces = [&](std::string const& all) {
        std::vector<std::string> result;
        auto rest = all.substr(open + 1, all.rfind(']') - open - 1);
        for (std::size_t at = 0;
             (at = std::min(rest.find(", spec."), rest.find(", metadata."))) != std::string::npos;) {
            result.push_back(rest.substr(0, at));
            rest.erase(0, at + 2);
        }
        result.push_back(rest);
        std::ranges::sort(result);
        return result;
    };
    return close == recorded.size() - 1 && ours.ends_with("]") && pieces(recorded) == pieces(ours);
}

json::array list(std::vector<std::string> const& texts) {
    json::array result;
    for (auto const& t : texts) result.emplace_back(t);
    return result;
}

std::optional<std::string> compare_status(json::object const& recorded, json::object const& ours) {
    for (auto const* key : {"code", "reason", "message", "details"}) {
        json::value const nothing;
        auto const* a = recorded.if_contains(key);
        auto const* b = ours.if_contains(key);
        if (auto d = first_difference(std::string("admission.status.") + key, pruned(a == nullptr ? nothing : *a),
                                      pruned(b == nullptr ? nothing : *b)))
            return d;
    }
    return std::nullopt;
}

} // namespace

admission_answer ask_rules(json::object const& job, json::object const*) {
    admission_answer answer;
    auto const decoded = decode_job(job);
    std::vector<std::string> errors;
    for (auto const& i : decoded.validate())
        if (i.level == issue::severity::error)
            errors.push_back(i.message);
        else
            answer.warnings.push_back(i.message);
    if (!errors.empty()) {
        answer.status["code"] = 403;
        answer.status["reason"] = "Forbidden";
        answer.status["message"] = "admission webhook \"" + std::string(decoded.kind().admission_name) +
                                   "\" denied the request: " + joined(errors);
        return answer;
    }
    answer.accepted = true;
    answer.stored = job;
    return answer;
}

std::string compare_admission(json::object const& recorded, admission_answer const& ours, allowances const& allowed) {
    bool const accepted = recorded.at("accepted").as_bool();
    if (accepted != ours.accepted)
        return accepted ? "admission.accepted: recorded true, kftrain refuses: " + text(ours.status, "message")
                        : "admission.accepted: recorded false, kftrain accepts; recorded " +
                              text(child_of(recorded, "status"), "message");
    if (auto d = first_difference("admission.warnings", list_of(recorded, "warnings"), list(ours.warnings))) return *d;
    if (accepted) {
        json::object stored = ours.stored;
        auto& meta = stored["metadata"].as_object();
        for (auto const* owned : {"uid", "resourceVersion", "creationTimestamp", "managedFields"}) meta.erase(owned);
        return first_difference("admission.stored", recorded.at("stored"), stored).value_or("");
    }
    auto const& status = child_of(recorded, "status");
    auto first = compare_status(status, ours.status);
    if (!first) return "";
    for (auto const& other : list_of(recorded, "alternatives"))
        if (!compare_status(child_of(other.as_object(), "status"), ours.status)) return "";
    if (allowed.contains("error-order") && same_in_some_order(text(status, "message"), text(ours.status, "message"))) {
        auto reordered = ours.status;
        reordered["message"] = text(status, "message");
        return compare_status(status, reordered).value_or("");
    }
    return *first;
}

std::string check_admission(recorded_case const& c, allowances const& allowed) {
    auto answer = ask_rules(c.job);
    if (answer.accepted) answer.stored["metadata"].as_object()["generation"] = 1;
    return compare_admission(c.admission, answer, allowed);
}

std::span<check const> pure_checks() noexcept {
    static constexpr check checks[] = {
        {"admission", &check_admission}, {"render", &check_render}, {"plan", &check_plan}};
    return checks;
}

} // namespace golden
