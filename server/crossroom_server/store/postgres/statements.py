"""The statements that write, for a single server and for a node of a cluster.

Each is one statement, so that the database does it whole or not at all even if the client is gone.
It begins with the fence: the row of the writer, found by the epoch ``$1`` and locked until the end.
To take the next epoch waits for that.

A single server's row is that of ``leases`` with the room ''. A node has one in ``nodes``, and one
in ``leases`` for each of its rooms, which an append locks too, so that a claim waits for it.
Several rows are locked in the order of names, nodes before rooms, so that nobody waits in a circle.
"""

from typing import Final, NamedTuple

from crossroom_server.store.postgres.room_cleanup import DELETE_VACANT
from crossroom_server.store.postgres.schema import ENDING_LOCK


class Statements(NamedTuple):
    """A statement for each kind of job; the values are those of the job."""

    append: str
    save_codes: str
    resolve_codes: str
    save_account: str
    check: str
    take_back: str
    delete_vacant: str


_ALONE: Final = """
    WITH fence AS MATERIALIZED (
        SELECT epoch FROM crossroom.leases WHERE room = '' AND epoch = $1 FOR SHARE
    )
"""
# of the key only: else a node that writes without a pause could not say that it lives
_NODE: Final = """
    WITH fence AS MATERIALIZED (
        SELECT node FROM crossroom.nodes WHERE epoch = $1 FOR KEY SHARE
    )
"""

# `ending` is for who reads finished games: it comes before any number is drawn
_OURS: Final = f""", ending AS MATERIALIZED (
        SELECT pg_advisory_xact_lock_shared({ENDING_LOCK}) FROM fence
        WHERE cardinality($7::text[]) > 0
    ), ours AS MATERIALIZED (
        SELECT leases.room
        FROM fence, crossroom.leases
        JOIN unnest($2::text[], $11::bigint[]) AS known (room, epoch) USING (room, epoch)
        WHERE leases.room = ANY ($2::text[]) AND leases.owner = fence.node
        ORDER BY leases.room
        FOR SHARE OF leases
    )
"""
_APPEND: Final = """
    {fence}, asked AS MATERIALIZED (
        SELECT asked.room, after, {is_ours} AS is_ours, coalesce(
            (SELECT max(seq) FROM crossroom.entries WHERE entries.room = asked.room), 0
        ) AS last
        FROM unnest($2::text[], $3::integer[]) AS asked (room, after) CROSS JOIN fence {joined}
    ), stored AS (
        INSERT INTO crossroom.entries (room, seq, entry)
        SELECT new.room, new.seq, new.entry
        FROM unnest($4::text[], $5::integer[], $6::text[])
            WITH ORDINALITY AS new (room, seq, entry, place)
        JOIN asked ON asked.room = new.room AND asked.after = asked.last AND asked.is_ours
        ORDER BY place
        RETURNING id, room, seq
    ), over AS (
        INSERT INTO crossroom.finished (id, room, page, game)
        SELECT stored.id, stored.room, over.page, over.game
        FROM unnest($7::text[], $8::integer[], $9::text[], $10::text[])
            AS over (room, seq, page, game)
        JOIN stored ON stored.room = over.room AND stored.seq = over.seq
    )
    SELECT room, is_ours, last FROM asked
"""
_SAVE_CODES: Final = """
    {fence}, kept AS (
        INSERT INTO crossroom.codes (digest, room, member, name, registered, since, reader)
        SELECT new.*
        FROM unnest(
            $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::bigint[],
            $8::smallint[]
        ) AS new, fence
        ON CONFLICT (digest) DO UPDATE
        SET (id, room, member, name, registered, since, reader) = (
            DEFAULT, excluded.room, excluded.member, excluded.name, excluded.registered,
            excluded.since, excluded.reader
        )
    )
    SELECT 1 FROM fence
"""
_RESOLVE_CODES: Final = """
    {fence}, kept AS (
        UPDATE crossroom.codes SET since = 0 FROM fence WHERE digest = ANY ($2::text[])
    ), gone AS (
        DELETE FROM crossroom.codes USING fence
        WHERE digest = ANY ($3::text[]) AND since > 0 AND since < $4
    )
    SELECT 1 FROM fence
"""
# only if it is still whose it was when we looked: the one with the digest $6, or nobody's
_SAVE_ACCOUNT: Final = """
    {fence}, kept AS (
        INSERT INTO crossroom.claims AS known (key, name, digest, since)
        SELECT $2, $3, $4, $5 FROM fence
        ON CONFLICT (key) DO UPDATE
        SET (name, digest, since) = (excluded.name, excluded.digest, excluded.since)
        WHERE known.digest = $6
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM kept) AS is_kept FROM fence
"""
_GONE: Final = """
    gone AS (DELETE FROM crossroom.entries {using} room = $1 AND seq > $2 RETURNING id)
    DELETE FROM crossroom.finished USING gone WHERE finished.id = gone.id
"""

SOLE_WRITER: Final = Statements(
    append=_APPEND.format(fence=_ALONE, is_ours="true", joined=""),
    save_codes=_SAVE_CODES.format(fence=_ALONE),
    resolve_codes=_RESOLVE_CODES.format(fence=_ALONE),
    save_account=_SAVE_ACCOUNT.format(fence=_ALONE),
    check="UPDATE crossroom.leases SET owner = owner WHERE room = '' AND epoch = $1 RETURNING 1",
    take_back="WITH " + _GONE.format(using="WHERE"),
    delete_vacant=DELETE_VACANT.format(fence=_ALONE, ours="fence"),
)

CLUSTER_WRITER: Final = Statements(
    append=_APPEND.format(
        fence=_NODE + _OURS,
        is_ours="ours.room IS NOT NULL",
        joined="LEFT JOIN ending ON true LEFT JOIN ours ON ours.room = asked.room",
    ),
    save_codes=_SAVE_CODES.format(fence=_NODE),
    resolve_codes=_RESOLVE_CODES.format(fence=_NODE),
    save_account=_SAVE_ACCOUNT.format(fence=_NODE),
    check="UPDATE crossroom.nodes SET seen = seen WHERE epoch = $1 RETURNING 1",
    # what another owner may have read has happened, whatever was said of it
    take_back="""
        WITH ours AS MATERIALIZED (
            SELECT 1 FROM crossroom.leases WHERE room = $1 AND owner = $3 AND epoch = $4 FOR SHARE
        ),
    """
    + _GONE.format(using="USING ours WHERE"),
    delete_vacant=DELETE_VACANT.format(
        fence=_NODE
        + """, ours AS MATERIALIZED (
            SELECT leases.room FROM fence, crossroom.leases
            WHERE leases.room = $2 AND leases.owner = fence.node AND leases.epoch = ANY ($4)
            FOR UPDATE OF leases
        )
        """,
        ours="ours",
    ),
)
