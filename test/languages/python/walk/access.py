"""Codes by mail, and the sessions that they and keys open."""

import base64
import hashlib
import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from turnkey_sdk_types import *

from .bundles import compressed, opened_credential, sealed_to, signed_data
from .keys import a_receiver
from .people import sub_organization
from .setting import KeyPair, Setting, new_key_pair

CODE = r"^[0-9A-Z]{6,9}$"
CREDENTIAL = r"^[1-9A-HJ-NP-Za-km-z]{80,}$"


def codes_and_sessions(here: Setting) -> None:
    read_only(here)
    read_write(here)
    by_stamp(here)
    by_code(here)
    by_mail(here)


def read_only(here: Setting) -> None:
    session = here.client.create_read_only_session(CreateReadOnlySessionBody())
    assert session.userId == here.user_id and session.session != ""


def read_write(here: Setting) -> None:
    receiver, public = a_receiver()
    made = here.client.create_read_write_session(CreateReadWriteSessionBody(targetPublicKey=public))
    keys = keys_in(made.credentialBundle, receiver)
    assert here.client_of(keys).get_whoami(GetWhoamiBody()).userId == here.user_id


def by_stamp(here: Setting) -> None:
    keys = new_key_pair()
    session = here.client.stamp_login(StampLoginBody(publicKey=keys.public_key)).session
    assert claims_of(session)["public_key"] == keys.public_key
    assert here.client_of(keys).get_whoami(GetWhoamiBody()).userId == here.user_id


def by_mail(here: Setting) -> None:
    switch_on(here, "FEATURE_NAME_EMAIL_AUTH")
    contact = "credential@example.com"
    organization_id, user_id = sub_organization(here, contact, new_key_pair())
    receiver, public = a_receiver()
    here.client.email_auth(
        EmailAuthBody(
            organizationId=organization_id,
            email=contact,
            targetPublicKey=public,
            emailCustomization=v1EmailAuthCustomizationParams(appName="Walk"),
        )
    )
    keys = keys_in(here.sent_to(contact, CREDENTIAL), receiver)
    assert here.client_of(keys, organization_id).get_whoami(GetWhoamiBody()).userId == user_id


def by_code(here: Setting) -> None:
    switch_on(here, "FEATURE_NAME_OTP_EMAIL_AUTH")
    contact = "code@example.com"
    organization_id, user_id = sub_organization(here, contact, new_key_pair())
    begun = here.client.init_otp(InitOtpBody(otpType="OTP_TYPE_EMAIL", contact=contact, appName="Walk"))
    target = signed_data(begun.otpEncryptionTargetBundle, here.otp_key)["targetPublic"]
    keys = new_key_pair()
    proof = json.dumps({"otp_code": here.sent_to(contact, CODE), "public_key": keys.public_key})
    verified = here.client.verify_otp(
        VerifyOtpBody(otpId=begun.otpId, encryptedOtpBundle=sealed_to(target, proof.encode()))
    )
    session_keys = new_key_pair()
    login = {
        "login": {"publicKey": session_keys.public_key},
        "tokenId": claims_of(verified.verificationToken)["id"],
        "type": "USAGE_TYPE_LOGIN",
    }
    message = json.dumps(login, separators=(",", ":"))
    session = here.client.otp_login(
        OtpLoginBody(
            organizationId=organization_id,
            verificationToken=verified.verificationToken,
            publicKey=session_keys.public_key,
            clientSignature=v1ClientSignature(
                publicKey=keys.public_key,
                scheme="CLIENT_SIGNATURE_SCHEME_API_P256",
                message=message,
                signature=signature(keys, message),
            ),
        )
    ).session
    claims = claims_of(session)
    assert (claims["organization_id"], claims["user_id"]) == (organization_id, user_id)
    assert here.client_of(session_keys, organization_id).get_whoami(GetWhoamiBody()).userId == user_id


def switch_on(here: Setting, feature: str) -> None:
    here.client.set_organization_feature(SetOrganizationFeatureBody(name=feature, value=""))


def keys_in(bundle: str, receiver: ec.EllipticCurvePrivateKey) -> KeyPair:
    private_key = opened_credential(bundle, receiver)
    key = ec.derive_private_key(int.from_bytes(private_key, "big"), ec.SECP256R1())
    return KeyPair(compressed(key.public_key()).hex(), private_key.hex())


def claims_of(jwt: str) -> dict:
    payload = jwt.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def signature(keys: KeyPair, message: str) -> str:
    """r and s of 32 bytes each."""
    key = ec.derive_private_key(int(keys.private_key, 16), ec.SECP256R1())
    digest = hashlib.sha256(message.encode()).digest()
    r, s = utils.decode_dss_signature(key.sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256()))))
    return f"{r:064x}{s:064x}"
