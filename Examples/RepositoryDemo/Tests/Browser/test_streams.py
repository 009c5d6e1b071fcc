"""The streams by a plain HTTP client, over a socket, also while the program ends; `make test-web` runs it."""

import http.client
import json
import re
import unittest
import urllib.parse

from browser import Server


class Client:
    """A visitor without a browser."""

    def __init__(self, server):
        self.server, self.cookies, self.connections = server, {}, []

    def close(self):
        for connection in self.connections:
            connection.close()

    def ask(self, method, path, body=None, **headers):
        """An answer, of which nothing has been read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        self.connections.append(connection)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(body)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def get(self, path):
        with self.ask("GET", path) as answer:
            text = answer.read().decode()
        self.token = re.search(r'name="token" value="([^"]+)"', text).group(1)
        self.seen = re.search(r'data-seen="([^"]*)"', text).group(1)
        return text

    def act(self, name, **fields):
        with self.ask("POST", f"/actions/{name}", {"token": self.token, **fields}) as answer:
            answer.read()
            return answer.status

    def stream(self, page, last=None):
        headers = {"Last-Event-ID": last} if last else {}
        return Stream(self.ask("GET", f"/events?page={page}&seen={self.seen}", **headers))


class Stream:
    def __init__(self, answer):
        self.answer = answer

    def event(self):
        """The next event, by its fields; `None` at the end of the stream."""
        fields = {}
        # A body that was cut off is an error of the client's; one that has ended is empty.
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif fields:
                return fields
        return None

    def rest(self):
        events = []
        while event := self.event():
            events.append(event)
        return events


class Streams(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)
        self.client = Client(self.server)
        self.addCleanup(self.client.close)

    def test_the_end_is_told_and_when_to_come_again(self):
        self.client.get("/settings")
        stream = self.client.stream("/settings")
        self.assertEqual(stream.event(), {"retry": "1000"})
        self.assertLess(self.server.end(), 6)
        *_, last = stream.rest()
        self.assertIn("The service starts anew", json.loads(last["data"])["regions"]["banner"])
        self.assertEqual(self.server.process.returncode, 0)

        # Who comes again is told that this is over, once, and then what happens after.
        self.server.start()
        stream = self.client.stream("/settings", last["id"])
        self.assertEqual(stream.event(), {"retry": "1000"})
        event = stream.event()
        self.assertEqual(json.loads(event["data"])["regions"]["banner"], "")
        stream = self.client.stream("/settings", event["id"])
        self.assertEqual(stream.event(), {"retry": "1000"})
        self.client.get("/settings")
        self.assertEqual(self.client.act("theme", theme="dark"), 303)
        self.assertEqual(json.loads(stream.event()["data"])["values"], {"theme": "dark"})

    def test_somebody_who_reads_nothing_holds_up_nobody(self):
        self.client.get("/")
        slow, quick = self.client.stream("/"), self.client.stream("/")
        for number in range(100):
            self.assertEqual(self.client.act("search", q=["parser", "http"][number % 2]), 303)
        self.client.act("search", q="json")
        seen = []
        for stream in [quick, slow]:
            count = 0
            while event := stream.event():
                count += 1
                status = json.loads(event.get("data", "{}")).get("regions", {}).get("status", "")
                if "repositories for “json”" in status:
                    break
            seen.append(event["id"])
        self.assertEqual(seen[0], seen[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
