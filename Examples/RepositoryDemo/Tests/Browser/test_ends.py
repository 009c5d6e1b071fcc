"""How the program ends with work in progress, and its limits; `make test-web` runs it."""

import json
import select
import signal
import tempfile
import time
import unittest

from browser import Server
from client import Client


class EndTest(unittest.TestCase):
    def serve(self, *arguments, **options):
        server = Server(*arguments, **options)
        self.addCleanup(server.close)
        return server, self.client(server)

    def client(self, server):
        client = Client(server)
        self.addCleanup(client.close)
        return client

    def again(self, connection):
        connection.request("GET", "/health")
        with connection.getresponse() as answer:
            answer.read()
            return answer.status

    def region(self, event, name):
        return json.loads(event.get("data", "{}")).get("regions", {}).get(name, "")

    def until(self, stream, name, text):
        """Reads a stream until a region of its page contains a text."""
        while event := stream.event():
            if text in self.region(event, name):
                return event
        self.fail(f"“{text}” has not been told")


class Ends(EndTest):
    def test_what_runs_comes_to_its_end(self):
        log = tempfile.TemporaryFile()
        self.addCleanup(log.close)
        server, client = self.serve("--latency", "1500", "--log-level", "trace", log=log)
        client.get("/settings")
        stream = client.stream("/")
        self.until(stream, "status", "3,000 repositories")
        search = client.begin("POST", "/actions/search", {"token": client.token, "q": "parser"})
        self.until(stream, "status", "Searching for “parser”")
        server.process.send_signal(signal.SIGTERM)
        # The page is notified while the search is still running.
        self.until(stream, "banner", "The service starts anew")
        self.assertEqual(search.getresponse().status, 303)
        self.assertEqual(server.process.wait(10), 0)
        log.seek(0)
        lines = [json.loads(line) for line in log if line.startswith(b"{")]
        done = [line["action"].split("#")[0] for line in lines
                if line.get("reactor") == "ListsReactor" and "'everything.loaded'" in line["message"]]
        self.assertEqual(done, ["list", "list"])

    def test_what_takes_longer_is_given_five_seconds(self):
        server, client = self.serve("--latency", "60000")
        client.get("/")
        stream = client.stream("/")
        took = server.end()
        self.assertGreater(took, 4)
        self.assertLess(took, 6.5)
        self.assertEqual(server.process.returncode, 0)
        self.assertIn("The service starts anew", self.region(stream.rest()[-1], "banner"))

    def test_health_says_whether_it_takes_requests(self):
        server, client = self.serve("--latency", "60000")
        paths = ["/health", "/health/ready", "/health/live"]
        self.assertEqual([client.ask("GET", path).status for path in paths], [200, 200, 200])

    def test_new_work_is_refused_from_then_on(self):
        server, client = self.serve("--latency", "60000")
        client.get("/")
        stream = client.stream("/")
        # A connection from before the shutdown, and a later one.
        kept = client.begin("GET", "/health")
        self.assertEqual(kept.getresponse().read(), b"")
        server.process.send_signal(signal.SIGTERM)
        self.until(stream, "banner", "The service starts anew")
        # The pages and the server are notified at the same time, and either may be first.
        limit = time.monotonic() + 4
        while not self.refuses(lambda: self.again(kept)):
            self.assertLess(time.monotonic(), limit, "it still takes requests")
        self.assertTrue(self.refuses(lambda: client.ask("GET", "/").status))
        self.assertEqual(server.process.wait(10), 0)

    def refuses(self, ask):
        try:
            return ask() == 503
        except (ConnectionError, OSError):
            return True


class Room(EndTest):
    def test_who_comes_when_all_connections_are_taken_waits_until_one_ends(self):
        server, client = self.serve("--connections", "3")
        client.get("/settings")
        stream = client.stream("/settings")
        kept = client.begin("GET", "/health")
        self.assertEqual(kept.getresponse().read(), b"")
        late = client.begin("GET", "/health")
        for _ in range(20):
            self.assertEqual(self.again(kept), 200)
        self.assertEqual(select.select([late.sock], [], [], 0)[0], [], "it was answered")
        client.connections[0].close()
        self.assertEqual(late.getresponse().status, 200)
        self.assertEqual(stream.event(), {"retry": "1000"})

    def test_a_seat_is_used_again_when_its_visitor_has_gone(self):
        server, client = self.serve("--sessions", "1", "--idle", "2")
        client.get("/settings")
        stream = client.stream("/settings")
        self.assertEqual(stream.event(), {"retry": "1000"})
        other = self.client(server)
        self.assertEqual(other.ask("GET", "/settings").status, 503)
        client.close()
        limit = time.monotonic() + 20
        while other.ask("GET", "/settings").status != 200:
            self.assertLess(time.monotonic(), limit, "the seat was not given back")


if __name__ == "__main__":
    unittest.main(verbosity=2)
