#include "apiserver/rest/open_api.hpp"

#include "apiserver/openapi/gnostic.hpp"
#include "apiserver/rest/discovery.hpp"
#include "apiserver/rest/open_api_document.hpp"

#include <functional>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view accepted_gnostic = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
/// The `@` of the accepted type is not allowed in a Content-Type field.
constexpr std::string_view sent_gnostic = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// A number that changes with the served kinds and with their schemas.
std::uint64_t identify(object_store const& store, served_kind_list const& kinds) {
    std::uint64_t out = 14695981039346656037U;
    auto const mix = [&](std::uint64_t v) { out = (out ^ v) * 1099511628211U; };
    for (kind_id k = 0; k < store.kinds(); ++k) mix(store.registration(k) * 2 + (store.serves(k) ? 1 : 0));
    for (auto const* d : kinds) {
        mix(std::hash<std::string>()(d->api_version() + '/' + d->plural));
        mix(std::hash<void const*>()(d->schema.get()));
    }
    if (auto const crds = store.find("apiextensions.k8s.io", "v1", "customresourcedefinitions"))
        mix(store.version(*crds));
    return out;
}

served_kind_list kinds_below(served_kind_list const& kinds, std::string_view prefix) {
    served_kind_list out;
    for (auto const* d : kinds)
        if (path_prefix(*d) == prefix) out.push_back(d);
    return out;
}

open_api_document index(served_kind_list const& kinds, std::uint64_t identity) {
    json::object paths, listed;
    for (auto const* d : kinds) {
        auto const prefix = path_prefix(*d);
        if (paths.contains(prefix)) continue;
        json::object entry;
        entry["serverRelativeURL"] = "/openapi/v3/" + prefix + "?hash=" + std::to_string(identity);
        paths[prefix] = std::move(entry);
    }
    listed["paths"] = std::move(paths);
    open_api_document out;
    out.text = json::serialize(listed);
    return out;
}

} // namespace

open_api_documents::document open_api_documents::find(object_store const& store, std::vector<std::string> const& path,
                                                      std::string_view accept) {
    bool const old = path.size() == 2 && path[1] == "v2";
    if (!old && (path.size() < 2 || path[1] != "v3")) return nullptr;
    auto const kinds = served_kinds(store);
    if (auto const identity = identify(store, kinds); identity != kinds_) {
        made_.clear();
        bytes_ = 0;
        kinds_ = identity;
    }
    bool const binary = old && accept.starts_with(accepted_gnostic);
    std::string name;
    for (std::size_t i = 2; i < path.size(); ++i) name.append(i == 2 ? "" : "/").append(path[i]);
    auto place = (binary ? "v2 gnostic/" : path[1] + "/") + name;
    if (auto const known = made_.find(place); known != made_.end()) return known->second;

    open_api_document made;
    if (binary) {
        made.content_type = sent_gnostic;
        made.text = encode_gnostic(describe_v2(store, kinds));
    } else if (old) {
        made.text = json::serialize(describe_v2(store, kinds));
    } else if (path.size() == 2) {
        made = index(kinds, kinds_);
    } else {
        auto const described = kinds_below(kinds, name);
        if (described.empty()) return nullptr;
        made.text = json::serialize(describe_v3(store, described));
    }
    auto out = std::make_shared<open_api_document const>(std::move(made));
    if (bytes_ + out->text.size() <= most_bytes) {
        bytes_ += out->text.size();
        made_.emplace(std::move(place), out);
    }
    return out;
}

} // namespace kftrain::apiserver
