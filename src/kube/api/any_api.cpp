#include <kftrain/kube/any_api.hpp>

#include "base/failure_at.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/then_complete.hpp>

namespace kftrain::kube {
namespace {

using detail::report_failure;

template <class T, class Work>
void start(client const& link, any_handler<T> handler, result<http_request> request, call_options const& options,
           Work work) {
    detail::client_access::start(
        link,
        any_handler<void(error_code, std::string)>(detail::then_complete<T, Work>(std::move(handler), std::move(work))),
        std::move(request), options);
}

/// Why an object cannot be written through an api.
result<void> check_type(object_type const& expected, any_object const& object) {
    auto const wanted = "expected " + expected.kind() + " of " + expected.info->api_version() + ", got ";
    if (object.empty()) return failure_at("kind", wanted + "an empty object", errc::wrong_kind);
    auto const& got = object.resource();
    if (got.group == expected.info->group && got.version == expected.info->version && got.kind == expected.info->kind)
        return {};
    return failure_at("kind", wanted + std::string(got.kind) + " of " + got.api_version(), errc::wrong_kind);
}

} // namespace

void any_api::starter::operator()(any_handler<void(error_code, any_object)> handler, result<http_request> request,
                                  call_options const& options) {
    start(link, std::move(handler), std::move(request), options,
          [c = link, t = type, into = options.detail](auto then, error_code ec, std::string const& body) {
              any_object object;
              if (!ec) {
                  auto decoded = t->decode(body);
                  if (decoded)
                      object = any_object(*t, std::move(*decoded));
                  else
                      ec = report_failure(c, decoded.error(), into);
              }
              std::move(then)(ec, std::move(object));
          });
}

void any_api::starter::operator()(any_handler<void(error_code, any_list)> handler, result<http_request> request,
                                  call_options const& options) {
    auto decode = detail::paging<any_api>::decoder(any_api(link, *type, namespace_));
    start(link, std::move(handler), std::move(request), options,
          [c = link, decode = std::move(decode), into = options.detail](auto then, error_code ec,
                                                                        std::string const& body) {
              any_list list;
              if (!ec)
                  if (auto const decoded = decode(body, list); !decoded) ec = report_failure(c, decoded.error(), into);
              std::move(then)(ec, ec ? any_list() : std::move(list));
          });
}

void any_api::starter::operator()(any_handler<void(error_code)> handler, result<http_request> request,
                                  call_options const& options) {
    start(link, std::move(handler), std::move(request), options,
          [](auto then, error_code ec, std::string const&) { std::move(then)(ec); });
}

result<http_request> any_api::create_request(any_object const& object) const {
    if (auto const fits = check_type(*type_, object); !fits) return fits.error();
    auto ns = detail::namespace_for(namespace_, object.metadata());
    if (!ns) return ns.error();
    return request::create(*type_->info, *ns, object.to_json());
}

result<http_request> any_api::replace_request(any_object const& object, bool status) const {
    if (auto const fits = check_type(*type_, object); !fits) return fits.error();
    auto ns = detail::namespace_for(namespace_, object.metadata());
    if (!ns) return ns.error();
    auto const verb = status ? &request::replace_status : &request::replace;
    return verb(*type_->info, *ns, object.metadata().name, object.to_json());
}

result<http_request> any_api::apply_request(any_object const& object, apply_options const& options) const {
    if (auto const fits = check_type(*type_, object); !fits) return fits.error();
    auto ns = detail::namespace_for(namespace_, object.metadata());
    if (!ns) return ns.error();
    return request::apply(*type_->info, *ns, object.metadata().name,
                          detail::applied_text(*type_, object.erased().get()), options);
}

void detail::start_wait(any_handler<void(error_code, any_object)> handler, any_api const& a, std::string name,
                        std::function<bool(any_object const&)> done, wait_options options) {
    auto const* type = &a.type();
    auto const none_or = [](object_type const& t, erased_object object) {
        return object ? any_object(t, std::move(object)) : any_object();
    };
    auto work = [none_or, kept = type->share()](auto then, error_code ec, erased_object object) {
        std::move(then)(ec, none_or(*kept, std::move(object)));
    };
    detail::then_complete<void(error_code, any_object), decltype(work)> then(std::move(handler), std::move(work));
    start_wait(
        any_handler<void(error_code, erased_object)>(std::move(then)), a.get_client(), a.get_namespace(),
        std::move(name), *type,
        [done = std::move(done), type](erased_object const& object) {
            return done(object ? any_object(*type, object) : any_object());
        },
        std::move(options));
}

} // namespace kftrain::kube
