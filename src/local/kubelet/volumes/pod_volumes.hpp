#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_POD_VOLUMES_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_POD_VOLUMES_HPP

#include "local/kubelet/kubelet_state.hpp"
#include "local/kubelet/volumes/machine_folders.hpp"
#include "local/kubelet/volumes/volume_files.hpp"

#include <functional>
#include <list>
#include <map>

namespace kftrain::local {

/** The volumes of one pod. Those of config maps and secrets follow their objects while the pod runs; those of several
    sources and of fields keep what they had when the pod started, until a token among them is replaced; empty ones have
    nothing at first. Claims and paths of the machine are directories that outlive the pod.
    @par Object lifetimes Refers to the kubelet. What it follows it follows until stop() or its destruction.
    @par Upstream kubernetes v1.31 `pkg/kubelet/volumemanager`, `pkg/volume/{configmap,secret,emptydir}` */
class pod_volumes : public std::enable_shared_from_this<pod_volumes> {
public:
    /// `trouble` is called with the text of an event of the reason FailedMount; `changed` when an object is added,
    /// modified or deleted.
    pod_volumes(kubelet::state& owner, std::function<void(std::string const&)> trouble, std::function<void()> changed);

    /** Makes the folders of all volumes of `p`, from what the API server has. Empty, or why that failed: the text of an
        event of the reason FailedMount. May be repeated. */
    asio::awaitable<std::string> set_up(pod const& p);

    /** Returns the mounts of a container with this environment.
        @par Errors `errc::invalid_argument`: the volume does not exist, `subPath` leads out of it, or a variable of
        `subPathExpr` is missing */
    result<std::vector<bind_mount>> mounts_of(pod const& p, core::container const& c,
                                              std::vector<std::string> const& env) const;

    /** Returns the message of an eviction: a volume on disk takes more than its `sizeLimit`; empty if none does.
        @par Upstream kubernetes v1.31 `pkg/kubelet/eviction/eviction_manager.go`, `emptyDirLimitEviction` */
    asio::awaitable<std::string> find_full_volume(pod p) const;

    void stop();

private:
    /// Makes `fsGroup` of the pod own the files, as far as this process may.
    void give_to_group(std::filesystem::path const& folder, bool read_only) const;

    /// A volume that shows an object.
    template <class Source, class Object> struct shown {
        shown(std::string v, Source s, std::filesystem::path f, kube::informer<Object> i)
            : volume(std::move(v)), source(std::move(s)), folder(std::move(f)), object(std::move(i)) {}

        std::string volume;
        Source source;
        std::filesystem::path folder;
        kube::informer<Object> object; ///< follows the one
        bool ready = false;            ///< set up once: from then on the informer writes
    };

    template <class Source, class Object>
    asio::awaitable<std::string> show(pod const& p, std::string const& volume, Source const& source,
                                      std::string const& name, std::list<shown<Source, Object>>& list);
    template <class Source, class Object>
    void follow(pod const& p, std::string const& volume, Source const& source, std::string const& name,
                std::list<shown<Source, Object>>& list);
    asio::awaitable<std::string> project(pod const& p, core::volume const& v);
    /// Does so after a pause, because a token has to be replaced.
    void project_again(pod const& p, core::volume const& v, std::chrono::seconds pause);
    result<real_path> open_volume(pod const& p, core::volume const& v) const;
    asio::awaitable<std::string> claim(pod const& p, core::volume const& v);
    /// Binds a claim to a PersistentVolume, if one suits it. Nothing, or why the volume of the pod cannot be used.
    asio::awaitable<std::string> bind_claim(std::string const& volume, core::persistent_volume_claim claim);
    std::string write(std::filesystem::path const& folder, result<std::vector<volume_file>> const& files) const;

    kubelet::state& owner_;
    std::function<void(std::string const&)> trouble_;
    std::function<void()> changed_;
    std::optional<std::int64_t> group_; ///< `fsGroup`
    std::list<shown<core::config_map_volume_source, core::config_map>> config_maps_;
    std::list<shown<core::secret_volume_source, core::secret>> secrets_;
    std::map<std::string, asio::steady_timer> renewals_;              ///< of tokens, by volume
    std::map<std::string, std::filesystem::path> elsewhere_;          ///< directories of claims, by volume
    std::map<std::string, core::host_path_volume_source> host_paths_; ///< those of bound claims, by volume
};

} // namespace kftrain::local

#endif
