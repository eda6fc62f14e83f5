#ifndef KFTRAIN_SRC_KUBE_WATCH_INFORMER_CORE_HPP
#define KFTRAIN_SRC_KUBE_WATCH_INFORMER_CORE_HPP

#include "kube/lists/misfit.hpp"
#include "kube/watch/followed_collection.hpp"

#include <kftrain/kube/any_informer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/// The part of any_informer that its operations share: an informer of its own, or a view of a shared one.
struct informer_core : std::enable_shared_from_this<informer_core> {
    informer_core() = default;
    informer_core(informer_core const&) = delete;
    informer_core& operator=(informer_core const&) = delete;
    virtual ~informer_core() = default;

    virtual void run(any_handler<void(error_code)> handler) = 0;
    virtual void wait_for_sync(sync_options options, any_handler<void(error_code)> handler) = 0;
    virtual void add_handler(std::function<void(any_event const&)> handler) = 0;
    /// `handler` is called with what is repaired inside, each time, until close(); it must not throw.
    virtual void on_failure(std::function<void(error_code, diagnostics const&)> handler) = 0;
    /// Calls `handler` with each object that does not fit the type, once for each version, until close(). It must not
    /// throw.
    virtual void on_misfit(std::function<void(misfit const&)> handler) = 0;
    /// The current objects, by namespace and name.
    virtual std::vector<misfit> misfits() const = 0;
    virtual any_object find(std::string_view ns, std::string_view name) const = 0;
    virtual std::vector<any_object> all() const = 0;
    virtual bool has_synced() const noexcept = 0;
    virtual std::string const& last_resource_version() const noexcept = 0;
    /// The last failure of reading since something was read; empty if there was none. Changes as reading goes on.
    virtual std::shared_ptr<std::string const> last_failure() const noexcept = 0;
    virtual void close() = 0;
};

std::shared_ptr<informer_core> make_informer(client const& c, followed_collection what, informer_options options);
/// One that is shared by those who follow the same through `shared`; as make_informer() if that is empty.
std::shared_ptr<informer_core> follow(shared_informers const& shared, client const& c, std::string ns,
                                      object_type const& type, informer_options options);

} // namespace kftrain::kube::detail

#endif
