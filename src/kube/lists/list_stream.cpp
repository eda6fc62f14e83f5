#include "kube/watch/list_watch.hpp"

namespace kftrain::kube::detail {
namespace {

std::string name_of_collection(resource_info const& i) { return i.api_version().append("/").append(i.plural); }

} // namespace

bool list_watch::knows_no_streams() const {
    auto const& found = state_of(client_).unstreamed;
    auto const it = found.find(name_of_collection(what_.info()));
    return it != found.end() && time_of(client_).now() < it->second;
}

/// For all who follow objects of this type through this client: each try costs a request, or `streaming_patience`.
void list_watch::remember_no_streams() {
    constexpr std::chrono::minutes meanwhile(10);
    state_of(client_).unstreamed[name_of_collection(what_.info())] = time_of(client_).now() + meanwhile;
}

/// How long a streaming list may pause before it is complete.
std::chrono::milliseconds list_watch::first_limit() const {
    return streamed_.going() && patience_.count() > 0 ? patience_ : idle_limit_;
}

/// Nothing came for long that only a list which is under way brings.
bool list_watch::is_overdue() const {
    return streamed_.going() && time_of(client_).now() - streamed_.last_sign() >= first_limit();
}

list_watch::input list_watch::overdue() {
    end_watch();
    return reflector_input::not_streamed();
}

/// What a list of pages begins with that takes the place of a streaming one.
void list_watch::report_no_streams() {
    call_report report;
    report.detail.message = "the server does not support streaming lists of " + std::string(what_.info().plural) +
                            "; the client reads pages instead";
    sink_.failed("streaming list", errc::not_supported, report);
}

/// The same watch goes on behind the list.
void list_watch::finish_stream(std::string const& version) {
    items_ = streamed_.finish();
    guard_->reached(version);
    guard_->opened(idle_limit_);
}

/// An object that did not change stays the one that is shared already: the list takes no memory for it.
void list_watch::share_known(std::size_t from) {
    for (auto i = from; i != items_.size(); ++i) items_[i] = sink_.known(std::move(items_[i]));
}

} // namespace kftrain::kube::detail
