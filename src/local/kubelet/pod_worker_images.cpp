#include "base/make_failure.hpp"
#include "local/kubelet/containers/container_security.hpp"
#include "local/kubelet/pod_worker.hpp"
#include "local/kubelet/volumes/pod_files.hpp"
#include "local/sandbox/mounts/remove_tree.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <filesystem>

namespace kftrain::local {
namespace {

constexpr std::string_view pull_failed = "ErrImagePull";
/// How long ErrImagePull is reported before ImagePullBackOff.
constexpr std::chrono::milliseconds first_report{1000};

asio::awaitable<void> fetch(std::shared_ptr<image_store> images, image_source source,
                            std::shared_ptr<std::optional<result<ready_image>>> found) {
    try {
        result<ready_image> image = co_await images->get(std::move(source));
        found->emplace(std::move(image));
    } catch (std::exception const& e) {
        found->emplace(make_failure(errc::helper_failed, e.what()));
    }
}

} // namespace

asio::awaitable<result<ready_image>> pod_worker::pull(core::container const& spec) {
    auto const source = source_of_image(spec.image, owner_.options);
    if (!source) co_return source.error();
    // A pod may leave meanwhile. The image is then there for the next one.
    auto const found = std::make_shared<std::optional<result<ready_image>>>();
    asio::co_spawn(owner_.client.get_executor(), fetch(owner_.images, *source, found),
                   [weak = weak_from_this()](std::exception_ptr) {
                       if (auto const self = weak.lock()) self->wake();
                   });
    while (!*found && !leaving() && !owner_.stopping) co_await sleep(std::chrono::hours(1));
    if (!*found) co_return make_failure(errc::ended, "the pod is ending");
    co_return std::move(**found);
}

/// @par Upstream kubernetes v1.32 `pkg/kubelet/images/image_manager.go`, `EnsureImageExists`
pod_worker::attempt pod_worker::not_pulled(core::container const& spec, container_record& record,
                                           std::string const& why) {
    warn("Failed", "Failed to pull image \"" + spec.image + "\": " + why, &spec);
    warn("Failed", "Error: " + std::string(pull_failed), &spec);
    record.state = core::container_state();
    auto& waiting = record.state.waiting.emplace();
    waiting.reason = pull_failed;
    waiting.message = why;
    return attempt::not_created;
}

asio::awaitable<void> pod_worker::back_off_pull(core::container const& spec, container_record& record,
                                                std::chrono::milliseconds delay) {
    auto const& waiting = record.state.waiting;
    if (!waiting || waiting->reason != pull_failed || delay < first_report) {
        co_await rest(delay);
        co_return;
    }
    co_await rest(first_report);
    if (leaving()) co_return;
    auto const text = "Back-off pulling image \"" + spec.image + "\"";
    note("Normal", "BackOff", text, &spec);
    warn("Failed", "Error: ImagePullBackOff", &spec);
    auto why = text + ": " + std::string(pull_failed) + ": " + waiting->message;
    record.state.waiting->reason = "ImagePullBackOff";
    record.state.waiting->message = std::move(why);
    co_await publish();
    co_await rest(delay - first_report);
}

std::string pod_worker::give_root(core::container const& spec, container_process& process,
                                  ready_image const& image) const {
    if (image.root.empty()) return {};
    auto const layer = layer_folder(owner_.options.directory, pod_, process.container);
    std::error_code failed;
    std::filesystem::create_directories(layer, failed);
    if (failed) return "cannot create the directory " + layer.string() + ": " + failed.message();
    auto& root = process.root.emplace();
    root.lower = image.root;
    root.layer = layer.string();
    root.read_only = has_read_only_root(spec);
    return {};
}

void pod_worker::remove_layer(container_process const& process) const {
    if (process.root) sandbox::remove_tree(process.root->layer);
}

} // namespace kftrain::local
