"""Checks the certificate of a server that speaks TLS itself."""

import ssl
import time
from collections.abc import Iterator
from typing import Final

from crossroom_engine.core.units import DAY_S
from crossroom_server.cli.checks.finding import Finding
from crossroom_server.config.certificate import Certificate

SOON_S: Final = 14 * DAY_S
"""Time before the end in which it should have been renewed."""
_MEND: Final = (
    "renew it, then kill -HUP PID; with docker/crossroom.service.d, systemctl restart crossroom"
)


def check_certificate(certificate: Certificate) -> Iterator[Finding]:
    """Check that the files fit each other, and how long the certificate lasts."""
    try:
        end = _expiry(certificate)
    except ssl.SSLCertVerificationError as error:
        yield Finding(
            "certificate", "problem", f"{certificate.cert}: {error.verify_message}", _MEND
        )
        return
    except OSError as error:
        yield Finding(
            "certificate",
            "problem",
            str(error),
            "name the chain with --cert and its key with --key, readable for the server",
        )
        return
    days = round((end - time.time()) / DAY_S)
    level: Final = "ok" if days * DAY_S > SOON_S else "warning"
    mend = "" if level == "ok" else _MEND
    yield Finding("certificate", level, f"{certificate.cert} lasts {days} more days", mend)


def _expiry(certificate: Certificate) -> float:
    """Return when a certificate ends, in s since 1970: a client that trusts it is shown it."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = certificate.server_context().wrap_bio(to_server, to_client, server_side=True)
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(certificate.cert)
    client = trusting.wrap_bio(to_client, to_server)
    for _ in range(4):  # flights of a handshake
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    shown = client.getpeercert()
    assert shown
    return ssl.cert_time_to_seconds(str(shown["notAfter"]))
