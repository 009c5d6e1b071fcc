"""The streams with a plain HTTP client, over a socket, also while the program ends; `make test-web` runs it."""

import json
import threading
import unittest

from browser import Server
from client import Client


class Streams(unittest.TestCase):
    def setUp(self):
        self.server = Server("--latency", "0")
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

        # A page that reconnects is notified once that the shutdown is over, and then of later changes.
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

    def test_a_head_has_no_body_also_where_there_is_nothing(self):
        connection = self.client.begin("HEAD", "/")
        for path, status in [("/", 200), ("/nothing", 404), ("/actions/undo", 405)]:
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.read()), (status, b""), path)
            # A body that was sent all the same would be read as the next answer.
            connection.request("HEAD", {"/": "/nothing", "/nothing": "/actions/undo"}.get(path, "/"))
        self.assertEqual(connection.getresponse().status, 200)

    def test_somebody_who_reads_nothing_costs_one_state_and_holds_up_nobody(self):
        self.client.get("/?q=parser")
        slow, quick = self.client.stream("/", small=True), self.client.stream("/")
        counts = {}

        def read(stream):
            counts[stream] = 0
            while event := stream.event():
                counts[stream] += 1
                status = json.loads(event.get("data", "{}")).get("regions", {}).get("status", "")
                if "repositories for “json”" in status:
                    return

        reader = threading.Thread(target=read, args=[quick])
        reader.start()
        # Each of these sends the whole page again: more than systems buffer for a connection.
        for number in range(600):
            self.assertEqual(self.client.act("search", q=["parser", "router"][number % 2]), 303)
        self.client.act("search", q="json")
        reader.join(20)
        self.assertFalse(reader.is_alive(), "who reads has been held up")
        read(slow)
        # What it received before its connection was full, and then the current state.
        self.assertLess(counts[slow], counts[quick] / 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
