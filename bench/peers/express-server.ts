// The least that one would write by hand: Express, one signature of a stamped request, one row in PostgreSQL. No
// policy, no seal, no check of what was signed.
//   node express-server.ts <folder with node_modules> <database> <public key of the stamp>
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [folder = '', database = '', publicKey = ''] = process.argv.slice(2)
const require = createRequire(join(folder, 'package.json'))
// Packages of another folder, of which only this much is used.
const express = require('express') as ExpressModule
const { Pool } = require('pg') as { readonly Pool: new (settings: object) => Queries }
const secp256k1 = require('secp256k1') as {
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number }
}

type Queries = { query(text: string, values?: readonly unknown[]): Promise<unknown> }
type Request = { readonly body: Buffer; header(name: string): string | undefined }
type Response = { status(code: number): Response; json(body: object): void }
type ExpressModule = {
  (): {
    use(middleware: unknown): void
    post(path: string, handle: (request: Request, response: Response) => void): void
    listen(port: number, host: string, ready: () => void): { address(): { readonly port: number } }
  }
  raw(settings: object): unknown
}

const pool = new Pool({ connectionString: database, max: 10, idleTimeoutMillis: 0 })
await pool.query('CREATE TABLE IF NOT EXISTS peer_signatures (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
const spki = Buffer.concat([
  Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
  Buffer.from(publicKey, 'hex'),
])
const stampKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
const signingKey = randomBytes(32)

const app = express()
app.use(express.raw({ type: '*/*', limit: '1mb' }))
app.post('/public/v1/submit/sign_raw_payload', (request, response) => {
  const stamp = JSON.parse(Buffer.from(request.header('x-stamp') ?? '', 'base64url').toString()) as {
    readonly signature: string
  }
  if (!verify('sha256', request.body, stampKey, Buffer.from(stamp.signature, 'hex')))
    return response.status(401).json({ error: 'the stamp does not verify' })
  const { parameters } = JSON.parse(request.body.toString()) as {
    readonly parameters: { readonly payload: string }
  }
  const digest = createHash('sha256').update(parameters.payload).digest()
  const { signature, recid } = secp256k1.ecdsaSign(digest, signingKey)
  const id = createHash('sha256').update(request.body).digest('hex')
  pool
    .query('INSERT INTO peer_signatures (id, body) VALUES ($1, $2)', [id, request.body.toString()])
    .then(() => response.json({ r: Buffer.from(signature).toString('hex'), v: recid }))
    .catch((error: unknown) => response.status(500).json({ error: String(error) }))
})
const server = app.listen(0, '127.0.0.1', () => process.send?.(server.address().port))
