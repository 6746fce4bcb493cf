"""The OpenAPI document, its page, and schemathesis over it."""

import re

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from listening import listening
from schemathesis import checks
from schemathesis.core.parameters import ParameterLocation

from hybandit.loop import Loops
from hybandit.service.app import create_app
from hybandit.service.operations import OPERATIONS, document

# Of Personalizer's families, which are alike, one.
schema = schemathesis.openapi.from_dict(document()).exclude(path_regex="personalizer/v1")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    loops = Loops(tmp_path_factory.mktemp("described"))
    loops.create("tea", wait=None)
    with listening(create_app(loops)) as address:
        yield address


@schema.parametrize()
@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_requests_by_the_document_are_answered_as_it_says(address, case):
    if case.method != "DELETE" and "name" in case.path_parameters:
        case.path_parameters["name"] = "tea"
    response = case.call(base_url=address)
    # Without keys the header is not looked at; some rules of the loop are beyond any schema.
    case.validate_response(
        response,
        excluded_checks=[
            checks.ignored_auth, checks.positive_data_acceptance, checks.negative_data_rejection,
        ],
    )  # fmt: skip
    body = case.meta.components.get(ParameterLocation.BODY)
    if body is not None and body.mode.is_negative:
        assert 400 <= response.status_code < 500


def test_every_operation_is_described():
    paths = document()["paths"]
    for each in OPERATIONS:
        told = paths[each.path.replace(":path", "")][each.method.lower()]
        assert told["summary"].endswith("."), each.path
        assert str(int(each.status)) in told["responses"]
    names = [told["operationId"] for path in paths.values() for told in path.values()]
    assert len(set(names)) == len(names) == len(OPERATIONS)


def test_references_lead_somewhere(client):
    text = client.get("/openapi.json").text
    found = set(re.findall(r'"\$ref":"#/components/schemas/(\w+)"', text))
    assert found
    assert found <= set(document()["components"]["schemas"])


def test_the_page_asks_no_other_host(client):
    page = client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "connect-src 'self'" in page.headers["content-security-policy"]
    assert "//" not in page.text
    for path in re.findall(r'(?:src|href)="(docs/[^"]+)"', page.text):
        answer = client.get(f"/{path}")
        assert answer.status_code == 200, path
        assert "http" not in answer.text or "assets" in path
    for trick in ("..%2f..%2fhandlers/starlette.py", "../core.py", "%2e%2e/core.py"):
        assert client.get(f"/docs/assets/{trick}").status_code == 404
