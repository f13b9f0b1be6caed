"""A real PostgreSQL server, from the system's packages, for tests alone."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from crossroom_server.config.store_url import Database
from tests.support.ports import free_port

LOOPBACK: Final = "127.0.0.1"
USERS: Final = ("postgres", "nobody")
"""Whom the server runs as where the tests run as root, which it refuses to."""

EMPTY: Final = """
    DO $$ DECLARE found text; BEGIN
        FOR found IN SELECT tablename FROM pg_tables
            WHERE schemaname = 'crossroom' AND tablename NOT IN ('version', 'leases', 'counted')
        LOOP
            EXECUTE 'DELETE FROM crossroom.' || found;
        END LOOP;
        IF to_regclass('crossroom.leases') IS NOT NULL THEN
            DELETE FROM crossroom.leases WHERE room <> '';
        END IF;
        IF to_regclass('crossroom.counted') IS NOT NULL THEN
            UPDATE crossroom.counted SET number = 0;
        END IF;
    END $$
"""


class PostgresServer:
    """A server with a folder, a port and a socket of its own, and ``fsync`` on."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        self.folder, self._programs, self._user = folder, programs, user
        self._data = folder / "data"
        self._made: set[str] = set()
        self.port = free_port()
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "crossroom", "-E", "UTF8", "-D")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and see it ready."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(self._programs / "postgres", "-D", self._data, "-k", self.folder),
                    *("-h", LOOPBACK, "-p", str(self.port), "-c", "fsync=on"),
                    *("-c", "shared_buffers=16MB", "-c", "log_lock_waits=on"),
                ],
                stdout=log,
                stderr=log,
                user=self._user,
                cwd=self.folder,
            )
        ready = [str(self._programs / "pg_isready"), "-q", *self._here()]
        for _ in range(600):
            if subprocess.run(ready, check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError((self.folder / "log").read_text())

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stop it: in good order, though people are connected, or at once (SIGQUIT)."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(30)

    def empty_database(self, name: str = "games", *, bare: bool = False) -> Database:
        """A database without rooms; *bare*: without tables, too, which takes a while longer."""
        if name not in self._made:
            self.sql("template1", f"CREATE DATABASE {name}")
            self._made.add(name)
        else:
            self.sql(name, "DROP SCHEMA IF EXISTS crossroom CASCADE" if bare else EMPTY)
        return self.database(name)

    def database(self, name: str, port: int | None = None) -> Database:
        """One of its databases, perhaps by another way to it."""
        return Database(f"postgresql://crossroom@{LOOPBACK}:{port or self.port}/{name}")

    def sql(self, database: str, *statements: str) -> str:
        """Run statements behind everybody's back; what the last one tells, unadorned."""
        command = [str(self._programs / "psql"), "-qAtX", *self._here(), "-U", "crossroom"]
        command += ["-v", "ON_ERROR_STOP=1", "-d", database]
        for statement in statements:
            command += ["-c", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL, as whoever runs the tests."""
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True)

    def _here(self) -> tuple[str, ...]:
        return "-h", str(self.folder), "-p", str(self.port)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments, self._data],
            user=self._user,
            cwd=self.folder,
            capture_output=True,
            check=True,
        )


def programs() -> Path | None:
    """The folder of the newest PostgreSQL server that is installed."""
    found = shutil.which("postgres")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A server, which ends with the block.

    Raises:
        LookupError: there is none on this machine; says why.
    """
    found = programs()
    if found is None or sys.platform == "win32":
        raise LookupError("no PostgreSQL server is installed (Debian: postgresql)")
    user = None
    if os.geteuid() == 0:
        known = {entry.pw_name for entry in pwd.getpwall()}
        user = next((name for name in USERS if name in known), None)
        if user is None:
            raise LookupError("PostgreSQL does not run as root, and there is no other user")
    folder = Path(tempfile.mkdtemp(prefix="crossroom-pg-"))  # short: a socket is in it
    try:
        if user is not None:
            shutil.chown(folder, user)
        server = PostgresServer(found, folder, user)
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)  # nobody needs these files again
    finally:
        shutil.rmtree(folder)
