"""Log lines: one JSON object each, of the site's requests and of the server's own troubles."""

import json
import logging
import re
import time
from contextvars import ContextVar
from typing import ClassVar

#: The id of the request at hand, so that everything logged about it can be found.
request_id: ContextVar[str] = ContextVar("request_id")


class JsonFormatter(logging.Formatter):
    """One JSON object per line; a traceback stays inside its line, a query stays out of it."""

    FIELDS: ClassVar = ("method", "path", "status", "ms", "bytes")
    QUERY: ClassVar = re.compile(r"\?[^\s'\"]*")

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {"time": f"{stamp}.{record.msecs:03.0f}Z"}
        line["level"] = record.levelname.lower()
        if found := getattr(record, "id", request_id.get("")):
            line["id"] = found
        fields = {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        line |= fields or {"message": self.QUERY.sub("?…", record.getMessage())}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
