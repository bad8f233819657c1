"""Runs Lambda functions as child processes of LocalStack, inside the same container.

LocalStack's only bundled executor starts one Docker container per execution environment and always
pulls its image. This one needs neither a Docker socket nor a registry. Each execution environment is
one child process talking to a private Runtime API server. Node.js functions run under AWS's own runtime
interface client, on the container's one Node.js, whatever version and architecture they ask for.

Select it with LAMBDA_RUNTIME_EXECUTOR=local.
"""

import json
import logging
import math
import os
import tempfile
import threading
import time
from pathlib import Path

from localstack import config
from localstack.services.lambda_.invocation.executor_endpoint import (
    ShutdownDuringStartup,
    StatusErrorException,
)
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import (
    LambdaRuntimeException,
    RuntimeExecutor,
)
from penstock_localstack.runtime_api import Event, Work
from penstock_localstack.sandbox import Sandbox, exit_error

LOG = logging.getLogger(__name__)

GATEWAY_HOST = "127.0.0.1"
RUNTIME_DIR = "/var/runtime"
MAX_RESPONSE_BYTES = 6 * 1024 * 1024 + 100

# Variables LocalStack adds for its own init program; the function must not see them.
INTERNAL_VARIABLES = (
    "LOCALSTACK_RUNTIME_ID",
    "LOCALSTACK_RUNTIME_ENDPOINT",
    "LOCALSTACK_FUNCTION_ACCOUNT_ID",
    "AWS_LAMBDA_FUNCTION_TIMEOUT",
)


class LocalRuntimeExecutor(RuntimeExecutor):
    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id=id, function_version=function_version)
        self.env: dict[str, str] = {}
        self.sandbox: Sandbox | None = None
        self.stopped = False
        self.lock = threading.RLock()
        fd, self.log_path = tempfile.mkstemp(prefix=f"lambda-{id}-", suffix=".log")
        os.close(fd)
        self.log_offset = 0

    # --- what LocalStack calls -------------------------------------------------------------------

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        cls._command(function_version)  # an unsupported runtime fails here: function state Failed
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        pass

    @classmethod
    def validate_environment(cls) -> bool:
        return True

    def get_address(self) -> str:
        return GATEWAY_HOST

    def get_endpoint_from_executor(self) -> str:
        return GATEWAY_HOST

    def get_runtime_endpoint(self) -> str:
        return f"http://{GATEWAY_HOST}:{config.GATEWAY_LISTEN[0].port}/_localstack_lambda/{self.id}"

    def get_logs(self) -> str:
        try:
            return Path(self.log_path).read_text(errors="replace")
        except OSError:
            return ""

    def start(self, env_vars: dict[str, str]) -> None:
        self.env = self._child_env(env_vars)
        self._start_sandbox()

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            if self.sandbox:
                self.sandbox.close()
        Path(self.log_path).unlink(missing_ok=True)

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        request_id = payload["invoke-id"]
        timeout = self.function_version.config.timeout
        began = time.monotonic()
        event = sandbox = None
        for _ in range(2):
            if not (self.sandbox and self.sandbox.alive):
                try:
                    # As on AWS, an init after a crash counts towards the invocation's time.
                    ready = self._start_sandbox(timeout)
                except StatusErrorException as e:
                    event = Event("error", request_id, e.payload)
                    break
                if not ready:
                    event = None
                    break
            sandbox = self.sandbox
            work = Work(
                request_id=request_id,
                arn=payload["invoked-function-arn"],
                body=payload["payload"].encode() or b"{}",
                trace_id=payload.get("trace-id") or "",
                deadline_ms=int((time.time() + timeout) * 1000),
            )
            event = sandbox.run(work, timeout)
            # A child that was already leaving never saw this event: give it to a fresh one.
            if not (event and event.kind == "exit" and not work.taken and not self.stopped):
                break
            sandbox.close()

        elapsed_ms = (time.monotonic() - began) * 1000
        memory = sandbox.peak_memory_mb() if sandbox else 0
        status, body = "", b""
        if event is None:
            status = "\tStatus: timeout"
            message = f"RequestId: {request_id} Error: Task timed out after {timeout:.2f} seconds"
            body = json.dumps({"errorType": "Sandbox.Timedout", "errorMessage": message}).encode()
            self.sandbox.close()
        elif event.kind == "exit":
            body = exit_error(request_id, event.code)
            sandbox.close()
        else:
            body = event.body
        is_error = event is None or event.kind != "response"
        if not is_error and len(body) > MAX_RESPONSE_BYTES:
            is_error = True
            body = json.dumps(
                {
                    "errorType": "Function.ResponseSizeTooLarge",
                    "errorMessage": f"Response payload size ({len(body)} bytes) exceeded the limit.",
                }
            ).encode()
        return InvocationResult(
            request_id=request_id,
            payload=body,
            is_error=is_error,
            logs=self._invocation_log(request_id, elapsed_ms, memory, status),
        )

    # --- helpers ---------------------------------------------------------------------------------

    @staticmethod
    def _command(function_version: FunctionVersion) -> list[str]:
        runtime = str(function_version.config.runtime or "")
        if runtime.startswith("nodejs"):
            return ["node", f"{RUNTIME_DIR}/bootstrap.mjs"]
        if runtime.startswith("provided"):
            code = function_version.config.code.get_unzipped_code_location()
            return [str(Path(code) / "bootstrap")]
        raise LambdaRuntimeException(
            f"The local executor runs nodejs* and provided* functions, not '{runtime}'"
        )

    def _child_env(self, env_vars: dict[str, str]) -> dict[str, str]:
        env = {
            "PATH": os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin"),
            "LANG": "en_US.UTF-8",
            "HOME": "/tmp",
        }
        env |= {k: str(v) for k, v in env_vars.items() if k not in INTERNAL_VARIABLES}
        env["LAMBDA_TASK_ROOT"] = str(
            self.function_version.config.code.get_unzipped_code_location()
        )
        env["LAMBDA_RUNTIME_DIR"] = RUNTIME_DIR
        env["AWS_EXECUTION_ENV"] = f"AWS_Lambda_{self.function_version.config.runtime}"
        return env

    def _start_sandbox(self, timeout: float | None = None) -> bool:
        """False when the init phase did not end in time. The first has LocalStack's own start timer."""
        with self.lock:
            if self.stopped:
                raise ShutdownDuringStartup("The execution environment was stopped")
            sandbox = self.sandbox = Sandbox(
                self._command(self.function_version),
                self.env,
                self.env["LAMBDA_TASK_ROOT"],
                self.log_path,
            )
        event = sandbox.wait_ready(timeout)
        if event and event.kind == "ready":
            return True
        sandbox.close()
        if self.stopped:
            raise ShutdownDuringStartup("The execution environment was stopped")
        if event is None:
            return False
        body = event.body or exit_error("unknown", event.code)
        LOG.warning(
            "Init of %s failed: %s", self.function_version.qualified_arn, body.decode(errors="replace")
        )
        raise StatusErrorException("Environment startup failed", payload=body)

    def _invocation_log(self, request_id: str, elapsed_ms: float, memory: int, status: str) -> str:
        try:
            with open(self.log_path, "rb") as f:
                f.seek(self.log_offset)
                printed = f.read()
        except OSError:
            printed = b""
        self.log_offset += len(printed)
        text = printed.decode(errors="replace")
        if text and not text.endswith("\n"):
            text += "\n"
        cfg = self.function_version.config
        return (
            f"START RequestId: {request_id} Version: {self.function_version.id.qualifier}\n"
            f"{text}END RequestId: {request_id}\n"
            f"REPORT RequestId: {request_id}\tDuration: {elapsed_ms:.2f} ms\t"
            f"Billed Duration: {math.ceil(elapsed_ms)} ms\tMemory Size: {cfg.memory_size} MB\t"
            f"Max Memory Used: {memory} MB{status}\n"
        )
