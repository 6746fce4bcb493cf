"""The examples of the docs, in the order in which they are shown, against a real server."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.test_server import served

TEXT = (Path(__file__).parents[2] / "docs" / "service.md").read_text()
BLOCK = re.compile(r"^```(sh|js|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMANDS = {
    "sh": ["sh", "-e", "-c"],
    "js": ["node", "--input-type=module", "-e"],
    "python": [sys.executable, "-c"],
}


@pytest.mark.slow
def test_the_examples_can_be_followed(tmp_path):
    blocks = [found for found in BLOCK.findall(TEXT) if "localhost:8000/v1" in found[1]]
    assert [language for language, _ in blocks] == ["sh", "js", "python"]
    with served(tmp_path) as (client, _):
        address = str(client.base_url).removeprefix("http://").rstrip("/")
        for language, block in blocks:
            text = block.replace("localhost:8000", address).replace("curl ", "curl --fail -sS ")
            text = text.replace("import httpx", "import httpx2 as httpx")
            program = COMMANDS[language]
            if shutil.which(program[0]) is not None:
                subprocess.run([*program, text], check=True, timeout=60)
        status = client.get("/v1/loops/articles/status").json()
        assert status["events"] == (3 if shutil.which("node") else 2)
        assert status["rewards"] == 2
