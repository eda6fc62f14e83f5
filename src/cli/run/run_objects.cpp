#include "cli/run/run_objects.hpp"

#include "cli/manifests/manifests.hpp"

#include <kftrain/kinds/types.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <iterator>
#include <optional>

namespace kftrain::cli {
namespace {

/// Returns the JSON of an object, empty if the server responds that it does not exist; any other failure leaves that
/// unknown.
asio::awaitable<result<std::string>> read(kube::client client, resource_info const* type, std::string in,
                                          std::string name) {
    auto const request = kube::request::get(*type, in, name);
    if (!request) co_return std::string(); // no object can have this name
    diagnostics detail;
    auto const options = kube::call_options().with_detail(detail);
    auto [failed, text] = co_await client.async_call(*request, options, await);
    if (is_not_found(failed)) co_return std::string();
    if (failed) co_return failure(failed, detail);
    co_return std::move(text);
}

std::string not_served(document_type const& type) {
    return ": the local cluster does not serve the kind " + type.kind + " of " + type.api_version;
}

/// Whether the server does not serve the resource. A missing namespace has the same code.
bool is_not_served(error_code failed, diagnostics const& detail) {
    return is_not_found(failed) && detail.message.find("could not find the requested resource") != std::string::npos;
}

/// Why the object was not created; nothing if it exists.
asio::awaitable<std::optional<std::string>> create(kube::client client, other_document o) {
    auto const* const type = find_type(o.type.api_version, o.type.kind);
    if (type == nullptr) co_return not_served(o.type);
    auto const object = type->make();
    if (auto const read = decode_json(o.json, *type->model, object.get()); !read) {
        auto why = read.error();
        why.detail.line = why.detail.column = 0; // of the object alone
        co_return ": " + why.to_string();
    }
    auto& metadata = type->metadata_of(object.get());
    kftrain::clear_server_fields(metadata);
    auto& ns = metadata.namespace_;
    if (ns.empty() && type->info->where == resource_scope::namespaced) ns = "default";
    if (type->info->where == resource_scope::namespaced) co_await make_namespace(client, ns);
    auto const request = kube::request::create(*type->info, ns, any_object(*type, object).to_json());
    if (!request) co_return ": " + request.error().to_string();
    diagnostics detail;
    auto const options = kube::call_options().with_detail(detail);
    auto [failed, stored] = co_await client.async_call(*request, options, await);
    if (is_already_exists(failed) && type->info->kind == core::namespace_::resource.kind) co_return std::nullopt;
    if (is_not_served(failed, detail)) co_return not_served(o.type);
    if (failed) co_return ": " + failure(failed, detail).to_string();
    co_return std::nullopt;
}

} // namespace

asio::awaitable<void> make_namespace(kube::client client, std::string name) {
    if (name == "default") co_return;
    core::namespace_ ns;
    ns.metadata.name = std::move(name);
    auto request = kube::request::create(core::namespace_::resource, "", to_json(ns));
    if (!request) co_return;
    auto [failed, stored] = co_await client.async_call(*request, kube::call_options(), await);
    (void)failed;
    (void)stored;
}

asio::awaitable<std::vector<std::string>> create_other_objects(kube::client client,
                                                               std::vector<object_to_create> const& objects) {
    std::vector<std::string> skipped;
    for (auto const& o : objects) {
        auto const why = co_await create(client, o.document);
        if (why) skipped.push_back(place(o.file, o.document.line, 0) + o.document.to_string() + *why + ": skipped");
    }
    co_return skipped;
}

asio::awaitable<std::set<local::named_object>> missing_objects(kube::client client, prepared_job const& job,
                                                               local::pod_options const& pods) {
    auto missing = local::needed_objects(job, pods);
    for (auto o = missing.begin(); o != missing.end();) {
        auto const found = co_await read(client, o->first, job->metadata().namespace_, o->second);
        bool const absent = found && found->empty();
        o = absent ? std::next(o) : missing.erase(o);
    }
    co_return missing;
}

asio::awaitable<std::vector<std::string>> create_admission_dependencies(kube::client client, prepared_job const& job) {
    auto wanted = looked_up_by_admission(job);
    // Objects that a job cannot do without have content, which no default replaces.
    for (auto const& t : job->references()) std::erase(wanted, t);
    std::vector<std::string> made;
    for (auto const& t : wanted) {
        auto const found = co_await read(client, t.type->info, t.namespace_, t.name);
        if (!found || !found->empty()) continue;
        auto const object = t.type->make();
        auto& metadata = t.type->metadata_of(object.get());
        metadata.name = t.name;
        metadata.namespace_ = t.namespace_;
        auto const request = kube::request::create(*t.type->info, t.namespace_, any_object(*t.type, object).to_json());
        if (!request) continue;
        auto [failed, stored] = co_await client.async_call(*request, kube::call_options(), await);
        if (failed) continue;
        made.push_back(std::string(t.type->info->kind) + " " + t.name);
    }
    constexpr int most_tries = 250;
    for (int tries = 0; !wanted.empty() && tries < most_tries; ++tries) {
        std::vector<any_object> found;
        for (auto const& t : wanted) {
            auto const text = co_await read(client, t.type->info, t.namespace_, t.name);
            if (!text || text->empty()) continue;
            if (auto object = t.type->decode(*text)) found.emplace_back(*t.type, *std::move(object));
        }
        if (admitted_with(job, found)) break;
        asio::steady_timer pause(client.get_executor(), std::chrono::milliseconds(20));
        co_await pause.async_wait(await);
    }
    co_return made;
}

} // namespace kftrain::cli
