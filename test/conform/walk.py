"""What a person does on their first day, through the client that openapi-python-client made of our document: each answer has its type."""

import sys
import time
from uuid import UUID

sys.path.insert(0, sys.argv[1])

from claviger_client import Client
from claviger_client.api.policy import create_policy
from claviger_client.api.private_key import create_private_keys, sign_raw_payload
from claviger_client.api.query import get_activity, get_wallet, list_activities, list_users, whoami
from claviger_client.api.wallet import create_wallet
from claviger_client.models import *

client = Client(base_url=sys.argv[2])
organization_id = UUID(sys.argv[3])


def envelope(type_):
    return {"type_": type_, "timestamp_ms": str(time.time_ns() // 1_000_000), "organization_id": organization_id}


def answered(answer, type_):
    assert isinstance(answer, type_), answer
    return answer


me = answered(whoami.sync(client=client, body=WhoamiBody(organization_id)), WhoamiResponse200)
users = answered(list_users.sync(client=client, body=ListUsersBody(organization_id)), ListUsersResponse200)
assert me.user_id in [user.user_id for user in users.users]

account = CreateWalletIntentAccountsItem(
    CreateWalletIntentAccountsItemCurve.CURVE_SECP256K1,
    CreateWalletIntentAccountsItemPathFormat.PATH_FORMAT_BIP32,
    "m/44'/60'/0'/0/0",
    CreateWalletIntentAccountsItemAddressFormat.ADDRESS_FORMAT_ETHEREUM,
)
parameters = CreateWalletIntent("Walk", [account])
request = CreateWalletRequest(**envelope("ACTIVITY_TYPE_CREATE_WALLET"), parameters=parameters)
answer = answered(create_wallet.sync(client=client, body=request), CreateWalletResponse200)
created = answer.activity
assert created.status is ActivityStatus.ACTIVITY_STATUS_COMPLETED
wallet = answered(created.result.create_wallet_result, CreateWalletResult)
assert created.votes[0].user.user_id == me.user_id
shown = get_wallet.sync(client=client, body=GetWalletBody(organization_id, wallet.wallet_id))
assert shown.wallet.wallet_name == "Walk"

key = CreatePrivateKeysIntentV2PrivateKeysItem(
    "Walk",
    CreatePrivateKeysIntentV2PrivateKeysItemCurve.CURVE_ED25519,
    [],
    [],
)
request = CreatePrivateKeysV2Request(
    **envelope("ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2"), parameters=CreatePrivateKeysIntentV2([key])
)
answer = create_private_keys.sync(client=client, body=request)
private_key = answered(answer.activity, CreatePrivateKeysV2Activity).result.create_private_keys_result_v2.private_keys[0]

for sign_with in [wallet.addresses[0], str(private_key.private_key_id)]:
    is_ed25519 = sign_with != wallet.addresses[0]
    hashes = SignRawPayloadIntentV2HashFunction
    parameters = SignRawPayloadIntentV2(
        sign_with,
        "68656c6c6f",
        SignRawPayloadIntentV2Encoding.PAYLOAD_ENCODING_HEXADECIMAL,
        hashes.HASH_FUNCTION_NOT_APPLICABLE if is_ed25519 else hashes.HASH_FUNCTION_SHA256,
    )
    request = SignRawPayloadV2Request(**envelope("ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2"), parameters=parameters)
    answer = sign_raw_payload.sync(client=client, body=request)
    signed = answered(answer.activity, SignRawPayloadV2Activity).result.sign_raw_payload_result
    assert len(signed.r) == 64 and len(signed.s) == 64

# The type says which version was answered.
for effect, version in [("EFFECT_ALLOW", "first"), ("EFFECT_DENY", "second")]:
    parameters = CreatePolicyIntentV3(f"The {version}", CreatePolicyIntentV3Effect(effect), condition="false", notes="")
    request = CreatePolicyV3Request(**envelope("ACTIVITY_TYPE_CREATE_POLICY_V3"), parameters=parameters)
    answered(create_policy.sync(client=client, body=request).activity.result.create_policy_result, CreatePolicyResult)

got = get_activity.sync(client=client, body=GetActivityBody(organization_id, created.id))
assert answered(got, GetActivityResponse200).activity.result.create_wallet_result.wallet_id == wallet.wallet_id
assert got.activity.intent.create_wallet_intent.wallet_name == "Walk"
listed = answered(
    list_activities.sync(client=client, body=ListActivitiesBody(organization_id)), ListActivitiesResponse200
)
assert created.id in [one.id for one in listed.activities]

nobody = UUID("00000000-0000-4000-8000-000000000000")
refused = get_wallet.sync_detailed(client=client, body=GetWalletBody(organization_id, nobody))
assert (refused.status_code, answered(refused.parsed, Error).code) == (404, 5), refused
print(f"{len(listed.activities)} activities, all of their types")
