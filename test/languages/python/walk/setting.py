"""The running service, as the first start of development mode left it, and people who use it."""

import json
import os
import re
import time
import urllib.request
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from turnkey_api_key_stamper import ApiKeyStamper, ApiKeyStamperConfig
from turnkey_http import TurnkeyClient

from .bundles import compressed


@dataclass
class KeyPair:
    """P-256 in hexadecimal: 33 bytes compressed, and 32."""

    public_key: str
    private_key: str


@dataclass
class Setting:
    client: TurnkeyClient
    base_url: str
    organization_id: str
    user_id: str
    signer_key: str
    otp_key: str

    def client_of(self, keys: KeyPair, organization_id: str | None = None) -> TurnkeyClient:
        return client_with(self.base_url, keys, organization_id or self.organization_id)

    def sent_to(self, contact: str, line: str) -> str:
        """The newest line that is like this in a message to the contact, which may take a moment to be sent."""
        for _ in range(200):
            with urllib.request.urlopen(f"{self.base_url}/dev/inbox.json") as answer:
                messages = json.load(answer)["messages"]
            for message in messages:
                found = re.search(line, message["text"], re.MULTILINE)
                if message["to"] == contact and found:
                    return found[0]
            time.sleep(0.05)
        raise AssertionError(f"nothing like {line} was sent to {contact}")


def setting() -> Setting:
    base_url = os.environ["BASE_URL"]
    organization_id = os.environ["ORGANIZATION_ID"]
    root = KeyPair(os.environ["API_PUBLIC_KEY"], os.environ["API_PRIVATE_KEY"])
    return Setting(
        client=client_with(base_url, root, organization_id),
        base_url=base_url,
        organization_id=organization_id,
        user_id=os.environ["ROOT_USER_ID"],
        signer_key=os.environ["SIGNER_PUBLIC_KEY"],
        otp_key=os.environ["OTP_PUBLIC_KEY"],
    )


def client_with(base_url: str, keys: KeyPair, organization_id: str) -> TurnkeyClient:
    stamper = ApiKeyStamper(ApiKeyStamperConfig(keys.public_key, keys.private_key))
    return TurnkeyClient(base_url, stamper, organization_id)


def new_key_pair() -> KeyPair:
    key = ec.generate_private_key(ec.SECP256R1())
    private_key = key.private_numbers().private_value.to_bytes(32, "big")
    return KeyPair(compressed(key.public_key()).hex(), private_key.hex())
