const notHere = (): never => {
  throw new Error('typed data is read by its own words')
}

/**
 * In place of what the vault's reader of Ethereum has for typed data, which it reads to sign. In a page the words of
 * typed data read it with the same parser (`src/host/approval/chains/typed-data-words.ts`), and a transaction loads
 * none of it. Anything else that asks for it here throws, and what was being read is refused.
 */
export const parseTypedData = notHere
export const typedDataDigestSteps = notHere
export const seenTypedData = notHere
