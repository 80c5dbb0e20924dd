"""Walks through a running service with the published client, one step after another; ends with 1 where one failed."""

import sys
import traceback

from .access import codes_and_sessions
from .answers import every_activity, every_query
from .forms import send_forms
from .keys import imports_and_exports, keys, wallets
from .others import one_of_each, own_features
from .people import approval, organizations, policies, users, whoami
from .setting import setting
from .signing import raw_payloads, structured_payloads, transactions

STEPS = [
    whoami,
    organizations,
    users,
    policies,
    keys,
    wallets,
    raw_payloads,
    structured_payloads,
    transactions,
    approval,
    imports_and_exports,
    codes_and_sessions,
    one_of_each,
    own_features,
    every_query,
    every_activity,
]


def walk() -> int:
    here = setting()
    failed = 0
    for step in STEPS:
        try:
            step(here)
            print(f"ok {step.__name__}")
        except Exception:
            failed += 1
            print(f"failed {step.__name__}: {traceback.format_exc()}")
    return 1 if failed > 0 else 0


if sys.argv[1:] == ["forms"]:
    send_forms()
else:
    sys.exit(walk())
