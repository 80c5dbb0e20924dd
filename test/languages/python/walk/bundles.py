"""Bundles as the service seals and opens them: HPKE (RFC 9180, base mode) on P-256 with HKDF-SHA256 and AES-256-GCM."""

import hashlib
import hmac
import json
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

INFO = b"turnkey_hpke"
KEM = b"KEM" + struct.pack(">H", 0x0010)
SUITE = b"HPKE" + struct.pack(">HHH", 0x0010, 0x0001, 0x0002)


def compressed(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)


def uncompressed(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def signed_data(bundle: str, signer_key: str) -> dict:
    """What a bundle of the service says, once its signature is that of the key which the service publishes."""
    envelope = json.loads(bundle)
    assert envelope["enclaveQuorumPublic"] == signer_key, "the bundle is signed by another key"
    data = bytes.fromhex(envelope["data"])
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes.fromhex(signer_key))
    signer.verify(bytes.fromhex(envelope["dataSignature"]), data, ec.ECDSA(hashes.SHA256()))
    return json.loads(data)


def sealed_to(target: str, plaintext: bytes) -> str:
    """What the holder of the target key can open, in the form in which clients send it."""
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes.fromhex(target))
    ephemeral = ec.generate_private_key(ec.SECP256R1())
    encapped = uncompressed(ephemeral.public_key())
    key, nonce = _schedule(ephemeral.exchange(ec.ECDH(), receiver), encapped, bytes.fromhex(target))
    ciphertext = AESGCM(key).encrypt(nonce, plaintext, encapped + bytes.fromhex(target))
    return json.dumps({"encappedPublic": encapped.hex(), "ciphertext": ciphertext.hex()})


def opened(encapped: bytes, ciphertext: bytes, receiver: ec.EllipticCurvePrivateKey) -> bytes:
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), encapped)
    own = uncompressed(receiver.public_key())
    key, nonce = _schedule(receiver.exchange(ec.ECDH(), sender), uncompressed(sender), own)
    return AESGCM(key).decrypt(nonce, ciphertext, uncompressed(sender) + own)


def opened_export(bundle: str, receiver: ec.EllipticCurvePrivateKey, signer_key: str, organization_id: str) -> bytes:
    data = signed_data(bundle, signer_key)
    assert data["organizationId"] == organization_id, "the bundle is of another organization"
    return opened(bytes.fromhex(data["encappedPublic"]), bytes.fromhex(data["ciphertext"]), receiver)


def opened_credential(bundle: str, receiver: ec.EllipticCurvePrivateKey) -> bytes:
    """The private key in a credential bundle: base58 with a checksum."""
    raw = base58(bundle)
    content, checksum = raw[:-4], raw[-4:]
    assert hashlib.sha256(hashlib.sha256(content).digest()).digest()[:4] == checksum, "a wrong checksum"
    return opened(content[:33], content[33:], receiver)


def _schedule(shared: bytes, encapped: bytes, receiver: bytes) -> tuple[bytes, bytes]:
    eae_prk = _extract(KEM, b"", b"eae_prk", shared)
    secret = _expand(KEM, eae_prk, b"shared_secret", encapped + receiver, 32)
    context = b"\0" + _extract(SUITE, b"", b"psk_id_hash", b"") + _extract(SUITE, b"", b"info_hash", INFO)
    prk = _extract(SUITE, secret, b"secret", b"")
    return _expand(SUITE, prk, b"key", context, 32), _expand(SUITE, prk, b"base_nonce", context, 12)


def _extract(suite: bytes, salt: bytes, label: bytes, key: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + key, "sha256")


def _expand(suite: bytes, prk: bytes, label: bytes, info: bytes, length: int) -> bytes:
    # One block of HKDF is enough for everything here.
    labeled = struct.pack(">H", length) + b"HPKE-v1" + suite + label + info
    return hmac.digest(prk, labeled + b"\1", "sha256")[:length]


def base58(text: str) -> bytes:
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number = 0
    for character in text:
        number = number * 58 + alphabet.index(character)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
