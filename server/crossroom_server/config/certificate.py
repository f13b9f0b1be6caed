"""TLS with certificate files that can be replaced while the server runs."""

import ssl
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Certificate:
    """Files in PEM format: a certificate chain and its private key."""

    cert: Path
    key: Path

    def server_context(self) -> ssl.SSLContext:
        """Return a TLS context for a server.

        Raises:
            OSError: the files cannot be used; says which, and why.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._load_into(context)
        return context

    def reload(self, context: ssl.SSLContext) -> None:
        """Read the files again, for connections from now on.

        Raises:
            OSError: the files cannot be used; the certificate stays as it was.
        """
        self.server_context()
        self._load_into(context)

    def _load_into(self, context: ssl.SSLContext) -> None:
        for path in (self.cert, self.key):
            path.open("rb").close()  # says which of the two is missing
        try:
            # Without a password OpenSSL would ask for one on the terminal, and wait.
            context.load_cert_chain(self.cert, self.key, password=_no_password)
        except (ssl.SSLError, ValueError) as error:
            why = error.reason if isinstance(error, ssl.SSLError) else None
            names = f"{self.cert} and {self.key}"
            told = (why or str(error)).replace("_", " ").lower()
            raise OSError(f"{names} are no certificate and its key: {told}") from None


def _no_password() -> str:
    raise ValueError("the key has a password; take one without")
