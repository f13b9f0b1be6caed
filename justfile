# The things people do. `just --list` shows them; each is one line to copy if you do not have just.

# install everything for development into .venv
setup:
    python3 -m venv .venv && .venv/bin/pip install -e '.[test,docs]'

# run the tests; arguments go to pytest
test *ARGS:
    .venv/bin/pytest {{ ARGS }}

# run every test, and print how much of the code they reach
coverage *ARGS:
    .venv/bin/python -m tools.coverage {{ ARGS }}

# format, lint, check types and imports
lint:
    .venv/bin/ruff format
    .venv/bin/ruff check --fix
    .venv/bin/mypy
    .venv/bin/lint-imports

# build the site strictly, or `just docs serve`
docs COMMAND="build --strict":
    .venv/bin/mkdocs {{ COMMAND }}

# start a server; arguments go to crossroom serve
serve *ARGS:
    .venv/bin/crossroom serve {{ ARGS }}
