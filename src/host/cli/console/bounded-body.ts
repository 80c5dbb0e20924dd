/** The bytes of an answer. @throws Error if there are more bytes than this */
export async function boundedBody({ body }: Response, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > bytesMax) throw new Error('its answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
