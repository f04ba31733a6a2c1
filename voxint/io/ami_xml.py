"""The AMI corpus's meetings.xml: who takes part in which meeting.

Elements and attributes are told by their local names, whatever their namespace. Entity declarations and external
entities are refused, and nothing outside the file is ever opened. Every fault of a file is reported at once, by line
and column; XML that is not well formed ends the reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from xml.sax import SAXParseException, handler
from xml.sax.xmlreader import AttributesNSImpl, InputSource, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from voxint.corpus import Participant
from voxint.errors import SHOWN_FAULTS, ContractError, Fault, quoted
from voxint.io.source import Source


def meetings(source: str) -> dict[str, tuple[Participant, ...]]:
    """The participants of each meeting of a meetings.xml (`-` is standard input), in the order of the file.

    Raises:
        ContractError: it is no XML, declares or asks for an entity, or has no meeting; a meeting has no observation, no
            speaker, or stands twice; a speaker has no nxt_agent or global_name, or stands twice in a meeting.
        InputError: the file cannot be read, or is UTF-16.
    """
    origin = Source(source)
    stream = InputSource(origin.file)
    stream.setByteStream(BytesIO(origin.read()))
    found = _Meetings(origin)
    parser = DefusedExpatParser(forbid_dtd=False, forbid_entities=True, forbid_external=True)
    parser.setFeature(handler.feature_namespaces, True)  # noqa: FBT003
    parser.setContentHandler(found)
    try:
        parser.parse(stream)
    except SAXParseException as error:
        found.add(f"is not well-formed XML: {error.getMessage()}", error.getLineNumber(), error.getColumnNumber())
    except DefusedXmlException:
        message = "declares or asks for an XML entity, which is refused: put its text in its place"
        found.add(message, parser.getLineNumber(), parser.getColumnNumber())
    except (LookupError, ValueError) as error:
        found.add(f"cannot be decoded as its first line declares: {error}", parser.getLineNumber(), None)
    return found.close()


class _Meetings(handler.ContentHandler):
    """Collects meetings and faults as the parser goes."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self._faults: list[Fault] = []
        self._n_faults = 0
        self._found: dict[str, list[Participant]] = {}
        self._lines: dict[str, int | None] = {}
        self._open: str | None = None
        self._has_speaker = False
        self._at: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 - the name is SAX's
        """Keeps what knows the line."""
        self._at = locator

    def startElementNS(  # noqa: N802 - the name is SAX's
        self, name: tuple[str | None, str], qname: str | None, attrs: AttributesNSImpl
    ) -> None:
        """Takes in a meeting or a speaker; all else is passed over."""
        values = {local: value for (_, local), value in attrs.items()}
        if name[1] == "meeting":
            self._meeting(values)
        elif name[1] == "speaker":
            self._speaker(values)

    def endElementNS(self, name: tuple[str | None, str], qname: str | None) -> None:  # noqa: N802 - the name is SAX's
        """Closes a meeting."""
        if name[1] == "meeting" and self._open is not None:
            if not self._has_speaker:
                self._here(f"meeting {quoted(self._open)} has no speaker")
            self._open = None

    def add(self, message: str, line: int | None, column: int | None) -> None:
        """Keeps a fault if it is among the first, and counts it; SAX counts columns from 0."""
        self._n_faults += 1
        if len(self._faults) < SHOWN_FAULTS:
            self._faults.append(Fault(message, self._source.file, line, None if column is None else column + 1))

    def close(self) -> dict[str, tuple[Participant, ...]]:
        """The meetings; ContractError if anything was wrong."""
        if not self._found and not self._n_faults:
            self.add("has no meeting", None, None)
        if self._n_faults:
            raise ContractError(self._faults, self._n_faults)
        return {meeting_id: tuple(people) for meeting_id, people in self._found.items()}

    def _meeting(self, values: Mapping[str, str]) -> None:
        meeting_id = values.get("observation", "")
        if not meeting_id:
            self._here("a meeting must have an observation, which is its id")
            return
        if not self._is_visible("observation", meeting_id):
            return
        if meeting_id in self._found:
            self._here(f"meeting {quoted(meeting_id)} stands twice (see line {self._lines[meeting_id]})")
            return
        self._open, self._has_speaker = meeting_id, False
        self._found[meeting_id] = []
        self._lines[meeting_id] = None if self._at is None else self._at.getLineNumber()

    def _speaker(self, values: Mapping[str, str]) -> None:
        if self._open is None:
            return
        self._has_speaker = True
        absent = [name for name in ("nxt_agent", "global_name") if not values.get(name)]
        if absent:
            self._here(f"a speaker must have {' and '.join(absent)}")
            return
        if not all(self._is_visible(name, values[name]) for name in ("nxt_agent", "global_name")):
            return
        people = self._found[self._open]
        new = Participant(values["nxt_agent"], values["global_name"], values.get("channel"))
        for name in ("nxt_agent", "global_name"):
            if any(getattr(person, name) == getattr(new, name) for person in people):
                self._here(f"{name} {quoted(getattr(new, name))} stands twice in meeting {quoted(self._open)}")
                return
        people.append(new)

    def _is_visible(self, name: str, text: str) -> bool:
        """Whether an id can be told from another one by eye; a fault where it cannot."""
        if not text.isprintable():
            self._here(f"{name} has a character that cannot be seen: {quoted(text)}")
        return text.isprintable()

    def _here(self, message: str) -> None:
        at = self._at
        self.add(message, None if at is None else at.getLineNumber(), None if at is None else at.getColumnNumber())
