"""Word texts for people at the page, who press buttons and type no commands.

A text that names a command of terminals stands here once more, with the same fields or fewer.
"""

from typing import Final

from crossroom_engine.core.phrases import Phrase

PAGE_WORDING: Final[dict[str, str]] = {
    # What the rules and a game say.
    "may words be looked up in a game with challenges, /check: by nobody, by players for "
    "themselves, by all": Phrase(
        "may words be looked up in a game with challenges: by nobody, by players for themselves, "
        "by all"
    ),
    "may a player on turn ask for the best plays, /hint": Phrase(
        "may a player on turn ask for the best plays"
    ),
    "/join ROOM goes to one; you take your seat there": Phrase(
        "open its room to take your seat there"
    ),
    "this link was used, or is older than ten minutes: /link makes another": Phrase(
        "this link was used, or is older than ten minutes; make another where you made it"
    ),
    "your games are found by your registered name: /name NAME CODE; in a room, /register gives you "
    "the code": Phrase("your games are found by your name, if it is registered"),
    "the game is over; /ready begins another": Phrase("the game is over; be ready for another"),
    "the game is adjourned; it goes on when all say /ready": Phrase(
        "the game is adjourned; it goes on when all are ready"
    ),
    "now only /accept or /challenge the last play": Phrase(
        "now only accept or challenge the last play"
    ),
    "name the tiles to exchange, as in /exchange ABC; or /pass": Phrase(
        "choose the tiles to exchange, or pass"
    ),
    "it is adjourned; it goes on when all players are back and say /ready": Phrase(
        "it is adjourned; it goes on when all players are back and ready"
    ),
    "{away}the game is adjourned; it goes on when all are back and say /ready": Phrase(
        "{away}the game is adjourned; it goes on when all are back and ready"
    ),
    "the game is adjourned: /ready goes on with it": Phrase("the game is adjourned"),
    "{why}, so this ends the game unless it is challenged: {names} may /challenge or "
    "/accept": Phrase(
        "{why}, so this ends the game unless it is challenged: {names} may challenge or accept"
    ),
    "/challenge is open": Phrase("you may challenge it"),
    "{others} may /challenge": Phrase("{others} may challenge"),
    "/ready for another game": Phrase("be ready for another game"),
    "the bag's seed is in /export json": Phrase("the bag's seed is in its record (JSON)"),
    "waiting for {waiting}: /accept or /challenge": Phrase(
        "waiting for {waiting} to accept or challenge"
    ),
    "your last word on {last}: /accept or /challenge": Phrase(
        "your last word on {last}: accept or challenge"
    ),
    "your turn {turn}: {moves}{doubt}": Phrase("your turn"),
    "; or /challenge {words}": Phrase("; or challenge {words}"),
    "{names}, /agree or /decline": Phrase("{names}, agree or decline"),
    "{name} asks to {deal}; /agree or /decline first": Phrase(
        "{name} asks to {deal}; agree or decline first"
    ),
    "you have asked to {deal}; /decline takes that back first": Phrase(
        "you have asked to {deal}; take that back first"
    ),
    "the others may /adjourn or /abort the game without them": Phrase(
        "the others may adjourn or abort the game without them"
    ),
    "you may /adjourn or /abort without {name}": Phrase("you may adjourn or abort without {name}"),
    "{name} has been away for {after}; /adjourn or /abort does not need them": Phrase(
        "{name} has been away for {after}; you may adjourn or abort without them"
    ),
    # The printed rules.
    "{summary}; one section: /r {sections}": Phrase("{summary}"),
    "you may put your own tile of that letter in its place and use the blank in the same play: "
    "/play 8H WORd swap=10F. The tile swapped in counts for nothing by itself": Phrase(
        "you may put your own tile of that letter in its place and use the blank in the same play. "
        "The tile swapped in counts for nothing by itself"
    ),
    "Until the next player has moved, any other player may /challenge a play, once.": Phrase(
        "Until the next player has moved, any other player may challenge a play, once."
    ),
    "A play that would end the game waits for the others to /accept or /challenge, for "
    "{acceptance} at most.": Phrase(
        "A play that would end the game waits for the others to accept or challenge it, for "
        "{acceptance} at most."
    ),
    "Instead of a play: /exchange draws new tiles for as many of yours, which then go back.": (
        Phrase(
            "Instead of a play: an exchange draws new tiles for as many of yours, which then go "
            "back."
        )
    ),
    "An exchange is of one tile or more; /pass gives the turn away.": Phrase(
        "An exchange is of one tile or more; a pass gives the turn away."
    ),
    "/resign yes gives up, whether or not it is your turn; the others play on, and the last one "
    "left wins.": Phrase(
        "You may resign, whether or not it is your turn; the others play on, and the last one left "
        "wins."
    ),
    "/check WORD tells whether a word is in the list, at any time.": Phrase(
        "Words may be looked up at any time."
    ),
    "During a game nobody can look words up with /check.": Phrase(
        "During a game nobody can look words up."
    ),
    "During a game, /check tells players alone whether a word is listed.": Phrase(
        "During a game, players can look words up for themselves."
    ),
    "Whoever is on turn may ask for the best plays, /hint; everybody is told.": Phrase(
        "Whoever is on turn may ask for the best plays; everybody is told."
    ),
    "/r alone shows everything; sections are {sections}": Phrase("sections are {sections}"),
    # Who is here, and getting in.
    "you are watching; /sit takes a free seat between games": Phrase(
        "you are watching; take a free seat between games"
    ),
    "you have a seat; /watch gives it up": Phrase("you have a seat; Watch in the menu gives it up"),
    "seats are kept until the game is over; /resign yes gives it up": Phrase(
        "seats are kept until the game is over; Resign in the menu gives it up"
    ),
    "say who you are first: /name YOURNAME": Phrase("say who you are first: join"),
    "say who you are before you show things: /name YOURNAME": Phrase("say who you are first: join"),
    "take the name first: /name YOURNAME": Phrase("say who you are first: join"),
    "nobody sits here yet; /name YOURNAME takes a seat": Phrase("nobody sits here yet"),
    "/name YOURNAME says who you are": Phrase("join to say who you are"),
    "; a name takes a free seat, /watch leaves it": Phrase("; you take a free seat"),
    "/resume CODE comes back to a seat": Phrase("Come back to my seat, in the menu, takes a code"),
    "/ready when you agree to the rules and the word list": Phrase(
        "be ready when you agree to the rules and the word list"
    ),
    "somebody here is called {taken}; choose another name, or if that is you, come back with your "
    "code: /resume CODE": Phrase(
        "somebody here is called {taken}; choose another name, or if that is you, come back to "
        "your seat"
    ),
    "{wrong}: {how}; who was here before: /resume CODE": Phrase("{wrong}"),
    "{name} is registered on this server; if it is yours: /name {name} CODE": Phrase(
        "{name} is registered on this server; if it is yours, give its code"
    ),
    "{claimed} is registered on this server, and {name} looks like it; if it is yours: /name "
    "{name} CODE": Phrase(
        "{claimed} is registered on this server, and {name} looks like it; if it is yours, give "
        "its code"
    ),
    "welcome to {room}; /help lists the commands, /r the rules": Phrase("welcome to {room}"),
    "welcome; /help lists the commands": Phrase("welcome"),
    "(protocol {protocol}; {features}). /help for commands, /r for the rules": Phrase(
        "(protocol {protocol}; {features})"
    ),
    "you are {name} ({what}). To come back after a drop: /resume {code}": Phrase(
        "you are {name} ({what})"
    ),
    "; a game takes two: invite a friend, or /bot add": Phrase(
        "; a game takes two: invite a friend, or add a bot"
    ),
    "; say /ready again if you agree": Phrase("; be ready again if you agree"),
    "all who sit here are ready: one more /ready begins": Phrase(
        "all who sit here are ready: one more begins the game"
    ),
    # Names, games and ratings.
    "{name} is yours on this server: /name {name} {code} takes it in any room": Phrase(
        "{name} is yours on this server; its code is {code}"
    ),
    "no game yet; games count from the one that begins after /register": Phrase(
        "no game yet; games count from the one that begins after the name is registered"
    ),
    "your games are not counted: /register makes the name {name} yours first": Phrase(
        "your games are not counted: first register the name {name}, in the menu"
    ),
    "nobody has a rating for {preset} yet; /help top says which games are rated": Phrase(
        "nobody has a rating for {preset} yet"
    ),
    # Refusals.
    "no game has begun; /ready when you agree to the rules (/r)": Phrase(
        "no game has begun; be ready when you agree to the rules"
    ),
    "no game is being played; /ready when you agree to the rules (/r)": Phrase(
        "no game is being played; be ready when you agree to the rules"
    ),
    "there is no game to analyze; /ready begins one": Phrase("there is no game to analyze"),
    "the game is over; /analyze shows what could have been": Phrase(
        "the game is over; its analysis shows what could have been"
    ),
    "this game is played without hints; before a game, /set hints on allows them": Phrase(
        "this game is played without hints; before a game, the rules may allow them"
    ),
    "the last play has been made; /accept or /challenge": Phrase(
        "the last play has been made; accept or challenge it"
    ),
    "which tiles? Write /exchange ABC; /pass gives the turn away": Phrase(
        "choose the tiles to exchange, or pass"
    ),
    "that gives up this game; /resign yes if you mean it": Phrase("that gives up this game"),
    "{word} is not a word of the latest play; /challenge alone challenges all of them": Phrase(
        "{word} is not a word of the latest play"
    ),
    "no look-ups during this game; /check after it": Phrase("no look-ups during this game"),
    "nobody here is called {name}; /who shows them": Phrase("nobody here is called {name}"),
    "nobody here is called {to}; /who shows them": Phrase("nobody here is called {to}"),
    "no bot here is called {name!r}; /seats shows them": Phrase("no bot here is called {name!r}"),
    "{name} is not banned; /bans shows who is": Phrase("{name} is not banned"),
    "{name} is not connected; /ban {name} bans the name": Phrase(
        "{name} is not connected, but can be banned"
    ),
    "{most} are banned here; /unban some first": Phrase("{most} are banned here; unban some first"),
    "{most} people are muted here; /unmute some first": Phrase(
        "{most} people are muted here; unmute some first"
    ),
    "word list {name} does not fit tile set {tiles}; change one: /set lexicon NAME or /set tiles "
    "NAME": Phrase("word list {name} does not fit tile set {tiles}; change one of them"),
    "this server cannot hold another room; /rooms": Phrase("this server cannot hold another room"),
    "an internal error; /state shows where things stand": Phrase("an internal error"),
    "did you mean {meant}? To say it to all, write //{text}": Phrase(
        "is that a move? Lay the tiles on the board, or use the buttons; to say it to all, write "
        "//{text}"
    ),
    "the server that has this room did not answer; /state shows whether this was done": Phrase(
        "the server that has this room did not answer: see whether this was done"
    ),
    "the server is stopping; your games are stored; come back with /resume": Phrase(
        "the server is stopping; your games are stored, and this page comes back by itself"
    ),
    "this server is cut off from the others; your room goes on at another: come back with "
    "/resume": Phrase(
        "this server is cut off from the others; your room goes on at another, and this page "
        "follows by itself"
    ),
    "this server is stopping; your room goes on at another: come back with /resume": Phrase(
        "this server is stopping; your room goes on at another, and this page follows by itself"
    ),
}
"""Texts that name a command, and what the page says in their place."""
