"""Scripts and style sheets that are bundled with what they import."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from crossroom_server.web.assets import FOLDER, Assets
from crossroom_server.web.bundler import bundle

MODULES: Final = {
    "pages/ends.js": """\
import { double as twice, LIMIT } from "../text/sums.js";
import { name as wordsName } from "../text/words.js";
import {
  tell,
} from "../text/words.js";

const name = "ends";
tell([name, twice(4), LIMIT, wordsName]);
""",
    "text/sums.js": """\
import { name } from "./words.js";

export const LIMIT = 9;
const own = name.length;
export function double(number) {
  return 2 * number + own - own;
}
""",
    "text/words.js": """\
export const name = "words";
export async function late() {}
export class Unused {}
export const tell = (what) => console.log(JSON.stringify(what));
""",
}


def test_an_entry_is_bundled_with_all_it_imports() -> None:
    assert bundle(MODULES).keys() == {"pages/ends.js"}
    parts = re.findall(r"^// ([\w/]+\.js)$", bundle(MODULES)["pages/ends.js"], re.MULTILINE)
    wanted = ["text/words.js", "text/sums.js", "pages/ends.js"]
    assert parts == wanted, "each once, after what it needs"


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    bundled = bundle(MODULES)["pages/ends.js"]
    for name, text in (MODULES | {"bundled.js": bundled}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    apart, together = (
        subprocess.run(["node", tmp_path / name], capture_output=True, text=True, check=True).stdout
        for name in ("pages/ends.js", "bundled.js")
    )
    assert apart == together == '["ends",8,9,"words"]\n'


def test_style_sheets_are_bundled_in_the_order_of_their_imports() -> None:
    sheets = {
        "page.css": '@import "./z.css";\n@import "./a.css";\n\na {}\n',
        "a.css": '@import "./base.css";\nb {}\n',
        "z.css": '@import "./base.css";\nc {}\n',
        "base.css": "d {}\n",
    }
    whole = bundle(sheets)["page.css"]
    told = " ".join(re.findall(r"\w+(?=\.css)|\w+(?= \{)", whole))
    assert told == "base d z c a b page a"
    assert "@import" not in whole


@pytest.mark.parametrize(
    "text",
    [
        'import "./words.js";',
        'import tell from "./words.js";',
        'import * as words from "./words.js";',
        'export * from "./words.js";',
        "export default 3;",
        "export let count = 0;",
        "export const [a, b] = [1, 2];",
    ],
)
def test_what_would_come_out_wrong_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be bundled"):
        bundle({"ends.js": f"{text}\n", "words.js": "export const tell = 1;\n"})


def test_a_circle_is_refused() -> None:
    circle = {
        "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
    }
    with pytest.raises(ValueError, match="by what it imports"):
        bundle(circle | {"c.js": 'import { a } from "./a.js";\n'})


def test_the_page_is_a_few_files() -> None:
    names = {name for name in Assets().files if name.endswith((".js", ".css"))}
    assert names == {
        *("css/room.css", "css/lobby.css", "css/game.css"),
        *("room/room.js", "lobby/lobby.js", "archive/game.js"),
        *("css/host.css", "host/host.js"),
        "core/apply_theme.js",  # before anything is drawn
        "i18n/de.js",  # only where the page speaks German
    }
    everything = "".join(Assets().files[name].body.decode() for name in names)
    for path in (*FOLDER.rglob("*.js"), *FOLDER.rglob("*.css")):
        last = path.read_text(encoding="utf-8").splitlines()[-1]
        assert last.removeprefix("export ") in everything


def test_the_same_files_make_the_same_scripts_in_every_process() -> None:
    program = "from crossroom_server.web.assets import Assets; print(Assets().root)"
    roots = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in "123"
    }
    assert roots == {Assets().root}


def test_what_is_imported_and_not_exported_is_told() -> None:
    part = {"words.js": "export const name = 1, other = 2;\n"}
    entry = {"end.js": 'import { name, other as second } from "./words.js";\n'}
    with pytest.raises(ValueError, match=r"^end\.js imports what is not exported: other$"):
        bundle(part | entry)
