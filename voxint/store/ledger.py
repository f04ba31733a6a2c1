"""The ledger of operator actions: a key is used once, and its exact repetition returns the first outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.store.v1 import ActionReport, Ruling, StoreAction

from voxint.errors import ConflictError, InputError, quoted
from voxint.semantics_store import text_fault
from voxint.store.moments import moment_text
from voxint.store.tables import AdjudicationDecision, OperatorAction, Speaker
from voxint.text import identity_form


@dataclass(frozen=True, slots=True)
class Asked:
    """An action as it was asked for: what, by whom, under which key, with which arguments, and when.

    `arguments` are texts or null; with the operator they are what a repetition must share to be one.
    """

    action: StoreAction
    operator: str
    idempotency_key: str
    arguments: Mapping[str, str | None]
    now: datetime

    def request(self) -> str:
        """The arguments and the operator as one canonical text."""
        texts = {**self.arguments, "operator": self.operator}
        return "".join(
            f"{name}={'' if text is None else quoted(text, len(text))}\n" for name, text in sorted(texts.items())
        )


def asked(action: StoreAction, operator: str, idempotency_key: str, now: datetime, **arguments: str | None) -> Asked:
    """The action, its texts in their identity form.

    Raises:
        InputError: the operator, the key or an argument is blank or holds a character that cannot be seen.
    """
    texts = {"operator": operator, "idempotency_key": idempotency_key, **arguments}
    faults = [f"{name}: {text_fault(text)}" for name, text in texts.items() if text is not None and text_fault(text)]
    if faults:
        raise InputError("; ".join(faults))
    forms = {name: None if text is None else identity_form(text) for name, text in arguments.items()}
    return Asked(action, identity_form(operator), identity_form(idempotency_key), forms, now)


def replayed(session: Session, ask: Asked) -> ActionReport | None:
    """What came of the action when it was first done; None if its key is new.

    Raises:
        ConflictError: the key was used for something else.
    """
    done = session.get(OperatorAction, ask.idempotency_key)
    if done is None:
        return None
    if done.action != ask.action.value or done.request != ask.request():
        raise ConflictError(
            f"the idempotency key {quoted(ask.idempotency_key)} was used for another action: "
            f"{done.action} by {quoted(done.operator)} at {moment_text(done.created_at)}"
        )
    return report(session, done, is_replay=True)


def record(session: Session, ask: Asked, speaker_id: str | None) -> OperatorAction:
    """Writes the action into the ledger, before what it did; the session is flushed."""
    done = OperatorAction(
        idempotency_key=ask.idempotency_key,
        action=ask.action.value,
        request=ask.request(),
        speaker_id=speaker_id,
        operator=ask.operator,
        created_at=ask.now,
    )
    session.add(done)
    session.flush()
    return done


def report(session: Session, done: OperatorAction, *, is_replay: bool) -> ActionReport:
    """What an action did, from the ledger alone: names are those of today."""
    key = done.idempotency_key
    ruling = session.scalar(select(AdjudicationDecision).where(AdjudicationDecision.idempotency_key == key))
    speaker = None if done.speaker_id is None else session.get(Speaker, done.speaker_id)
    into = speaker.merged_into_id if speaker is not None and done.action == StoreAction.MERGE.value else None
    named: dict[str, Any] = {"display_name": None if speaker is None else speaker.display_name}
    ruled: dict[str, Any] = dict.fromkeys(("run_id", "label", "decision"))
    if ruling is not None:
        ruled = {"run_id": ruling.run_id, "label": ruling.label, "decision": Ruling(ruling.decision)}
    return ActionReport(
        schema_version=1,
        kind="action_report",
        action=StoreAction(done.action),
        replayed=is_replay,
        idempotency_key=key,
        operator=done.operator,
        created_at=moment_text(done.created_at),
        speaker_id=done.speaker_id,
        merged_into_id=into,
        **named,
        **ruled,
    )
