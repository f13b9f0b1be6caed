"""/stored: the games that wait for somebody, wherever they are."""

from tests.serving import Visitor, new_house, new_lobby
from tests.stage import has, playing


async def test_games_that_are_not_over_are_listed_by_the_name_of_a_player() -> None:
    stage = await playing("ann", "bob", "cat")
    await stage.type("cat", "/resign")
    visitor = await Visitor(new_house(lobby=stage.lobby)).come()
    assert (await visitor.say("/stored"))[0].startswith("! NEED_NAME")
    assert (await visitor.say("/stored bob"))[0] == "- kitchen: not over, ann to move"
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/agree")
    assert (await visitor.say("/name bob", "/stored"))[1] == "- kitchen: adjourned, ann to move"
    for name in ("cat", "zoe"):
        assert await visitor.say(f"/stored {name}") == [f"- no game of {name} waits here"]
    await visitor.go()
    await stage.lobby.close()


async def test_locked_rooms_are_nobody_elses_business() -> None:
    stage = await playing("ann", "bob")
    visitor = await Visitor(new_house(lobby=stage.lobby)).come()
    assert has(await visitor.say("/stored bob"), "kitchen")
    await stage.type("ann", "/lock sesame")
    assert await visitor.say("/stored bob") == ["- no game of bob waits here"]
    await stage.lobby.close_room("kitchen")
    assert await visitor.say("/stored bob") == ["- no game of bob waits here"]
    await visitor.go()
    await stage.lobby.close()


async def test_rooms_that_are_not_open_are_looked_up_in_the_store() -> None:
    stage = await playing("ann", "bob")
    await stage.lobby.close()
    lobby = new_lobby(stage.store)
    visitor = await Visitor(new_house(lobby=lobby)).come()
    assert has(await visitor.say("/stored ann"), "kitchen: not over, ann to move")
    assert lobby.rooms() == []
    await visitor.go()
    stage = await playing("ann", "bob")
    await stage.type("ann", "/abort")
    await stage.type("bob", "/agree")
    visitor = await Visitor(new_house(lobby=stage.lobby)).come()
    assert await visitor.say("/stored ann") == ["- no game of ann waits here"]
    await visitor.go()
    await stage.lobby.close()
