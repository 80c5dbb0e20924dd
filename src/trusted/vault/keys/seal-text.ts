/** Each seal names the version of the root key that made it, in at most six digits. */
export const ROOT_VERSION_MAX = 999_999

/** The version that a seal names, unverified; undefined for a text that is not a seal. */
export function rootVersionOf(seal: string): number | undefined {
  const version = /^\d+\.([1-9]\d{0,5})\./.exec(seal)?.[1]
  return version === undefined ? undefined : Number(version)
}
