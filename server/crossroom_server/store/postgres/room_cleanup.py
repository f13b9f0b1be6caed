"""Finds and deletes vacant rooms in PostgreSQL."""

from typing import Final

from crossroom_server.store.contract import MAX_VACANT_ENTRIES

# Not by EXISTS: a database that has not counted its rows yet might read whole tables for it.
_IS_VACANT: Final = f"""
    SELECT CASE
        WHEN seq > {MAX_VACANT_ENTRIES} THEN false
        WHEN coalesce(substring(entry FROM '"at":([0-9]+)')::numeric, {{before}}) >= {{before}}
            THEN false
        WHEN (
            SELECT max(since) FROM crossroom.codes WHERE codes.room = newest.room
        ) >= {{before}} THEN false
        ELSE (
            SELECT seq FROM crossroom.entries AS one
            WHERE one.room = newest.room AND position('"kind":"moved"' IN one.entry) > 0 LIMIT 1
        ) IS NULL
    END
    FROM crossroom.entries AS newest WHERE newest.room = {{room}} ORDER BY seq DESC LIMIT 1
"""
SCAN_VACANT: Final = f"""
    WITH RECURSIVE names (room, number) AS (
        SELECT (SELECT min(room) FROM crossroom.entries WHERE room > $1), 1
        UNION ALL
        SELECT (SELECT min(room) FROM crossroom.entries WHERE room > names.room), number + 1
        FROM names WHERE number < $2
    )
    SELECT room, ({_IS_VACANT.format(room="names.room", before="$3::bigint")}) AS is_vacant
    FROM names WHERE room IS NOT NULL ORDER BY room
"""
DELETE_VACANT: Final = f"""
    {{fence}}, vacant AS MATERIALIZED (
        SELECT FROM {{ours}} WHERE ({_IS_VACANT.format(room="$2", before="$3::bigint")})
    ), log AS (
        DELETE FROM crossroom.entries USING vacant WHERE entries.room = $2
    ), snapshot AS (
        DELETE FROM crossroom.snapshots USING vacant WHERE snapshots.room = $2
    ), code AS (
        DELETE FROM crossroom.codes USING vacant WHERE codes.room = $2 AND since < $3
    ), lease AS (
        DELETE FROM crossroom.leases USING vacant WHERE leases.room = $2
    )
    SELECT EXISTS (SELECT FROM vacant) AS was_vacant FROM fence
"""
"""The lease goes, too: squatters of rooms would fill that table as well."""
