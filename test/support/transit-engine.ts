import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

const TOKEN = 'secret-token'
const PATH = /^[/]v1[/]transit[/](encrypt|decrypt)[/]root$/

/** Speaks as much of the transit engine of OpenBao as a seal asks, with one key, `root`, and one token. */
export async function aTransitEngine(t: TestContext) {
  const key = randomBytes(32)
  const answer = async (request: IncomingMessage): Promise<object | undefined> => {
    const [, asked] = PATH.exec(request.url ?? '') ?? []
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (request.method !== 'POST' || request.headers['x-vault-token'] !== TOKEN) return undefined
    const aad = Buffer.from(body.associated_data, 'base64')
    if (asked === 'encrypt') return { ciphertext: encrypted(key, aad, Buffer.from(body.plaintext, 'base64')) }
    return asked === 'decrypt' ? { plaintext: decrypted(key, aad, body.ciphertext) } : undefined
  }
  const server = createServer(async (request, response) => {
    const data = await answer(request).catch(() => undefined)
    if (data === undefined) response.writeHead(400)
    response.end(JSON.stringify({ data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { environment: { BAO_ADDR: `http://127.0.0.1:${port}`, BAO_TOKEN: TOKEN } }
}

function encrypted(key: Buffer, aad: Buffer, plaintext: Buffer): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  const text = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  return `vault:v1:${text.toString('base64')}`
}

function decrypted(key: Buffer, aad: Buffer, ciphertext: string): string {
  const text = Buffer.from(ciphertext.slice('vault:v1:'.length), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, text.subarray(0, 12)).setAAD(aad)
  decipher.setAuthTag(text.subarray(-16))
  return Buffer.concat([decipher.update(text.subarray(12, -16)), decipher.final()]).toString('base64')
}
