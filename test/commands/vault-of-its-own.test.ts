import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { giveShares } from '../support/give-shares.ts'
import {
  eventsIn,
  ready,
  runCommand,
  type RunningService,
  type Settings,
  start,
  type Started,
  temporaryFolder,
} from '../support/running-service.ts'
import { unless } from '../documentation/programs/unless.ts'
import { founder, initArguments, signs } from './founder.ts'

/** Users as the kernel knows them: nobody has to write them into a file for that. */
const VAULT = { uid: 64_201, groups: [64_201] }
const HOST = { uid: 64_202, groups: [64_202] }
const THIRD = { uid: 64_203, groups: [64_203] }
const ROOT = { uid: 0, groups: [0] }
type User = typeof VAULT

const started = new Set<Started>()
after(() => {
  for (const { killGroup } of started) killGroup()
})

const rightful =
  process.getuid?.() === 0
    ? unless('setpriv', 'apt-get install util-linux')
    : { skip: 'only root can become other users' }

test(
  'the user of the host reaches neither root key nor memory of the vault, and a third user reaches neither',
  rightful,
  async () => {
    const place = aPlace()
    const { key, dataFolder, host } = place
    await vaultIsUp(place)
    const organizationId = await founded(place)
    const service = await served(place)
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')

    const { vaultPid } = place.said()
    for (const user of [HOST, THIRD]) {
      for (const path of [place.rootKey, `/proc/${vaultPid}/mem`, `/proc/${vaultPid}/environ`])
        assert.match(
          await outputOf(user, ['-e', `require('fs').readFileSync(${JSON.stringify(path)})`]),
          /EACCES/,
          path,
        )
      assert.match(await outputOf(user, ['-e', `process.kill(${vaultPid}, 'SIGKILL')`]), /EPERM/)
      assert.match(
        await outputOf(user, ['-e', `require('fs').rmSync(${JSON.stringify(place.socket)})`]),
        /EACCES/,
      )
    }
    const connecting = `require('net').connect(${JSON.stringify(place.socket)}).on('connect', () => { console.log('in'); process.exit() })`
    assert.match(await outputOf(THIRD, ['-e', connecting]), /EACCES/)
    assert.match(await outputOf(HOST, ['-e', connecting]), /^in$/m)
    assert.match(
      await outputOf(THIRD, claviger('doctor'), {
        ...host,
        CLAVIGER_DATA: join(dataFolder, '..', 'of-third'),
      }),
      /this user may not connect to it|EACCES/,
    )
    await service.stop()
  },
)

test('a vault takes no place of a file that is no socket, such as the root key', async () => {
  const { dataFolder } = founder()
  const rootKey = join(dataFolder, 'root.key')
  await runCommand(['root-key', 'make'], { CLAVIGER_DATA: dataFolder })
  const before = readFileSync(rootKey, 'utf8')
  const { code, output } = await runCommand(['vault'], { CLAVIGER_DATA: dataFolder, CLAVIGER_VAULT: rootKey })
  assert.equal(readFileSync(rootKey, 'utf8'), before)
  assert.match(output, /CLAVIGER_VAULT names \S+root\.key, which is no socket: name a file/)
  assert.equal(code, 1)
})

test(
  'a host goes on when its vault is started anew, and not with one of another root key',
  rightful,
  async () => {
    const place = aPlace()
    const { key } = place
    await vaultIsUp(place)
    const organizationId = await founded(place)
    const service = await served(place)
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')

    process.kill(place.said().vaultPid, 'SIGKILL')
    assert.equal(await place.vault().ended, 1)
    await readiness(service, 503)
    assert.match(await outputOf(HOST, claviger('verify'), place.host), /the vault at .* ECONNREFUSED|ENOENT/)

    renameSync(place.rootKey, `${place.rootKey}.right`)
    await vaultIsUp(place)
    const refusal = /this data was written under another root key/
    await eventually(() => refusal.test(service.output()), service.output)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    place.vault().child.kill('SIGTERM')
    assert.equal(await place.vault().ended, 0)

    renameSync(`${place.rootKey}.right`, place.rootKey)
    await vaultIsUp(place)
    await readiness(service, 200)
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
    await eventually(() => eventsIn(service.output(), 'outage over').length > 0, service.output)
    assert.equal(service.output().includes('"bug"'), false, service.output())
    await service.stop()
  },
)

test('commands of the host need no root key, and the vault is there once', rightful, async () => {
  const place = aPlace()
  await vaultIsUp(place)
  await founded(place)
  assert.match(await outputOf(HOST, claviger('doctor'), place.host), /ok {2}the vault is another user's/)
  assert.match(
    await outputOf(HOST, claviger('verify'), place.host),
    /^ok {2}\d+ rows are as the vault sealed them/m,
  )
  const out = join(place.dataFolder, 'backup')
  assert.match(await outputOf(HOST, claviger('backup', '--out', out), place.host), /rows as they stood/)
  assert.match(await outputOf(VAULT, claviger('vault'), place.ofVault), /a vault is running at .* already/)
  chmodSync(place.folder, 0o2770)
  assert.match(
    await outputOf(HOST, claviger('verify'), place.host),
    /others than its owner may put another socket/,
  )
  chmodSync(place.folder, 0o2750)
  // A host that can read the root key is told so.
  chmodSync(place.rootKey, 0o644)
  chmodSync(join(place.rootKey, '..'), 0o755)
  const careless = { ...place.host, CLAVIGER_ROOT_KEY: place.rootKey }
  assert.match(
    await outputOf(HOST, claviger('doctor'), careless),
    /!! {2}this user can read the root key file/,
  )
})

test('a socket that a supervisor has opened is taken over, and no other is made', rightful, async () => {
  const place = aPlace()
  await outputOf(VAULT, claviger('root-key', 'make'), place.ofVault)
  // As systemd: it listens, as root, and the vault's user could not even make the socket.
  chownSync(place.folder, 0, HOST.uid)
  const supervisor = `
    const { createServer } = require('node:net'), { spawn } = require('node:child_process'), { chownSync } = require('node:fs')
    process.umask(0o117)
    const server = createServer().listen(process.env.CLAVIGER_VAULT, () => {
      chownSync(process.env.CLAVIGER_VAULT, 0, ${HOST.uid})
      const args = ['--reuid', '${VAULT.uid}', '--regid', '${VAULT.uid}', '--clear-groups', 'sh', '-c',
        'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"', process.execPath, ...process.argv.slice(1)]
      spawn('setpriv', args, { stdio: ['ignore', 'inherit', 'inherit', server._handle] }).on('exit', (code) => process.exit(code))
      process.on('SIGTERM', () => undefined)
    })`
  const vault = start(['-e', supervisor, ...claviger('vault')], place.ofVault)
  started.add(vault)
  await eventually(() => eventsIn(vault.output(), 'listening').length > 0, vault.output)
  assert.equal(statSync(place.socket).uid, 0)
  vault.killGroup()
})

test(
  'root renews the root key and a key of the service beside the two users, and each file stays its owner’s',
  rightful,
  async () => {
    const place = aPlace()
    const { key } = place
    await vaultIsUp(place)
    const organizationId = await founded(place)
    const service = await served(place)
    const both = { ...place.host, ...place.ofVault }
    const asRoot = async (...args: readonly string[]) => {
      const { ended, output } = startAs(ROOT, claviger(...args), both)
      assert.equal(await ended, 0, `${args.join(' ')}: ${output()}`)
      return output()
    }
    assert.match(await asRoot('root-key', 'add'), /version 2 seals from now on/)
    assert.match(await asRoot('root-key', 'reseal'), /resealing is done/)
    assert.match(await asRoot('root-key', 'retire', '1'), /retired version 1/)
    await asRoot('service-key', 'add', 'read-session')
    assert.match(await asRoot('service-key', 'list'), /read-session {2}version 2 {2}published/)
    assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
    await service.stop()
    // With no host that could be asked, the commands open the data themselves.
    assert.match(await asRoot('root-key', 'list'), /no host runs/)
    assert.match(await asRoot('root-key', 'add'), /version 3 seals from now on/)
    assert.match(await asRoot('root-key', 'reseal'), /resealing is done/)
    assert.deepEqual(ownersIn(join(place.rootKey, '..')), [VAULT.uid])
    assert.deepEqual(ownersIn(place.dataFolder), [HOST.uid])
    const again = await served(place)
    assert.equal(await signs(again.url, { organizationId, key }), 'Ada')
    await again.stop()
  },
)

test(
  'a root key file that root makes or recovers is readable to the owner of its folder',
  rightful,
  async () => {
    const place = aPlace()
    const passphrase = join(place.rootKey, '..', 'passphrase')
    const settings = { ...place.ofVault, CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase }
    const asRoot = (...args: readonly string[]) =>
      startAs(ROOT, claviger(...args), { ...settings, CLAVIGER_DATA: place.dataFolder })
    const owner = () => {
      const { uid, gid, mode } = statSync(place.rootKey)
      return [uid, gid, (mode & 0o777).toString(8)]
    }
    writeFileSync(passphrase, 'correct horse', { mode: 0o600 })
    chownSync(passphrase, VAULT.uid, VAULT.uid)
    for (const isMade of [true, false]) {
      const made = asRoot('root-key', 'make', '--json')
      assert.equal(await made.ended, 0, made.output())
      assert.deepEqual(JSON.parse(made.output()), { made: isMade, file: place.rootKey })
    }
    assert.deepEqual(owner(), [VAULT.uid, VAULT.uid, '600'])

    const shares = temporaryFolder()
    const by = ['--seal', `passphrase file=${passphrase}`]
    const of = ['--threshold', '2', '--shares', '2', '--out', shares]
    const created = asRoot('recovery', 'create', ...of, ...by)
    assert.equal(await created.ended, 0, created.output())
    const copy = join(temporaryFolder(), 'copy')
    renameSync(place.rootKey, copy)
    const used = asRoot('recovery', 'use', ...by, '--from', copy)
    const texts = readdirSync(shares).map((name) => readFileSync(join(shares, name), 'utf8').trim())
    await giveShares(join(place.dataFolder, 'unseal.sock'), texts)
    assert.equal(await used.ended, 0, used.output())
    assert.deepEqual(owner(), [VAULT.uid, VAULT.uid, '600'])
    await vaultIsUp({ ...place, ofVault: settings })
  },
)

/** Whose the files of a folder are. */
function ownersIn(folder: string): readonly number[] {
  return [...new Set(readdirSync(folder).map((name) => statSync(join(folder, name)).uid))]
}

/** Folders of the two users, and the settings of each. */
function aPlace() {
  const base = temporaryFolder()
  chmodSync(base, 0o755)
  const made = (
    name: string,
    { uid, mode, gid = uid }: { uid: number; mode: number; gid?: number },
  ): string => {
    const path = join(base, name)
    mkdirSync(path)
    chownSync(path, uid, gid)
    chmodSync(path, mode)
    return path
  }
  // Files in it have its group: that of the host.
  const folder = made('run', { uid: VAULT.uid, gid: HOST.uid, mode: 0o2750 })
  const socket = join(folder, 'vault.sock')
  const rootKey = join(made('vault', { uid: VAULT.uid, mode: 0o700 }), 'root.key')
  const dataFolder = made('data', { uid: HOST.uid, mode: 0o700 })
  const { key } = founder()
  let running: Started | undefined
  const vault = (): Started => {
    if (running === undefined) throw new Error('no vault was started')
    return running
  }
  return {
    folder,
    socket,
    rootKey,
    dataFolder,
    key,
    ofVault: { CLAVIGER_VAULT: socket, CLAVIGER_ROOT_KEY: rootKey },
    host: { CLAVIGER_VAULT: socket, CLAVIGER_DATA: dataFolder },
    vault,
    said: () => {
      const line = eventsIn(vault().output(), 'listening')[0]
      return { vaultPid: Number(line?.['vaultPid']) }
    },
    runs: (vaultNow: Started) => {
      running = vaultNow
    },
  }
}

type Place = ReturnType<typeof aPlace>

async function vaultIsUp(place: Place): Promise<void> {
  await outputOf(VAULT, claviger('root-key', 'make'), place.ofVault)
  const vault = startAs(VAULT, claviger('vault'), place.ofVault)
  place.runs(vault)
  await eventually(() => {
    if (vault.child.exitCode !== null) throw new Error(vault.output())
    return eventsIn(vault.output(), 'listening').length > 0
  }, vault.output)
  const { mode, uid, gid } = statSync(place.socket)
  assert.deepEqual([(mode & 0o777).toString(8), uid, gid], ['660', VAULT.uid, HOST.uid])
}

async function founded(place: Place): Promise<string> {
  const output = await outputOf(HOST, claviger('init', ...initArguments(place.key.publicKey)), place.host)
  return /^ORGANIZATION_ID=(.*)$/m.exec(output)?.[1] ?? assert.fail(output)
}

async function served(place: Place): Promise<RunningService> {
  const settings = {
    ...place.host,
    CLAVIGER_PORT: '0',
    CLAVIGER_RATE_LIMITS: 'off',
    CLAVIGER_DRAIN_SECONDS: '0',
  }
  return await ready(startAs(HOST, claviger('serve'), settings), place.dataFolder, '')
}

async function readiness(service: RunningService, status: number): Promise<void> {
  await eventually(async () => (await fetch(`${service.url}/readyz`)).status === status, service.output)
}

function claviger(...args: readonly string[]): readonly string[] {
  return [join(import.meta.dirname, '../../bin/claviger.js'), ...args]
}

function startAs({ uid, groups }: User, args: readonly string[], settings: Settings): Started {
  const become = ['--reuid', String(uid), '--regid', String(uid), '--groups', groups.join(',')]
  const child = start([...become, '--', process.execPath, ...args], settings, {
    program: 'setpriv',
    cwd: '/',
  })
  started.add(child)
  return child
}

async function outputOf(user: User, args: readonly string[], settings: Settings = {}): Promise<string> {
  const { ended, output } = startAs(user, args, settings)
  await ended
  return output()
}
