#include <kftrain/kube/any_informer.hpp>

#include "kube/watch/informer_core.hpp"

#include <kftrain/kube/metadata.hpp>
#include <kftrain/kube/shared_informers.hpp>

namespace kftrain::kube {

any_informer::any_informer(any_api const& a, informer_options options)
    : executor_(a.get_executor()),
      type_(a.type().share()),
      core_(detail::make_informer(a.get_client(), detail::followed_collection(*type_, a.get_namespace()),
                                  std::move(options))) {}

any_informer::any_informer(metadata_api const& a, informer_options options)
    : executor_(a.get_executor()),
      type_(object_type_of<object_metadata>.share()),
      core_(detail::make_informer(a.get_client(), detail::followed_collection(a.type(), a.get_namespace(), *type_),
                                  std::move(options))) {}

any_informer::any_informer(any_api const& a, shared_informers const& shared, informer_options options)
    : executor_(a.get_executor()),
      type_(a.type().share()),
      core_(detail::follow(shared, a.get_client(), a.get_namespace(), *type_, std::move(options))) {}

any_informer& any_informer::operator=(any_informer&& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(type_, other.type_);
    std::swap(core_, other.core_);
    return *this;
}

any_informer::~any_informer() {
    if (core_) core_->close();
}

void any_informer::on_event(handler h) { core_->add_handler(std::move(h)); }
any_object any_informer::find(std::string_view ns, std::string_view name) const { return core_->find(ns, name); }
std::vector<any_object> any_informer::list() const { return core_->all(); }
bool any_informer::has_synced() const noexcept { return core_->has_synced(); }
std::string const& any_informer::last_resource_version() const noexcept { return core_->last_resource_version(); }
void any_informer::close() { core_->close(); }

void any_informer::wait_for_sync(detail::informer_core& core, any_handler<void(error_code)> handler,
                                 sync_options options) {
    core.wait_for_sync(options, std::move(handler));
}
void any_informer::run(detail::informer_core& core, any_handler<void(error_code)> handler) {
    core.run(std::move(handler));
}

} // namespace kftrain::kube
