"""One of each other thing that an organization may hold, so that the client reads each of them."""

import json
import time
import urllib.request

from turnkey_sdk_types import *

from .people import a_user
from .setting import Setting

INTERFACE = [{"type": "function", "name": "burn", "inputs": [{"name": "amount", "type": "uint256"}]}]


def one_of_each(here: Setting) -> None:
    user_id, _ = a_user(here, "With a second factor")
    here.client.create_mfa_policy(
        CreateMfaPolicyBody(
            userId=user_id,
            mfaPolicyName="Sign with a passkey too",
            condition="activity.action == 'SIGN'",
            requiredAuthenticationMethods=[{"any": [{"type": "AUTHENTICATION_TYPE_PASSKEY"}]}],
            order=0,
        )
    )
    here.client.create_invitations(
        CreateInvitationsBody(
            invitations=[
                {
                    "receiverUserName": "Invited",
                    "receiverUserEmail": "invited@example.com",
                    "receiverUserTags": [],
                    "accessType": "ACCESS_TYPE_WEB",
                    "senderUserId": here.user_id,
                }
            ]
        )
    )
    here.client.create_policies(
        CreatePoliciesBody(
            policies=[{"policyName": "Nobody deletes", "effect": "EFFECT_DENY", "condition": "false", "notes": ""}]
        )
    )
    here.client.create_private_key_tag(CreatePrivateKeyTagBody(privateKeyTagName="Cold", privateKeyIds=[]))
    here.client.create_session_profile(
        CreateSessionProfileBody(sessionProfileName="Signs only", scope="activity.action == 'SIGN'")
    )
    here.client.create_webhook_endpoint(
        CreateWebhookEndpointBody(
            url="https://example.com/hooks", name="Ledger", subscriptions=[{"eventType": "ACTIVITY_UPDATES"}]
        )
    )
    here.client.set_ip_allowlist(SetIpAllowlistBody(enabled=True, rules=[{"cidr": "127.0.0.1/32", "label": "Here"}]))
    contract = here.client.create_smart_contract_interface(
        CreateSmartContractInterfaceBody(
            smartContractAddress="0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
            smartContractInterface=json.dumps(INTERFACE),
            type="SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM",
            label="A token",
        )
    )
    stored = here.client.get_smart_contract_interface(
        GetSmartContractInterfaceBody(smartContractInterfaceId=contract.smartContractInterfaceId)
    ).smartContractInterface
    assert json.loads(stored.smartContractInterface) == INTERFACE
    assert here.client.get_ip_allowlist(GetIpAllowlistBody()).allowlist.rules[0].cidr == "127.0.0.1/32"
    assert here.client.get_user(GetUserBody(userId=user_id)).user.mfaPolicies[0].order == 0


def own_features(here: Setting) -> None:
    """What this service has and nobody has published stays out of what the client reads."""
    for name in ("FEATURE_NAME_WEBAUTHN_USER_VERIFICATION", "FEATURE_NAME_RAW_SIGNING_GUARD"):
        body = {
            "type": "ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE",
            "timestampMs": str(int(time.time() * 1000)),
            "organizationId": here.organization_id,
            "parameters": {"name": name, "value": ""},
        }
        # The client's own type has no such name.
        text = json.dumps(body)
        stamp = here.client.stamper.stamp(text)
        url = f"{here.base_url}/public/v1/submit/set_organization_feature"
        headers = {stamp.stamp_header_name: stamp.stamp_header_value}
        with urllib.request.urlopen(urllib.request.Request(url, text.encode(), headers)) as answer:
            GetActivityResponse(**json.load(answer))
    here.client.get_organization_configs(GetOrganizationConfigsBody())
    here.client.set_organization_feature(SetOrganizationFeatureBody(name="FEATURE_NAME_SMS_AUTH", value=""))
