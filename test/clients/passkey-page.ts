import { browserPage } from './browser-page.ts'
import { inBrowsers, moduleGraph } from './module-graph.ts'

/** A page on which the published WebAuthn stamper stamps, with a virtual authenticator. */
export type PasskeyPage = {
  /** `http://localhost:<port>`: a secure context, as browsers count it. */
  readonly origin: string
  /** Makes a passkey; what the published helper returns goes into `attestation` as it is. */
  readonly register: (challenge: string) => Promise<Attestation>
  /** A stamp of the published WebAuthn stamper over exactly these bytes. */
  readonly stamp: (body: string, credentialId: string) => Promise<StampHeader>
  /** Stamps and posts from the page itself, across origins, as an application in a browser does. */
  readonly post: (url: string, body: string, credentialId: string) => Promise<PageAnswer>
  readonly close: () => Promise<void>
}

type Attestation = {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  readonly transports: Transport[]
}

type PageAnswer = { readonly status: number; readonly text: string }

type Transport = 'AUTHENTICATOR_TRANSPORT_INTERNAL' | 'AUTHENTICATOR_TRANSPORT_USB'

type StampHeader = { readonly stampHeaderName: string; readonly stampHeaderValue: string }

const SCRIPT = `
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import { getWebAuthnAttestation } from '@turnkey/http'

globalThis.stamp = (body, credentialId) => {
  const id = Uint8Array.fromBase64(credentialId, { alphabet: 'base64url' })
  const allowCredentials = [{ type: 'public-key', id }]
  return new WebauthnStamper({ rpId: location.hostname, allowCredentials }).stamp(body)
}
globalThis.register = (challenge) =>
  getWebAuthnAttestation({
    publicKey: {
      rp: { id: location.hostname, name: 'Claviger test' },
      challenge: new TextEncoder().encode(challenge),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'alice', displayName: 'Alice' },
      // The virtual authenticator remembers three passkeys at most; the others are found by their id.
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    },
  })
globalThis.post = async (url, body, credentialId) => {
  const { stampHeaderName, stampHeaderValue } = await stamp(body, credentialId)
  const headers = { 'Content-Type': 'application/json', [stampHeaderName]: stampHeaderValue }
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, text: await answer.text() }
}
`

export async function passkeyPage(): Promise<PasskeyPage> {
  const graph = moduleGraph(['@turnkey/webauthn-stamper', '@turnkey/http'], inBrowsers)
  const { origin, call, close } = await browserPage(graph, SCRIPT)
  return {
    origin,
    // The page's script, above, answers with these shapes.
    register: (challenge) => call<Attestation>('register', challenge),
    stamp: (...given) => call<StampHeader>('stamp', ...given),
    post: (...given) => call<PageAnswer>('post', ...given),
    close,
  }
}
