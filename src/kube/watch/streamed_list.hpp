#ifndef KFTRAIN_SRC_KUBE_WATCH_STREAMED_LIST_HPP
#define KFTRAIN_SRC_KUBE_WATCH_STREAMED_LIST_HPP

#include "kube/watch/watch_decoder.hpp"

#include <kftrain/model/object_type.hpp>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/** Whether a bookmark ends the part of a watch with all that was there when it began.
    @par Upstream apimachinery `pkg/apis/meta/v1/types.go`, `InitialEventsAnnotationKey` */
bool ends_initial_list(object_meta const& bookmark);

/// The list that a watch begins with, as far as it has come.
class streamed_list {
public:
    using clock = std::chrono::steady_clock;

    /// Forgets what has come, and waits for a list again.
    void begin(clock::time_point now);
    /// Whether a list is under way.
    bool going() const noexcept { return going_; }
    /// The time of the last progress of the list: its start, or an existing object.
    clock::time_point last_sign() const noexcept { return last_sign_; }

    void take(change_kind kind, object_meta const& of, erased_object object, clock::time_point now);
    /// The whole list, by namespace and name, which is over then.
    std::vector<erased_object> finish();
    void drop();

private:
    std::map<std::pair<std::string, std::string>, erased_object> objects_;
    clock::time_point last_sign_;
    bool going_ = false;
};

} // namespace kftrain::kube::detail

#endif
