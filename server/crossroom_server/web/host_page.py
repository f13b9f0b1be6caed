"""The host's page: what the console tells, and its commands as buttons.

Like the console it is in English. All its words are here; its script has none.
"""

from typing import Final

from markupsafe import Markup

from crossroom_server.web.pages import PageLocation

_PAGE: Final = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>Host: crossroom</title>
<link rel="icon" href="{icon}">
<link rel="stylesheet" href="{style}">
<script type="module" src="{script}"></script>
</head>
<body data-look="Look" data-close="Close" data-sure="Close this room?" data-unban="Lift"
 data-undrain="drain off"
 data-drain-sure="Let games end, and stop the server then?"
 data-lost="The connection is lost; it is tried again."
 data-ended="This link is no longer valid: crossroom admin page gives another."
 data-none="None." data-end="End" data-invite="invite 30 ">
<main class="host">
<h1>Host</h1>
<p id="state" role="status">Connecting.</p>
<section aria-labelledby="how"><h2 id="how">Server</h2><ul id="status"></ul></section>
<section aria-labelledby="which"><h2 id="which">Rooms</h2>
<div id="rooms" tabindex="-1"></div></section>
<section aria-labelledby="barred"><h2 id="barred">Banned addresses</h2>
<ul id="bans" tabindex="-1"></ul>
<form id="ban"><label>Address or network <input name="value" required></label>
<button>Ban</button></form></section>
<section aria-labelledby="invited"><h2 id="invited">Invitations</h2>
<ul id="invitations" tabindex="-1"></ul>
<form id="invite"><label>For whom <input name="value" maxlength="60"></label>
<button>Invite for 30 days</button></form></section>
<section aria-labelledby="tell"><h2 id="tell">Tell everybody</h2>
<form id="announce"><label>Text <input name="value" maxlength="500" required></label>
<button>Send</button></form></section>
<section aria-labelledby="stop"><h2 id="stop">Stop</h2>
<p>Draining lets no newcomers in, begins no games, and stops the server after the last one.</p>
<button id="drain" type="button">Drain</button>
<button id="undrain" type="button">Go on</button></section>
<section aria-labelledby="console"><h2 id="console">Console</h2>
<form id="command"><label>Command <input name="value" placeholder="help" required></label>
<button>Do</button></form><pre id="told" tabindex="0" aria-live="polite"></pre></section>
<noscript><p>This page needs its script. In a terminal: crossroom admin</p></noscript>
</main>
</body>
</html>
""")


def host_page(page: PageLocation) -> str:
    """Render the page; what it shows comes over its socket."""
    return _PAGE.format(
        icon=page.file("icon.svg"),
        style=page.file("css/host.css"),
        script=page.file("host/host.js"),
    )
