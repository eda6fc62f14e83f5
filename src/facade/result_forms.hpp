#ifndef KFTRAIN_SRC_FACADE_RESULT_FORMS_HPP
#define KFTRAIN_SRC_FACADE_RESULT_FORMS_HPP

#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/model/scalars.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the results of training_client look like as JSON. What is to be written though it is 0 or false is optional.
namespace kftrain {
namespace forms {

using number = std::optional<std::int64_t>;

struct role {
    std::string role;
    number wanted, pending, running, ready, succeeded, failed;
};
BOOST_DESCRIBE_STRUCT(role, (), (role, wanted, pending, running, ready, succeeded, failed))

struct rank {
    std::string role;
    number index, rank;
    std::string pod, phase;
    number restarts;
    std::string reason, message, node;
    number exit_code;
};
BOOST_DESCRIBE_STRUCT(rank, (), (role, index, rank, pod, phase, restarts, reason, message, node, exit_code))

struct state {
    std::string change; ///< of a job_change alone
    std::string api_version, kind, namespace_, name, uid, resource_version;
    std::string phase, reason, message;
    bool suspended = false;
    bool deleting = false;
    std::optional<time_point> created, started, finished;
    number restarts;
    std::vector<role> roles;
    std::vector<rank> ranks;
};
BOOST_DESCRIBE_STRUCT(state, (),
                      (change, api_version, kind, namespace_, name, uid, resource_version, phase, reason, message,
                       suspended, deleting, created, started, finished, restarts, roles, ranks))

struct line {
    std::string pod, role;
    number index, rank;
    std::string container;
    number run;
    std::string time, text;
};
BOOST_DESCRIBE_STRUCT(line, (), (pod, role, index, rank, container, run, time, text))

struct event {
    std::optional<time_point> first, last;
    number count;
    std::string type, reason, message, source, object_kind, object_name;
};
BOOST_DESCRIBE_STRUCT(event, (), (first, last, count, type, reason, message, source, object_kind, object_name))

struct events {
    raw_json items; ///< a list, also of nothing
    std::int64_t left_out = 0;
};
BOOST_DESCRIBE_STRUCT(events, (), (items, left_out))

struct member {
    std::string role;
    number index, rank;
    std::string pod;
};
BOOST_DESCRIBE_STRUCT(member, (), (role, index, rank, pod))

struct cause {
    std::string kind, summary;
    std::vector<member> members;
    std::int64_t affected = 0;
    std::string container;
    number code;
    std::string signal;
    std::vector<std::string> evidence, log;
    std::string advice;
};
BOOST_DESCRIBE_STRUCT(cause, (), (kind, summary, members, affected, container, code, signal, evidence, log, advice))

struct explained {
    state job;
    std::vector<cause> causes;
    std::vector<std::string> missing;
};
BOOST_DESCRIBE_STRUCT(explained, (), (job, causes, missing))

struct changed_field {
    std::string path;
    std::optional<raw_json> before, after;
    std::string effect, why;
};
BOOST_DESCRIBE_STRUCT(changed_field, (), (path, before, after, effect, why))

struct changed_object {
    std::string verb, kind, name;
};
BOOST_DESCRIBE_STRUCT(changed_object, (), (verb, kind, name))

struct violated_rule {
    std::string rule, path, message;
};
BOOST_DESCRIBE_STRUCT(violated_rule, (), (rule, path, message))

struct planned {
    std::optional<bool> exists;
    std::string effect;
    std::vector<changed_field> fields;
    std::vector<changed_object> objects;
    std::vector<violated_rule> refusals;
};
BOOST_DESCRIBE_STRUCT(planned, (), (exists, effect, fields, objects, refusals))

struct check {
    std::string name, verdict, message;
};
BOOST_DESCRIBE_STRUCT(check, (), (name, verdict, message))

struct checked {
    std::optional<bool> passed;
    std::vector<check> checks;
    std::vector<std::string> served_versions;
    std::string missing_rules;
};
BOOST_DESCRIBE_STRUCT(checked, (), (passed, checks, served_versions, missing_rules))

struct jobs {
    raw_json items; ///< a list, also of nothing
    std::string continue_;
    std::vector<std::string> unread;
    std::int64_t unread_jobs = 0;
};
BOOST_DESCRIBE_STRUCT(jobs, (), (items, continue_, unread, unread_jobs))

} // namespace forms
} // namespace kftrain

#endif
