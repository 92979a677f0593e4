# Short recipes; `just` lists them.

default:
    @just --list

# What CI runs.
ci:
    .ci/run

# The tests of the README.
test:
    cargo test

# The real agent CLIs, installed from npm and run against model servers of our own; words choose cases or CLIs.
real-clis *words:
    tests/real-clis/run {{words}}

# The properties, with many more cases than every day.
properties cases="100000":
    PROPTEST_CASES={{cases}} cargo test --release --test it -- envelope::any_text language::

# Kill agentd at many points of a change in each flow, as `kill -9` does; it must reach the same end each time.
crash kills="200":
    .ci/crash {{kills}}

# Have every write, sync and rename of every flow fail: `error`, `full` (as on a full disk) or `kill`.
faults fault="":
    .ci/faults {{fault}}

# Much of everything, with a table of times, growth and memory.
load:
    AGENTD_LOAD=full cargo test --test it -- --nocapture --test-threads 1 load::

# The figures of docs/PERFORMANCE.md.
bench:
    cargo bench

# A thousand lanes, and thirty-two with git.
lanes:
    cargo bench --bench lanes

# Beside other template engines.
peers:
    cd benches/peers && cargo run --release

# Write what the documents show of the program anew: reports, tables, sessions and the picture.
bless:
    AGENTD_BLESS=1 cargo test --test documents
    AGENTD_BLESS=1 cargo test --test it -- the_picture

# What must hold of any input, tried with what libFuzzer makes up: every target for so many seconds, or those named.
fuzz seconds="60" *targets:
    tests/fuzz/run {{seconds}} {{targets}}

# Licences, versions and sources of what we depend on, and known vulnerabilities.
deny:
    .ci/deny

# The pure parts under Miri.
miri:
    .ci/miri

# The public items of the library.
public:
    @.ci/public

# How many lines of code src has, by folder and in all, without tests, comments and blank lines.
lines:
    @.ci/lines

# Which lines the tests reach, by area.
coverage:
    .ci/coverage

# Which slips no test would notice, in the modules where they would hurt most, or in those named.
mutants *modules:
    .ci/mutants {{modules}}

# All that takes long, or the parts that are named: faults, crash, real-clis, load, flows, fuzz, deny, miri, coverage, mutants. An hour and more.
long *parts:
    .ci/long {{parts}}
