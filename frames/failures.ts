import { defineFailure, INVALID_ARGUMENT } from '../src/trusted/base/failure.ts'

// What a page that embeds a frame can meet; it gets the text in an ERROR.

export const unknownMessage = defineFailure<{ readonly type: string }>({
  kind: 'unknownMessage',
  code: INVALID_ARGUMENT,
  say: ({ type }) => `this frame knows no message ${JSON.stringify(type.slice(0, 64))}`,
})

export const badMessage = defineFailure<{ readonly what: string }>({
  kind: 'badMessage',
  code: INVALID_ARGUMENT,
  say: ({ what }) => `bad message: ${what}`,
})

export const channelTaken = defineFailure({
  kind: 'channelTaken',
  code: INVALID_ARGUMENT,
  say: () => 'this frame already speaks with the page through another port: load the frame anew',
})

export const tooManyMessages = defineFailure<{ readonly max: number }>({
  kind: 'tooManyMessages',
  code: INVALID_ARGUMENT,
  say: ({ max }) => `${max} messages wait for their answers: wait for one before sending another`,
})

export const badBundle = defineFailure<{ readonly why: string }>({
  kind: 'badBundle',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `the bundle is refused: ${why}`,
})

export const wrongAddress = defineFailure({
  kind: 'wrongAddress',
  code: INVALID_ARGUMENT,
  say: () => 'the bundle is refused: its key is of another address than the one that the page named',
})

export const noEmbeddedKey = defineFailure({
  kind: 'noEmbeddedKey',
  code: INVALID_ARGUMENT,
  say: () =>
    'this frame has no embedded key: it was reset, used, or has expired; send INIT_EMBEDDED_KEY or load the frame anew',
})

export const noCredential = defineFailure({
  kind: 'noCredential',
  code: INVALID_ARGUMENT,
  say: () => 'this frame holds no credential to stamp with: inject a credential bundle first',
})

export const noImportTarget = defineFailure({
  kind: 'noImportTarget',
  code: INVALID_ARGUMENT,
  say: () => 'this frame holds no target of an import: inject an import bundle first; each serves once',
})

export const nothingTyped = defineFailure({
  kind: 'nothingTyped',
  code: INVALID_ARGUMENT,
  say: () => 'nothing was typed into the frame yet',
})

export const badKey = defineFailure<{ readonly why: string }>({
  kind: 'badKey',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `the private key is refused: ${why}`,
})

export const badSettings = defineFailure<{ readonly why: string }>({
  kind: 'badSettings',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `the settings are refused, and none of them is applied: ${why}`,
})

export const noSuchKey = defineFailure<{ readonly address: string | undefined }>({
  kind: 'noSuchKey',
  code: INVALID_ARGUMENT,
  say: ({ address }) =>
    address === undefined
      ? 'this frame does not hold exactly one key: name the address of the key to use'
      : `this frame holds no key for ${JSON.stringify(address.slice(0, 128))}: inject its export bundle first`,
})

export const notSigned = defineFailure<{ readonly why: string }>({
  kind: 'notSigned',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `this is not signed: ${why}`,
})
