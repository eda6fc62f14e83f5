#include "facade/change_job.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>

namespace kftrain {
namespace {

namespace request = kube::request;

constexpr int most_changes = 5;

/// The request that carries an action out; of the actions there are those by which jobs are scaled and suspended.
struct request_of {
    using made = result<kube::http_request>;

    made operator()(rules::patch const& p) const {
        auto const send = p.part == rules::subresource::status ? &request::patch_status : &request::patch;
        return send(*p.of.type, p.of.namespace_, p.of.name, kube::patch_body(p.type, p.text));
    }
    made operator()(rules::create const& c) const {
        return request::create(c.object.resource(), c.object.metadata().namespace_, c.object.to_json());
    }
    made operator()(rules::scale const& s) const {
        return request::patch_scale(
            *s.of.type, s.of.namespace_, s.of.name,
            kube::patch_body(patch_type::merge, "{\"spec\":{\"replicas\":" + std::to_string(s.replicas) + "}}"));
    }
    template <class Other> made operator()(Other const&) const {
        failure f;
        f.code = errc::invalid_argument;
        f.detail.message = "the rules of the kind ask for what no client carries out";
        return f;
    }
};

/// Whether the answer to it is the job.
bool changes(rules::action const& a, any_job const& job) {
    auto const* const p = std::get_if<rules::patch>(&a);
    return p != nullptr && p->of.type == &job.resource() && p->of.name == job.metadata().name;
}

failure unreadable(failure f, std::string_view what) {
    f.detail.message.insert(0, what);
    return f;
}

class job_writer : public std::enable_shared_from_this<job_writer> {
public:
    job_writer(kube::client c, job_reference j, decide_change d, kube::call_options o)
        : client_(std::move(c)), job_(std::move(j)), decide_(std::move(d)), options_(std::move(o)) {}

    void read(job_handler handler) {
        kube::any_handler<void(error_code, std::string)> then = kube::detail::then_complete(
            std::move(handler), [self = shared_from_this()](job_handler h, error_code ec, std::string const& body) {
                self->was_read(std::move(h), ec, body);
            });
        client_.start(std::move(then), request::get(*job_.kind->primary().info, job_.namespace_, job_.name), options_);
    }

private:
    void was_read(job_handler handler, error_code ec, std::string const& body) {
        if (ec) return std::move(handler)(ec, any_job());
        any_job now(*job_.kind);
        if (auto const r = now.read_json(body); !r)
            return fail(std::move(handler), unreadable(r.error(), "the server's answer cannot be read: "));
        if (!job_.uid.empty() && now.metadata().uid != job_.uid) {
            failure gone(errc::deleted, {});
            gone.detail.message = "another job of this name took its place";
            return fail(std::move(handler), gone);
        }
        auto const action = decide_(now);
        if (!action) return fail(std::move(handler), action.error());
        auto r = std::visit(request_of(), *action);
        if (!r) return fail(std::move(handler), r.error());
        bool const of_job = changes(*action, now);
        kube::any_handler<void(error_code, std::string)> then = kube::detail::then_complete(
            std::move(handler), [self = shared_from_this(), of_job, now = std::move(now)](
                                    job_handler h, error_code written, std::string const& text) mutable {
                self->was_written(std::move(h), written, of_job ? text : now.to_json());
            });
        client_.start(std::move(then), std::move(r), options_);
    }

    void was_written(job_handler handler, error_code ec, std::string const& body) {
        if (ec == reason::conflict && ++attempts_ < most_changes) return read(std::move(handler));
        if (ec) return std::move(handler)(ec, any_job());
        any_job now(*job_.kind);
        if (auto const r = now.read_json(body); !r)
            return fail(std::move(handler),
                        unreadable(r.error(), "the change was made, but its answer cannot be read: "));
        std::move(handler)(error_code(), std::move(now));
    }

    void fail(job_handler handler, failure const& f) {
        if (options_.detail != nullptr) *options_.detail = f.detail;
        std::move(handler)(f.code, any_job());
    }

    kube::client client_;
    job_reference job_;
    decide_change decide_;
    kube::call_options options_;
    int attempts_ = 0;
};

} // namespace

void change_job(job_handler handler, kube::client client, job_reference job, decide_change decide,
                kube::call_options options) {
    std::make_shared<job_writer>(std::move(client), std::move(job), std::move(decide), std::move(options))
        ->read(std::move(handler));
}

} // namespace kftrain
