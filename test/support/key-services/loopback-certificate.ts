import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../running-service.ts'

/** A certificate for this machine that a process trusts by `NODE_EXTRA_CA_CERTS`. */
export function aLoopbackCertificate() {
  const folder = temporaryFolder()
  const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const options = ['req', '-x509', ...made, '-subj', '/CN=localhost', '-addext', names]
  execFileSync('openssl', [...options, '-keyout', keyPath, '-out', certPath], { stdio: 'pipe' })
  return { path: certPath, key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certPath, 'utf8') }
}
