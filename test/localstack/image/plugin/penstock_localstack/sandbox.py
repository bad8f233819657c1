"""The child process of one execution environment, and what it answers."""

import json
import math
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path

from penstock_localstack.runtime_api import Event, RuntimeApi, Work


class Sandbox:
    """One child process. It is thrown away after a timeout or an exit, as Lambda does."""

    def __init__(self, command: list[str], env: dict[str, str], cwd: str, log_path: str):
        self.api = RuntimeApi()
        self.events = self.api.events
        self.closed = False
        read_end, write_end = os.pipe()
        env = env | {
            "AWS_LAMBDA_RUNTIME_API": self.api.address,
            "PENSTOCK_RESULT_FD": str(write_end),
        }
        try:
            # O_APPEND to a file: whatever the function printed is there before its result arrives.
            with open(log_path, "ab") as log:
                self.process = subprocess.Popen(
                    command,
                    env=env,
                    cwd=cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    pass_fds=(write_end,),
                    start_new_session=True,
                )
        except Exception:
            os.close(read_end)
            self.api.close()
            raise
        finally:
            os.close(write_end)
        threading.Thread(target=self._read_results, args=(read_end,), daemon=True).start()

    def _read_results(self, fd: int):
        """Frames: a line `kind request-id length`, then that many bytes. End of file = the child is gone."""
        with open(fd, "rb") as pipe:
            while (line := pipe.readline()).endswith(b"\n"):
                kind, request_id, length = line.decode().split()
                body = pipe.read(int(length))
                if len(body) < int(length):
                    break  # killed in the middle of a frame
                self.events.put(Event(kind, request_id, body))
        self.events.put(Event("exit", code=self.process.wait()))

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def wait_ready(self, timeout: float | None) -> Event | None:
        """How the init phase ended, or None when the time is up."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                left = None if end is None else max(0.0, end - time.monotonic())
                event = self.events.get(timeout=left)
            except queue.Empty:
                return None
            if event.kind in ("ready", "init_error", "exit"):
                return event

    def run(self, work: Work, timeout: float) -> Event | None:
        """The result of one invocation, an `exit` event, or None when the time is up."""
        self.api.work.put(work)
        end = time.monotonic() + timeout
        while True:
            try:
                event = self.events.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                return None
            if event.kind == "exit" or event.request_id == work.request_id:
                return event

    def peak_memory_mb(self) -> int:
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            kib = next(ln for ln in status.splitlines() if ln.startswith("VmHWM")).split()[1]
            return math.ceil(int(kib) / 1024)
        except (OSError, StopIteration):
            return 0

    def close(self):
        if self.closed:
            return  # the process id may be somebody else's by now
        self.closed = True
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.api.close()


def exit_error(request_id: str, code: int) -> bytes:
    how = f"exit status {code}" if code >= 0 else f"signal: {signal.Signals(-code).name}"
    return json.dumps(
        {
            "errorType": "Runtime.ExitError",
            "errorMessage": f"RequestId: {request_id} Error: Runtime exited with error: {how}",
        }
    ).encode()
