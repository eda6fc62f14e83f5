#include "kube/watch/list_watch.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <compare>

namespace kftrain::kube::detail {

result<meta::list_meta> list_watch::decode_page(std::string_view text) {
    auto const before = items_.size();
    auto const misfits_before = misfits_.size();
    auto page = what_.decode_page(text, items_, misfits_);
    if (!page) return page;
    for (auto i = before; i != items_.size(); ++i) {
        auto const& m = type_.metadata(items_[i].get());
        if (auto fits = place_.check_listed(m.namespace_, m.name); !fits) return fits.error();
    }
    for (auto i = misfits_before; i != misfits_.size(); ++i) {
        hide_secrets(misfits_[i]);
        if (!misfits_[i].name.empty() && !place_.selects(misfits_[i].name))
            return place_.check_listed(misfits_[i].namespace_, misfits_[i].name).error();
    }
    share_known(before);
    return page;
}

list_watch::input list_watch::undecoded(diagnostics why, error_code ec) {
    call_report report;
    report.detail = std::move(why);
    return failed("watch", ec, std::move(report));
}

void list_watch::hide_secrets(misfit& m) const { m.why.detail = client_.redact(std::move(m.why.detail)); }

/// An event with an object that does not fit. The watch has reached the version of that object nevertheless.
std::optional<list_watch::input> list_watch::take_misfit(watch_event const& event, failure why) {
    if (!event.change) return undecoded(std::move(why.detail), errc::protocol);
    auto m = what_.misfit_of(event.object, std::move(why));
    hide_secrets(m);
    if (!m.name.empty()) {
        if (auto const fits = place_.check(m.namespace_, m.name); !fits)
            return undecoded(fits.error().detail, fits.error().code);
        if (!place_.selects(m.name)) return {};
    }
    if (streamed_.going()) {
        if (event.change != change_kind::deleted) misfits_.push_back(std::move(m));
        return {};
    }
    sink_.apply_misfit(*event.change, m);
    if (compare_resource_versions(m.resource_version, machine_.resource_version()) != std::partial_ordering::greater)
        return {};
    return reflector_input::event(std::nullopt, m.resource_version);
}

} // namespace kftrain::kube::detail
