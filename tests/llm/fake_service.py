"""A server on this machine that answers as Gemini's REST interface or as OpenAI's chat interface does, by a script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from judge_support import audio_axes, text_axes

ANSWER = json.dumps({"axes": text_axes(), "comment": "made up"})
AUDIO_ANSWER = json.dumps({"axes": audio_axes(), "comment": "made up"})


@dataclass(frozen=True)
class Step:
    """What the server does with one request: answer with a text, a status, or bytes of its own, perhaps late."""

    text: str = ANSWER
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    """stop, length, blocked, refusal."""
    wait_s: float = 0.0
    raw: bytes | None = None
    drip_s: float = 0.0
    """Seconds between the bytes of the body."""


@dataclass
class Service:
    """The server's address, its script, and what it saw. Steps go by number of the request; the last one repeats."""

    address: str
    steps: list[Step]
    choose: Callable[[dict[str, Any]], Step] | None = None
    requests: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    busy: int = 0
    most_busy: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def instructions(self) -> list[str]:
        """What the judge was told, a text a request."""
        return [instructions_of(body) for _, _, body in self.requests]


def instructions_of(body: dict[str, Any]) -> str:
    """The system's message in a request of either kind."""
    if "messages" in body:
        return str(next(each["content"] for each in body["messages"] if each["role"] in ("system", "developer")))
    return "".join(part["text"] for part in body["systemInstruction"]["parts"])


@contextmanager
def serving(*steps: Step, choose: Callable[[dict[str, Any]], Step] | None = None) -> Iterator[Service]:
    """A service that follows the steps, on a port of its own, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with service.lock:
                number = len(service.requests)
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.requests.append((self.path, headers, body))
                service.times.append(time.monotonic())
                service.busy += 1
                service.most_busy = max(service.most_busy, service.busy)
            step = choose(body) if choose else service.steps[min(number, len(service.steps) - 1)]
            try:
                time.sleep(step.wait_s)
                _respond(self, step, body)
            except OSError:
                pass
            finally:
                with service.lock:
                    service.busy -= 1

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service = Service(f"http://127.0.0.1:{server.server_port}", list(steps or [Step()]), choose)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _respond(handler: BaseHTTPRequestHandler, step: Step, body: dict[str, Any]) -> None:
    if step.raw is not None:
        data = step.raw
    elif step.status != 200:
        # Servers quote the key and their own address in errors.
        told = {"message": f"bad key {handler.headers.get('authorization')} {handler.headers.get('x-goog-api-key')}"}
        data = json.dumps({"error": {**told, "code": step.status, "status": "FAILED"}}).encode()
    else:
        is_openai = "chat/completions" in handler.path
        data = json.dumps(_openai(step) if is_openai else _gemini(step)).encode()
    handler.send_response(step.status)
    for name, value in {"content-type": "application/json", "content-length": str(len(data)), **step.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    if not step.drip_s:
        handler.wfile.write(data)
        return
    for byte in data:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(step.drip_s)


def _openai(step: Step) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.finish == "refusal":
        message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    finish = {"blocked": "content_filter", "refusal": "stop"}.get(step.finish, step.finish)
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "chat-large-7",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {**usage, "prompt_tokens_details": {"audio_tokens": 0}},
    }


def _gemini(step: Step) -> dict[str, Any]:
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}
    if step.finish == "blocked":
        return {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage}
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}[step.finish]
    candidate = {"content": {"role": "model", "parts": [{"text": step.text}]}, "finishReason": finish}
    details = [{"modality": "AUDIO", "tokenCount": 60}]
    return {
        "candidates": [candidate],
        "usageMetadata": {**usage, "promptTokensDetails": details},
        "modelVersion": "gemini-large-7",
    }
