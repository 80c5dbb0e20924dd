import { pageFile } from '../documentation/programs/page-file.ts'

const PAGE = 'docs/how-to/high-availability.md'

/** The script with which that page starts Patroni, with the folders and settings of this machine. */
export function startScript(of: {
  readonly data: string
  readonly bin: string
  readonly settings: string
}): string {
  return replaced(pageFile({ page: PAGE, file: 'start-patroni.sh' }), [
    ['/var/lib/postgresql/15/claviger', of.data],
    ['/usr/lib/postgresql/15/bin', of.bin],
    ['patroni.yml', of.settings],
  ])
}

/** The script with which that page copies a standby anew, for this standby. */
export function copyScript({ settings, name }: { readonly settings: string; readonly name: string }): string {
  return replaced(pageFile({ page: PAGE, file: 'copy-standby.sh' }), [
    ['patroni.yml', settings],
    [' pg2 ', ` ${name} `],
  ])
}

/**
 * The file that docs/how-to/high-availability.md has for the first machine, with the addresses and folders of this one.
 */
export function patroniSettings(of: {
  readonly name: string
  readonly data: string
  readonly bin: string
  readonly port: number
  readonly apiPort: number
  /** As the other machine reaches it. */
  readonly shownPort: number
  readonly shownApiPort: number
  /** `host:port` of each. */
  readonly etcds: readonly string[]
}): string {
  const changes: readonly (readonly [from: string, to: string])[] = [
    ['name: pg1', `name: ${of.name}`],
    ['listen: 10.0.0.1:8008', `listen: 127.0.0.1:${of.apiPort}`],
    ['connect_address: 10.0.0.1:8008', `connect_address: 127.0.0.1:${of.shownApiPort}`],
    ['[10.0.0.11:2379, 10.0.0.12:2379, 10.0.0.13:2379]', `[${of.etcds.join(', ')}]\n  use_proxies: true`],
    ['listen: 10.0.0.1:5432', `listen: 127.0.0.1:${of.port}`],
    ['connect_address: 10.0.0.1:5432', `connect_address: 127.0.0.1:${of.shownPort}`],
    ['/var/lib/postgresql/15/claviger', of.data],
    ['/usr/lib/postgresql/15/bin', of.bin],
    ['host all all 10.0.0.0/24 scram-sha-256', 'host all all 127.0.0.1/32 trust'],
    [
      'host replication replicator 10.0.0.0/24 scram-sha-256',
      'host replication replicator 127.0.0.1/32 trust',
    ],
    ['max_connections: 100', 'max_connections: 100\n        shared_buffers: 16MB'],
    ['  authentication:', "  parameters: {unix_socket_directories: ''}\n  authentication:"],
  ]
  return replaced(pageFile({ page: PAGE, file: 'patroni.yml' }), changes)
}

function replaced(of: string, changes: readonly (readonly [from: string, to: string])[]): string {
  let text = of
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`the page has "${from}" not once`)
    text = text.replace(from, to)
  }
  return text
}
