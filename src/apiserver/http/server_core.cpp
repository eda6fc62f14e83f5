#include "apiserver/http/server_core.hpp"

#include "apiserver/access/policy_rules.hpp"
#include "apiserver/checks/builtin_checks.hpp"
#include "apiserver/definitions/crd.hpp"
#include "base/make_failure.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <random>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kftrain::apiserver {
namespace {

/// Random UUIDs of version 4. Reads random bits of the system once: that costs more than the rest of naming an object.
class uuid_source {
public:
    uuid_source() {
        std::random_device system;
        std::array<std::uint32_t, 8> bits{};
        std::ranges::generate(bits, std::ref(system));
        std::seed_seq seed(bits.begin(), bits.end());
        random_.seed(seed);
    }

    std::string operator()() {
        std::string out;
        std::array<std::uint64_t, 2> words{random_(), random_()};
        words[0] = (words[0] & 0xffffffffffff0fffu) | 0x4000u;             // version 4
        words[1] = (words[1] & 0x3fffffffffffffffu) | 0x8000000000000000u; // variant 1
        for (int i = 0; i < 32; ++i) {
            if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
            out += "0123456789abcdef"[words[static_cast<std::size_t>(i / 16)] >> (60 - 4 * (i % 16)) & 15];
        }
        return out;
    }

private:
    std::mt19937_64 random_;
};

time_point system_time() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

object_store_options store_options(api_server_options const& o, std::unique_ptr<journal> const& kept) {
    object_store_options out;
    out.make_uid = o.make_uid ? o.make_uid : uuid_source();
    out.watch_log_limit = o.watch_log_limit;
    out.watch_log_bytes = o.watch_log_bytes;
    out.object_limit = o.object_limit;
    out.storage_limit = o.storage_limit;
    out.event_ttl = o.event_ttl;
    out.event_limit = o.event_limit;
    out.check_namespaces = true;
    out.definition_limit = o.definition_limit;
    out.on_change = [&kept](store_change const& c) {
        if (kept) kept->append(c);
    };
    return out;
}

} // namespace

server_core::server_core(asio::any_io_executor executor, api_server_options options)
    : executor_(std::move(executor)),
      completion_executor_(executor_),
      options_(std::move(options)),
      store_(store_options(options_, journal_)),
      handler_(store_, options_.body_limit) {
    for (auto& d : builtin_resources()) store_.add(std::move(d));
    store_.add(crd_resource());
    for (auto const* name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
        json::object meta, ns;
        meta["name"] = name;
        ns["metadata"] = std::move(meta);
        (void)store_.create(*store_.find("", "v1", "namespaces"), "", ns, now());
    }
    add_default_roles(store_, now());
    notified_ = store_.version();
}

time_point server_core::now() const { return options_.clock ? options_.clock() : system_time(); }

result<void> server_core::keep_in(std::string const& directory) {
    auto opened = journal::open(directory);
    if (!opened) return opened.error();
    auto const& j = **opened;
    if (auto ok = store_.restore(j.objects(), j.version(), now()); !ok)
        return make_failure(errc::invalid_argument, directory + ": " + ok.error().message);
    auto const each = [this](auto const& take) { store_.snapshot(take); };
    if (auto ok = (*opened)->rewrite(each, store_.version()); !ok) return ok;
    journal_ = std::move(*opened);
    after_write();
    return {};
}

result<void> server_core::keep() {
    if (!journal_) return {};
    auto kept = journal_->flush();
    if (kept && journal_->has_grown()) {
        // If there is no space for a second file, the present one goes on.
        [[maybe_unused]] auto const rewritten =
            journal_->rewrite([this](auto const& take) { store_.snapshot(take); }, store_.version());
        kept = journal_->flush();
    }
    if (!kept && !std::exchange(lost_, true) && options_.on_lost_directory) options_.on_lost_directory(kept.error());
    return kept;
}

void server_core::expire() {
    store_.expire(now());
    [[maybe_unused]] auto const reported = keep();
    after_write();
}

reply server_core::serve(kube::http_request const& request, user_info const* user) {
    store_.expire(now());
    auto out = handler_.handle(request, now(), user);
    if (auto const kept = keep(); !kept)
        out = make_reply(refusal(500, reason::internal_error, "Internal error occurred: " + kept.error().to_string()));
    after_write();
    return out;
}

/// Watches are notified once per turn, however many writes it had.
void server_core::after_write() {
    if (settling_ || (store_.version() == notified_ && !(options_.collect_garbage && store_.has_garbage()))) return;
    settling_ = true;
    asio::post(executor_, [self = shared_from_this()] { self->settle(); });
}

void server_core::settle() {
    settling_ = false;
    if (options_.collect_garbage) store_.collect_garbage(now());
    [[maybe_unused]] auto const reported = keep();
    auto const before = std::exchange(notified_, store_.version());
    if (before == notified_) return;
    std::vector<std::weak_ptr<watcher>> due; // completing one may destroy another
    for (auto* w : watches_) {
        w->drop_if_passed();
        if (store_.version(w->kind()) > before) due.push_back(w->weak());
    }
    for (auto const& w : due)
        if (auto const state = w.lock()) state->poke();
    give_back_memory();
}

void server_core::give_back_memory() {
    constexpr std::size_t worth_asking = std::size_t{16} << 20U;
    auto const used = store_.usage();
    auto const bytes = used.object_bytes + used.log_bytes;
    most_bytes_ = std::max(most_bytes_, bytes);
    if (most_bytes_ - bytes < worth_asking) return;
    most_bytes_ = bytes;
#ifdef __GLIBC__
    malloc_trim(0); // does so only on request
#endif
}

asio::awaitable<void> server_core::run_session(std::shared_ptr<server_core> self,
                                               std::shared_ptr<remote_session> session) {
    auto const place = self->sessions_.insert(self->sessions_.end(), session);
    if (self->closed()) session->stop();
    co_await session->run();
    self->sessions_.erase(place);
}

void server_core::close(error_code why) {
    if (!closed_) closed_ = why;
    std::vector<std::weak_ptr<watcher>> all;
    for (auto* w : watches_) all.push_back(w->weak());
    for (auto const& w : all)
        if (auto const state = w.lock()) state->stop(errc::connection_lost);
    for (auto const& weak : sessions_)
        if (auto const session = weak.lock()) session->stop();
    handler_.set_log_source(nullptr);
    handler_.set_exec_source(nullptr);
    // Clients may keep this server; its directory is free from now on.
    if (journal_) {
        [[maybe_unused]] auto const last = journal_->flush();
        journal_.reset();
    }
}

} // namespace kftrain::apiserver
