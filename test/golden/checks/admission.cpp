#include "golden/checks/admission.hpp"

#include "golden/kinds/recorded_kind.hpp"
#include "golden/timeline.hpp"

#include <kftrain/apiserver/object_store.hpp>

#include <algorithm>

namespace golden {
namespace {

using namespace kftrain;

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

admission_answer admit_by_rules(recorded_kind const& kind, json::object const& job, json::object const* before) {
    auto const& served = kind.served;
    apiserver::object_store_options options;
    options.make_uid = [] { return std::string("uid"); };
    apiserver::object_store store(options);
    auto const id = store.add(served);
    auto const now = timeline::start();
    for (auto const& d : kind.others) store.add(d);
    for (auto const& object : kind.standing)
        for (auto const& d : kind.others)
            if (d.kind == text(object, "kind") && d.api_version() == text(object, "apiVersion"))
                store
                    .create(*store.find(d.group, d.version, d.plural),
                            d.where == resource_scope::namespaced ? "corpus" : "", object, now)
                    .value();
    json::object body = job;
    auto& meta = body["metadata"].as_object();
    for (auto const* owned : {"uid", "resourceVersion", "creationTimestamp", "generation"}) meta.erase(owned);
    std::string const name = text(meta, "name");

    auto answer = [&] {
        if (before == nullptr) return store.create(id, "corpus", body, now);
        // The recorded server admitted the stored job, so the rules of kftrain do not apply to it.
        auto lax = served;
        lax.admission = nullptr;
        store.add(lax);
        json::object old = *before;
        for (auto const* owned : {"uid", "resourceVersion", "creationTimestamp", "generation"})
            old["metadata"].as_object().erase(owned);
        auto const stored = store.create(id, "corpus", old, now).value();
        store.add(served);
        meta["resourceVersion"] = std::to_string(stored.object->version());
        return store.update(id, "corpus", name, body, now);
    }();

    admission_answer result;
    result.accepted = answer.has_value();
    if (answer) {
        result.stored = answer->object->parsed();
        result.warnings = answer->warnings;
    } else {
        result.status = json::parse(answer.error().to_json()).as_object();
        result.warnings = answer.error().warnings;
    }
    return result;
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
    auto const kind = kind_of(c, allowed);
    auto ours = admit_by_rules(kind, c.job);
    if (json::value stored = ours.stored; kind.comparable != nullptr) {
        kind.comparable(stored);
        ours.stored = std::move(stored.as_object());
    }
    return compare_admission(c.admission, ours, allowed);
}

} // namespace golden
