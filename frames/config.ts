import { present } from '../src/trusted/base/assert.ts'

/** What the host wrote into the page of the frame when it served it. No page around the frame can change it. */
type FrameConfig = {
  /** Signs every bundle of this service: P-256, 65 bytes uncompressed, lowercase hex. */
  readonly signerKey: string
  /** The origins of the pages that may embed the frame. */
  readonly allowedOrigins: readonly string[]
}

export function readConfig({ documentElement: { dataset } }: Document): FrameConfig {
  return {
    signerKey: present(dataset['signerKey'], 'the signer key of the service'),
    allowedOrigins: present(dataset['allowedOrigins'], 'the allowed origins').split(' '),
  }
}
