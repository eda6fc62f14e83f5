#include <kftrain/kube/wait.hpp>

#include "kube/async/operation.hpp"
#include "kube/watch/list_watch.hpp"

namespace kftrain::kube::detail {
namespace {

/// Errors that waiting longer does not mend.
bool is_final(error_code ec) {
    return ec == make_error_code(reason::unauthorized) || ec == make_error_code(reason::forbidden) ||
           ec == make_error_code(reason::bad_request) || is_not_found(ec) ||
           ec == make_error_code(errc::invalid_argument) ||
           ec == make_error_code(errc::helper_failed); // a cluster in this process broke: none comes in its place
}

class wait_sink final : public collection_sink {
public:
    wait_sink(client const& c, object_type const& type, std::string subject, erased_predicate done,
              wait_options options, undecodable_handling undecodable)
        : client_(c),
          type_(type),
          kept_(type.share()),
          subject_(std::move(subject)),
          done_(std::move(done)),
          options_(std::move(options)),
          undecodable_(undecodable),
          existed_(!options_.uid.empty()) {}

    void replace(std::vector<erased_object> objects, std::vector<undecodable_object> const& undecodable) override {
        if (!undecodable.empty()) return look(undecodable.front());
        look(objects.empty() ? nullptr : std::move(objects.front()));
    }
    void apply(change_kind kind, erased_object object) override {
        look(kind == change_kind::deleted ? nullptr : std::move(object));
    }
    void apply_undecodable(change_kind kind, undecodable_object const& object) override {
        if (kind == change_kind::deleted)
            look(nullptr);
        else
            look(object);
    }
    void failed(std::string_view step, error_code ec, call_report const& report) override {
        if (is_final(ec)) give_up(ec, report.detail);
        *last_failure_ = failure(ec, report.detail).to_string();
        client_.options().logger(log_level::info, "wait failed, retrying",
                                 {{"object", subject_}, {"step", std::string(step)}, {"error", *last_failure_}});
    }
    bool finished() const noexcept override { return finished_; }

    erased_object take() { return std::move(result_); }
    /// The last failure of reading the object since it was seen last; empty if there was none.
    std::shared_ptr<std::string const> last_failure() const { return last_failure_; }

private:
    void look(erased_object object) {
        if (finished_) return;
        last_failure_->clear();
        bool const another = object && !options_.uid.empty() && type_.metadata(object.get()).uid != options_.uid;
        if (another) object.reset();
        if (done_(object)) {
            finished_ = true;
            result_ = std::move(object);
            return;
        }
        if (!object && existed_) {
            diagnostics d;
            d.message = subject_ + (another ? " was replaced by another object of the same name" : " was deleted");
            give_up(errc::deleted, d);
        }
        existed_ = existed_ || object;
    }
    void look(undecodable_object const& object) {
        if (undecodable_ == undecodable_handling::use_metadata) return look(object.bare_object(type_));
        auto const why = object.named();
        give_up(why.code, why.detail);
    }
    [[noreturn]] void give_up(error_code ec, diagnostics const& why) {
        if (options_.detail != nullptr) *options_.detail = why;
        fail(ec);
    }

    client const& client_;
    object_type const& type_;
    std::shared_ptr<object_type const> kept_; ///< the type
    std::string subject_;
    erased_predicate done_;
    wait_options options_;
    undecodable_handling undecodable_;
    erased_object result_;
    std::shared_ptr<std::string> last_failure_ = std::make_shared<std::string>();
    bool existed_;
    bool finished_ = false;
};

struct wait_state {
    wait_state(client c, std::string ns, std::string const& name, object_type const& type, erased_predicate done,
               wait_options options, undecodable_handling undecodable)
        : link(std::move(c)),
          sink(link, type, std::string(type.info->kind) + " " + (ns.empty() ? name : ns + "/" + name), std::move(done),
               std::move(options), undecodable),
          loop(link, followed_collection(type, std::move(ns)), only(name), sink) {}

    static reflector::options only(std::string const& name) {
        reflector::options o;
        o.field_selector = "metadata.name=" + name;
        return o;
    }

    client link;
    wait_sink sink;
    list_watch loop;
};

asio::awaitable<erased_object> wait_body(std::shared_ptr<wait_state> s) {
    co_await s->loop.run();
    co_return s->sink.take();
}

asio::awaitable<erased_object> refuse(error_code ec) {
    fail(ec);
    co_return nullptr;
}

} // namespace

void start_wait(any_handler<void(error_code, erased_object)> handler, client const& c, std::string ns, std::string name,
                object_type const& type, erased_predicate done, wait_options options,
                undecodable_handling undecodable) {
    auto const executor = c.get_executor();
    if (options.detail != nullptr) *options.detail = diagnostics();
    // The name goes into a selector, so the rules for names are checked as if it went into a path.
    if (auto checked = request::get(*type.info, ns, name); !checked) {
        if (options.detail != nullptr) *options.detail = checked.error().detail;
        spawn(executor, refuse(checked.error().code), deadline(), std::move(handler));
        return;
    }
    deadline limit(options.timeout, options.detail, "wait for " + std::string(type.info->kind) + " " + name);
    auto s =
        std::make_shared<wait_state>(c, std::move(ns), name, type, std::move(done), std::move(options), undecodable);
    limit.last_failure = s->sink.last_failure();
    spawn(executor, wait_body(std::move(s)), std::move(limit), std::move(handler));
}

} // namespace kftrain::kube::detail
