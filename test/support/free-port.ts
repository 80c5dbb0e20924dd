import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Linux gives outgoing connections and listeners without a port one of 32768 to 60999 (ip_local_port_range). A port
// from there may be taken again before the program that it is for has started.
const FIRST = 10_240
const AFTER_LAST = 32_768

/** A port on loopback where nobody listens, and which the system gives to nobody else. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER_LAST)
    const probe = createServer()
    try {
      await once(probe.listen(port, '127.0.0.1'), 'listening')
    } catch {
      // It is in use: another one.
      continue
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** So many that differ. */
export async function freePorts(count: number): Promise<readonly string[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort())
  return [...ports].map(String)
}
