"""A server to be loaded, visitors of it, and wrk: the tools that `load` measures with."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("REPOSITORY_DEMO", str(ROOT / ".build/release/RepositoryDemo"))
CONNECTIONS = 32

# Each request by another one of the visitors in a file, or by a new visitor each time.
SCRIPT = """
local cookies, number = {}, 0
for line in io.lines("%s") do cookies[#cookies + 1] = line end
request = function()
  number = number %% #cookies + 1
  return wrk.format("GET", "/", {["Cookie"] = cookies[number]})
end
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """The program on a port of its own, with a GitHub that answers at once and without a rate limit."""

    def __init__(self, *arguments):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), "--rate", "0", "--sessions-per-address", "0", "--announcements", "0",
             "--latency", "0", "--allowance", "1000000000", "--log-level", "error", *arguments],
            stdout=subprocess.DEVNULL)
        for _ in range(400):
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                time.sleep(0.05)
        sys.exit(f"error: {PROGRAM} does not answer; is it built?")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def cpu(self):
        """The processor time that it has used, in seconds."""
        fields = self.stat("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """The memory that it uses, in bytes."""
        return int(re.search(r"VmRSS:\s+(\d+)", self.stat("status")).group(1)) * 1024

    def stat(self, name):
        return pathlib.Path(f"/proc/{self.process.pid}/{name}").read_text()

    def get(self, path="/", cookie=None):
        """The status, the headers and the text of an answer."""
        request = urllib.request.Request(self.url + path, headers={"Cookie": cookie} if cookie else {})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def visitor(self, path="/"):
        """The cookie and the page of a new visitor."""
        status, headers, text = self.get(path)
        assert status == 200, (status, text)
        return (headers["Set-Cookie"] or "").split(";")[0], text


def visitors(server, count):
    """That many cookies of visitors who have all loaded the list."""
    cookies = []
    connection = socket.create_connection(("127.0.0.1", server.port))
    reader = connection.makefile("rb")
    for _ in range(count):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        status, length, cookie = reader.readline(), 0, None
        while (line := reader.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
            if name.lower() == "set-cookie":
                cookie = value.strip().split(";")[0]
        text = reader.read(length)
        assert b" 200 " in status and cookie, (status, text)
        cookies.append(cookie)
    connection.close()
    return cookies


class Load:
    """A running wrk."""

    def __init__(self, server, seconds, cookies=(), connections=CONNECTIONS):
        self.server, self.before = server, server.cpu()
        self.files = tempfile.TemporaryDirectory()
        arguments = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
        if cookies:
            folder = pathlib.Path(self.files.name)
            (folder / "cookies").write_text("\n".join(cookies))
            (folder / "wrk.lua").write_text(SCRIPT % (folder / "cookies"))
            arguments += ["-s", str(folder / "wrk.lua")]
        self.process = subprocess.Popen(
            [*arguments, server.url + "/"], stdout=subprocess.PIPE, text=True)

    def end(self):
        """Requests/s, the 99th percentile in ms, processor time for each in µs, and the number of refusals."""
        text, _ = self.process.communicate()
        cpu = self.server.cpu() - self.before
        self.files.cleanup()
        late, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", text).groups()
        count = int(re.search(r"(\d+) requests in", text).group(1))
        refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
        return (float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
                float(late) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit], cpu / count * 1e6,
                int(refused.group(1)) if refused else 0, count)
