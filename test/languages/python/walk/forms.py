"""Writes one request of each operation, for a server that only records what it is sent."""

import inspect
import os
import typing
from enum import Enum

import turnkey_sdk_types
from turnkey_http import TurnkeyClient

from .setting import KeyPair, client_with

ID = "00000000-0000-4000-8000-000000000001"


def send_forms() -> None:
    keys = KeyPair(os.environ["API_PUBLIC_KEY"], os.environ["API_PRIVATE_KEY"])
    client = client_with(os.environ["BASE_URL"], keys, os.environ["ORGANIZATION_ID"])
    for full in (False, True):
        for name, method in inspect.getmembers(client, inspect.ismethod):
            takes = inspect.signature(method).parameters.get("input")
            if takes is None or name.startswith("stamp_") and name != "stamp_login":
                continue
            body = value_of(body_type(takes.annotation), name, full)
            if "timestampMs" in type(body).model_fields:
                body.timestampMs = "1700000000000"
            try:
                method(body)
            except turnkey_sdk_types.TurnkeyNetworkError:
                pass  # The recorder refuses everything.


def body_type(annotation):
    """The type of a body, which a few operations let their caller leave out."""
    inner = [one for one in typing.get_args(annotation) if one is not type(None)]
    return inner[0] if inner else annotation


def value_of(kind, name: str, full: bool):
    """A value of the type: what is optional is left out, or an object where `full`; lists are empty, or hold one."""
    arguments = typing.get_args(kind)
    if type(None) in arguments:
        inner = next(one for one in arguments if one is not type(None))
        return value_of(inner, name, full) if full and hasattr(inner, "model_fields") else None
    if typing.get_origin(kind) is list:
        return [value_of(arguments[0], name, full)] if full else []
    if typing.get_origin(kind) is dict:
        return {}
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return list(kind)[0]
    if hasattr(kind, "model_fields"):
        hints = typing.get_type_hints(kind)
        values = {field: value_of(hints[field], field, full) for field in kind.model_fields}
        return kind(**{field: value for field, value in values.items() if value is not None})
    if kind is str:
        return "" if not full else ID if name.endswith(("Id", "Ids")) else "1"
    return kind(full)
