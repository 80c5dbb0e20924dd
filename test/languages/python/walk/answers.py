"""The client reads every answer into its types, and refuses what does not fit them."""

import inspect

import turnkey_sdk_types
from turnkey_sdk_types import GetActivitiesBody, v1Pagination

from .forms import body_type, value_of
from .setting import Setting

PAGE = 25


def every_query(here: Setting) -> None:
    for name, method in inspect.getmembers(here.client, inspect.ismethod):
        takes = inspect.signature(method).parameters.get("input")
        if takes is None or not name.startswith(("get_", "list_")):
            continue
        try:
            method(value_of(body_type(takes.annotation), name, full=False))
        except turnkey_sdk_types.TurnkeyNetworkError as error:
            # A refusal is an answer too.
            assert error.status_code == 501 or 400 <= error.status_code < 500, f"{name}: {error}"


def every_activity(here: Setting) -> None:
    seen: list[str] = []
    while True:
        page = v1Pagination(limit=str(PAGE), after=seen[-1] if seen else None)
        activities = here.client.get_activities(GetActivitiesBody(paginationOptions=page)).activities
        if not activities:
            break
        seen += [activity.id for activity in activities]
    assert len(set(seen)) == len(seen) > PAGE, "an activity stands on two pages, or not all are listed"
