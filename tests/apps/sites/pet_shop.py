"""The API of a pet shop with its description, and Swagger UI for it: pet_shop.py PORT FOLDER.

Reading needs nothing; to add, change or sell a pet needs the key in `X-API-Key`.
"""

import json
import re
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "the cat is out"
PETS: dict[int, dict[str, Any]] = {1: {"name": "Rex", "kind": "dog", "price": 90}}
PET = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "example": "Tom"},
        "kind": {"type": "string", "enum": ["dog", "cat", "bird"]},
        "price": {"type": "integer", "example": 10},
    },
}
BODY = {"content": {"application/json": {"schema": PET}}}
NUMBER = {"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}
KIND = {"name": "kind", "in": "query", "schema": PET["properties"]["kind"]}  # type: ignore[index]
PHOTO = {"type": "object", "properties": {"photo": {"type": "string", "format": "binary"}}}
FILE = {"content": {"multipart/form-data": {"schema": PHOTO}}}
SAFE: list[dict[str, list[str]]] = [{"key": []}]
DONE = {"200": {"description": "Done"}}


def operation(summary: str, tag: str = "pets", **more: Any) -> dict[str, Any]:
    return {"summary": summary, "tags": [tag], "responses": DONE, **more}


DESCRIPTION = {
    "openapi": "3.0.3",
    "info": {"title": "Pet shop", "version": "1"},
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
        "schemas": {"Pet": PET},
    },
    "paths": {
        "/pets": {
            "get": operation("List pets", parameters=[KIND]),
            "post": operation("Add a pet", requestBody=BODY, security=SAFE),
        },
        "/pets/{number}": {
            "get": operation("Look at a pet", parameters=[NUMBER]),
            "delete": operation("Sell a pet", parameters=[NUMBER], security=SAFE),
        },
        "/pets/{number}/photo": {
            "post": operation(
                "Hang up a photo", parameters=[NUMBER], requestBody=FILE, security=SAFE
            ),
        },
        "/hours": {"get": operation("When we are open", "shop")},
    },
}
START = f"""window.ui = SwaggerUIBundle({{
  spec: {json.dumps(DESCRIPTION)}, dom_id: '#swagger-ui', deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout' }})"""


class Shop(SimpleHTTPRequestHandler):
    """Answers for the pets; all else is a file of Swagger UI."""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == "/swagger-initializer.js":
            return self._say(START, "text/javascript")
        if path == "/hours":
            return self._tell({"from": 9, "to": 17})
        if path == "/pets":
            kind = query.removeprefix("kind=")
            found = [{"number": n, **pet} for n, pet in PETS.items() if kind in ("", pet["kind"])]
            return self._tell(found)
        if path.startswith("/pets/"):
            pet = PETS.get(int(path.removeprefix("/pets/")))
            return self._tell(pet or {"error": "no such pet"}, 200 if pet else 404)
        return super().do_GET()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if not self._may():
            return
        if self.path.endswith("/photo"):
            pet = PETS[int(self.path.split("/")[2])]
            pet["photo"] = re.findall(rb'filename="(.*?)"', body)[0].decode()
            self._tell(pet)
        else:
            pet = json.loads(body)
            PETS[number := max(PETS) + 1] = pet
            self._tell({"number": number, **pet}, 201)

    def do_DELETE(self) -> None:
        if self._may():
            self._tell(PETS.pop(int(self.path.removeprefix("/pets/"))))

    def _may(self) -> bool:
        if self.headers["x-api-key"] != KEY:
            self._tell({"error": "no key"}, 401)
        return self.headers["x-api-key"] == KEY

    def _tell(self, what: object, status: int = 200) -> None:
        self._say(json.dumps(what), "application/json", status)

    def _say(self, text: str, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    address = ("127.0.0.1", int(sys.argv[1]))
    ThreadingHTTPServer(address, lambda *it: Shop(*it, directory=sys.argv[2])).serve_forever()
