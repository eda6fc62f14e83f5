#include "async/any_kind/cluster.hpp"

#include "async/any_kind/text.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/control/content_maker.hpp>
#include <kftrain/controllers/registry.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/types.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <set>

namespace any_kind {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::string_view other_owner = "somebody-else"; ///< a ConfigMap

/// Random texts that are the same in every run; only names are made of them.
class plain_contents final : public control::content_maker {
public:
    explicit plain_contents(std::size_t& made) : made_(&made) {}

    result<rules::key_texts> make(rules::ssh_key) override {
        rules::key_texts keys;
        keys.private_pem = "private\n";
        keys.public_line = "public\n";
        return keys;
    }
    result<std::string> make(rules::random_text const& wanted) override {
        auto digits = std::to_string(++*made_);
        std::size_t const room = wanted.length - chance_mark.size();
        if (digits.size() > room) digits.erase(0, digits.size() - room);
        return std::string(chance_mark) + std::string(room - digits.size(), '0') + digits;
    }

private:
    std::size_t* made_;
};

apiserver::api_server_options server_options(std::size_t& made, bool collect_garbage) {
    apiserver::api_server_options o;
    o.make_uid = [&made] { return uid_text(++made); };
    o.collect_garbage = collect_garbage;
    o.event_limit = 0;
    return o;
}

operator_options options_of(lines const& flags) {
    operator_options o;
    for (auto const& flag : flags) BOOST_REQUIRE(read_operator_flag(o, flag).has_value());
    return o;
}

} // namespace

std::vector<known_job> const& known_jobs() {
    static std::vector<known_job> const all = [] {
        std::set<std::filesystem::path> files;
        for (std::string const folder : {"/examples/manifests", "/test/bench/jobs", "/test/async/jobs"})
            for (auto const& file : std::filesystem::directory_iterator(KFTRAIN_SOURCE_DIR + folder))
                if (file.path().extension() == ".yaml") files.insert(file.path());
        std::vector<known_job> found;
        std::set<rules::job_rules const*> kinds;
        for (auto const& path : files) {
            std::ifstream in(path);
            auto read = parse_jobs(std::string(std::istreambuf_iterator<char>(in), {}));
            BOOST_REQUIRE_MESSAGE(read.has_value(), path.string() + ": " + read.error().to_string());
            for (auto& job : *read) {
                BOOST_REQUIRE_MESSAGE(job.resolve_from({}).has_value(), path.string());
                kinds.insert(&job.rules());
                found.push_back({path.filename().string() + ", " + job.resource().api_version() + " " +
                                     std::string(job.resource().kind),
                                 std::move(job)});
            }
        }
        for (auto const* rules : known_job_rules())
            BOOST_REQUIRE_MESSAGE(kinds.contains(rules), "no manifest of " << rules->primary().info->api_version()
                                                                           << " " << rules->primary().info->kind);
        return found;
    }();
    return all;
}

/// Operators that apply their children create them so.
bool may_create(kube::http_request const& r) {
    return r.method == "POST" || (r.method == "PATCH" && r.target.find("force=true") != std::string::npos);
}

operator_request::operator_request(kube::http_request const& r)
    : request(&r), writes(r.method != "GET"), creates(may_create(r)) {
    std::string_view path(r.target);
    path = path.substr(0, path.find('?'));
    constexpr std::string_view marker = "/namespaces/";
    auto const at = path.find(marker);
    if (at == path.npos) return;
    path.remove_prefix(at + marker.size());
    auto const next = [&] {
        auto const end = std::min(path.find('/'), path.size());
        std::string const word(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
        return word;
    };
    ns = next();
    plural = next();
    name = next();
    if (!creates || plural.empty()) return;
    auto const body = json::parse(r.body);
    auto const& meta = body.at("metadata").as_object();
    auto const* const given = meta.contains("name") ? meta.if_contains("name") : meta.if_contains("generateName");
    // Each try, and each job, may have another name by chance.
    if (given != nullptr) name = given->as_string();
    for (auto const mark : {chance_mark, uid_mark})
        name = with_replaced_numbers(name, mark, [&](auto const&) { return std::string(mark); });
}

/// The operators that run now.
struct cluster::part {
    part(cluster& w, judge by)
        : link(std::make_shared<test::faulty_transport>(w.server_.transport())),
          client(link, kube::client_options().with_max_connect_attempts(1)),
          informers(client) {
        link->judge = [&w, by = std::move(by)](kube::http_request const& r) -> std::optional<test::fault> {
            operator_request const a(r);
            if (a.writes) ++w.writes[a.ns];
            if (a.writes && a.plural != "events") ++w.steps[a.ns];
            return by ? by(a) : std::nullopt;
        };
        for (auto const* kind : known_job_rules()) {
            control::job_operator_options o;
            o.rules = w.operator_options_;
            o.informers = informers;
            o.contents = std::make_shared<plain_contents>(w.made_);
            o.events.pause = 1ms;
            o.controller.workers = 100;
            o.controller.retry.limit = 200ms;
            o.controller.logger = logger([&w](log_level, std::string_view, std::initializer_list<log_field> fields) {
                std::string text;
                for (auto const& f : fields) text.append(" ").append(f.second);
                w.logged.push_back(std::move(text));
            });
            operators.emplace_back(*kind, client, std::move(o)).async_run([](error_code) {});
        }
    }

    std::shared_ptr<test::faulty_transport> link;
    kube::client client;
    kube::shared_informers informers;
    std::list<control::any_job_operator> operators;
};

cluster::cluster(lines const& flags, bool collect_garbage)
    : operator_options_(options_of(flags)),
      server_(io_.get_executor(), server_options(made_, collect_garbage)),
      user_(server_.transport()) {
    for (auto const* kind : known_job_rules()) {
        auto const& rules = *rules_.emplace_back(kind->with(operator_options_));
        local::serve_kind(server_, rules, {}).value();
    }
    kube::shared_informers const shared(user_);
    for (auto const& group : {controllers::known_controllers(), controllers::known_gang_schedulers()})
        for (auto const& rules : group) {
            control::controller_operator_options o;
            o.informers = shared;
            o.controller.retry.limit = 200ms;
            o.controller.workers = 100;
            controllers_.emplace_back(rules, user_, std::move(o)).async_run([](error_code) {});
        }
}

cluster::~cluster() {
    stop_operators();
    controllers_.clear();
    run(20ms); // what was cancelled ends
}

void cluster::start_operators(judge by) { operators_ = std::make_unique<part>(*this, std::move(by)); }

void cluster::hold_watches(bool on) { operators_->link->hold_watches(on); }

void cluster::stop_operators() {
    if (!operators_) return;
    // Their operations continue for a while, without a caller.
    operators_->link->judge = [](kube::http_request const&) { return test::fault::error(errc::connection_lost); };
    operators_->link->hold_watches(false);
    auto const link = operators_->link; // its watches end before it does
    operators_.reset();
    run(10ms);
}

std::string cluster::call(result<kube::http_request> r) {
    diagnostics why;
    kube::call_options options;
    options.detail = &why;
    auto answer = kube::run_blocking<std::string>(
        io_.get_executor(), why, [&](auto h) { user_.async_call(std::move(r), options, std::move(h)); });
    BOOST_REQUIRE_MESSAGE(answer.has_value(), why.message);
    return *std::move(answer);
}

void cluster::submit(known_job const& known, std::string const& ns, std::string const& name) {
    auto const namespaces = server_.store().find("", "v1", "namespaces").value();
    if (!server_.store().get(namespaces, "", ns)) {
        core::namespace_ home;
        home.metadata.name = ns;
        server_.add_object(any_object(std::move(home))).value();
    }
    any_job job = known.job;
    job.metadata().namespace_ = ns;
    if (!name.empty()) job.metadata().name = name;
    call(kube::request::create(job.resource(), ns, job.to_json()));
}

void cluster::remove(known_job const& known, std::string const& ns, std::string const& name) {
    call(kube::request::remove(known.job.resource(), ns, name.empty() ? known.job.metadata().name : name, {}));
}

void cluster::put_rival(operator_request const& a, std::chrono::milliseconds time) {
    auto body = json::parse(a.request->body).as_object();
    auto const* const type =
        find_type(std::string(body.at("apiVersion").as_string()), std::string(body.at("kind").as_string()));
    BOOST_REQUIRE_MESSAGE(type != nullptr, a.child());
    auto& meta = body.at("metadata").as_object();
    if (!meta.contains("name")) return; // names of the server's are never taken
    meta["namespace"] = a.ns;
    meta["annotations"] = json::object{{std::string(rival_mark), "yes"}};
    meta["ownerReferences"] = json::array{json::object{{"apiVersion", "v1"},
                                                       {"kind", "ConfigMap"},
                                                       {"name", other_owner},
                                                       {"uid", owner_in(a.ns)},
                                                       {"controller", true}}};
    auto object = type->decode(json::serialize(body));
    BOOST_REQUIRE_MESSAGE(object.has_value(), a.child());
    server_.add_object(any_object(*type, *std::move(object))).value();
    auto const timer = std::make_shared<kube::detail::timer>(io_.get_executor(), time);
    timer->async_wait(
        [this, timer, info = type->info, ns = a.ns, name = std::string(meta.at("name").as_string())](error_code) {
            kube::delete_options whole; // the default of batch Jobs leaves their pods behind
            whole.propagation_policy = meta::deletion_propagation::background;
            user_.async_call(kube::request::remove(*info, ns, name, whole), [](error_code, std::string const&) {});
        });
}

/// The uid of a ConfigMap that owns the objects of no job.
std::string cluster::owner_in(std::string const& ns) {
    auto const maps = server_.store().find("", "v1", "configmaps").value();
    auto found = server_.store().get(maps, ns, other_owner);
    if (!found) {
        core::config_map owner;
        owner.metadata.name = other_owner;
        owner.metadata.namespace_ = ns;
        owner.metadata.annotations.emplace(rival_mark, "yes");
        server_.add_object(any_object(std::move(owner))).value();
        found = server_.store().get(maps, ns, other_owner);
    }
    return std::string(found.value()->uid());
}

void cluster::run(std::chrono::milliseconds t) { time_.advance(t); }

bool cluster::calm(std::chrono::milliseconds quiet, std::chrono::milliseconds limit) {
    auto const deadline = time_.now() + limit;
    for (auto before = server_.store().version() - 1; before != server_.store().version();) {
        if (time_.now() > deadline) return false;
        before = server_.store().version();
        run(quiet);
    }
    return true;
}

} // namespace any_kind
