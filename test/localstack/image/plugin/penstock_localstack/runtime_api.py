"""The Runtime API of one execution environment: the HTTP interface AWS documents for custom runtimes."""

import logging
import queue
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

LOG = logging.getLogger(__name__)

API_PREFIX = "/2018-06-01/runtime/"


class Event(NamedTuple):
    kind: str  # ready | init_error | response | error | exit
    request_id: str = ""
    body: bytes = b""
    code: int = 0


@dataclass
class Work:
    request_id: str
    arn: str
    body: bytes
    trace_id: str
    deadline_ms: int
    taken: bool = False


class RuntimeApi(ThreadingHTTPServer):
    """The Runtime API of one child process, on a free loopback port."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), RuntimeApiHandler)
        self.work: queue.Queue[Work | None] = queue.Queue()
        self.events: queue.Queue[Event] = queue.Queue()
        self.ready = False
        threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        LOG.debug("Runtime API connection from %s ended early", client_address)

    def close(self):
        self.work.put(None)
        self.shutdown()
        self.server_close()


class RuntimeApiHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # one packet per reply; small unbuffered writes cost 40 ms each
    server: RuntimeApi

    def log_message(self, *args):
        pass

    def reply(self, status: int, body: bytes = b'{"status":"OK"}', headers: dict | None = None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def read_body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass  # trailers
        return b"".join(chunks)

    def do_GET(self):
        if self.path != f"{API_PREFIX}invocation/next":
            return self.reply(404)
        if not self.server.ready:
            self.server.ready = True
            self.server.events.put(Event("ready"))
        work = self.server.work.get()
        if work is None:
            self.close_connection = True
            return None
        work.taken = True
        self.reply(
            200,
            work.body,
            {
                "Lambda-Runtime-Aws-Request-Id": work.request_id,
                "Lambda-Runtime-Deadline-Ms": str(work.deadline_ms),
                "Lambda-Runtime-Invoked-Function-Arn": work.arn,
                "Lambda-Runtime-Trace-Id": work.trace_id,
            },
        )
        return None

    def do_POST(self):
        body = self.read_body()
        parts = self.path.removeprefix(API_PREFIX).split("/")
        match parts:
            case ["init", "error"]:
                self.server.events.put(Event("init_error", body=body))
            case ["invocation", request_id, "response" | "error" as kind]:
                self.server.events.put(Event(kind, request_id, body))
            case _:
                return self.reply(404)
        return self.reply(202)
