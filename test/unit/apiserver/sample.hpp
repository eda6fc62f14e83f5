#ifndef KFTRAIN_TEST_UNIT_APISERVER_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_SAMPLE_HPP

#include "apiserver/checks/builtin_checks.hpp"
#include "apiserver/json/json_access.hpp"
#include <kftrain/apiserver/object_store.hpp>

#include <string>

namespace sample {

using namespace kftrain;
using namespace kftrain::apiserver;

inline time_point at(int seconds) {
    using namespace std::chrono;
    return sys_days(year(2026) / 3 / 1) + hours(10) + std::chrono::seconds(seconds);
}

inline resource_definition job_definition() {
    resource_definition d;
    d.group = "kubeflow.org";
    d.version = "v1";
    d.kind = "PyTorchJob";
    d.plural = "pytorchjobs";
    d.columns = {{"State", "string", ".status.conditions[-1:].type"}, {"Age", "date", ".metadata.creationTimestamp"}};
    return d;
}

inline object_store_options numbered_uids(std::size_t log_limit = 4096) {
    object_store_options o;
    o.make_uid = [n = 0]() mutable { return "uid-" + std::to_string(++n); };
    o.watch_log_limit = log_limit;
    return o;
}

/// A store with the built-in kinds and PyTorchJob.
struct stored_sample {
    explicit stored_sample(std::size_t log_limit = 4096) : stored_sample(numbered_uids(log_limit)) {}
    explicit stored_sample(object_store_options options) : store(std::move(options)) {
        for (auto& d : builtin_resources()) store.add(std::move(d));
        pods = *store.find("", "v1", "pods");
        services = *store.find("", "v1", "services");
        namespaces = *store.find("", "v1", "namespaces");
        secrets = *store.find("", "v1", "secrets");
        events = *store.find("", "v1", "events");
        config_maps = *store.find("", "v1", "configmaps");
        jobs = store.add(job_definition());
    }

    static json::object parse(std::string_view text) { return parse_object(text).value(); }

    /// Pods get what they need and the text leaves out: a container, images.
    object_ptr make(kind_id kind, std::string_view text, std::string_view ns = "default", int when = 0) {
        auto body = parse(text);
        if (kind == pods) {
            auto& spec = body["spec"];
            if (!spec.is_object()) spec.emplace_object();
            auto& containers = spec.as_object()["containers"];
            if (!containers.is_array()) containers = json::array{json::object{{"name", "c"}}};
            for (auto& c : containers.as_array())
                if (!c.as_object().contains("image")) c.as_object()["image"] = "i";
        }
        return store.create(kind, ns, body, at(when)).value().object;
    }
    object_ptr make_pod(std::string const& name, std::string const& extra = "") {
        return make(pods, R"({"metadata":{"name":")" + name + R"("},"spec":{"containers":[{"name":"c","image":"i"}])" +
                              extra + "}}");
    }
    object_ptr make_job(std::string const& name, std::string const& extra = "") {
        return make(jobs, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":")" + name + "\"" +
                              extra + R"(},"spec":{"a":1}})");
    }
    object_ptr make_owned(std::string const& name, object_ptr const& owner, std::string const& flags = "") {
        return make(pods, R"({"metadata":{"name":")" + name +
                              R"(","ownerReferences":[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":")" +
                              std::string(owner->name()) + R"(","uid":")" + std::string(owner->uid()) + "\"" + flags +
                              R"(}]},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    }
    object_ptr find(kind_id kind, std::string_view name, std::string_view ns = "default") const {
        auto const found = store.get(kind, ns, name);
        return found ? *found : nullptr;
    }
    std::vector<std::string> log_of(kind_id kind, std::uint64_t since) const {
        std::vector<std::string> out;
        for (auto const& e : store.events(kind, since, 1000).value()) {
            auto const* word = e.kind == change_kind::added      ? "ADDED "
                               : e.kind == change_kind::modified ? "MODIFIED "
                                                                 : "DELETED ";
            out.push_back(word + std::string(e.object->name()));
        }
        return out;
    }

    object_store store;
    kind_id pods = 0, services = 0, namespaces = 0, secrets = 0, events = 0, config_maps = 0, jobs = 0;
};

/// The same, and objects of one kind that the store should refuse.
struct refused_sample : stored_sample {
    refused_sample(std::string_view group, std::string_view version, std::string_view plural,
                   std::string_view in_namespace = "default")
        : kind(*store.find(group, version, plural)), ns(in_namespace) {}

    /// The message of the refusal to create this object; empty if it is created.
    std::string refusal(std::string_view object) {
        auto const r = store.create(kind, ns, parse(object), at(0));
        return r ? "" : r.error().message;
    }
    /// The same for a merge patch.
    std::string change(std::string const& name, std::string const& patch) {
        auto const r = store.patch(kind, ns, name, patch_type::merge, patch, at(1));
        return r ? "" : r.error().message;
    }

    kind_id kind;
    std::string_view ns;
};

/// The text at a dotted path; other values as JSON; empty when there is none.
inline std::string at_path_text(object_ptr const& o, std::string_view path) {
    auto const value = o->parsed();
    auto const* v = at_path(value, path);
    if (v == nullptr) return {};
    return v->is_string() ? std::string(v->get_string()) : json::serialize(*v);
}

} // namespace sample

#endif
