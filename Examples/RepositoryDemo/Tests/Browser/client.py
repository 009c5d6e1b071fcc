"""A visitor without a browser, by a plain HTTP client over sockets."""

import http.client
import re
import socket
import urllib.parse


class Client:
    """A visitor without a browser."""

    def __init__(self, server):
        self.server, self.cookies, self.connections = server, {}, []

    def close(self):
        for connection in self.connections:
            connection.close()

    def begin(self, method, path, body=None, small=False, **headers):
        """A request whose answer is not read yet; with `small`, the system buffers only little of it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        self.connections.append(connection)
        if small:
            connection.sock = socket.socket()
            connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
            connection.sock.settimeout(20)
            connection.sock.connect(("127.0.0.1", self.server.port))
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urllib.parse.urlencode(body)
        connection.request(method, path, body, headers)
        return connection

    def ask(self, *arguments, **options):
        """An answer, of which nothing has been read."""
        answer = self.begin(*arguments, **options).getresponse()
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

    def stream(self, page, last=None, small=False):
        headers = {"Last-Event-ID": last} if last else {}
        path = f"/events?page={page}&seen={self.seen}"
        return Stream(self.ask("GET", path, small=small, **headers))


class Stream:
    def __init__(self, answer):
        self.answer = answer

    def event(self):
        """The fields of the next event; `None` at the end of the stream."""
        fields = {}
        # A truncated body is an error of the client library; one that has ended is empty.
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
