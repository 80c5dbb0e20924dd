import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { outputOf } from '../../../release/output-of.ts'
import { founder, initArguments, signs } from '../../commands/founder.ts'
import { ready, start, temporaryFolder } from '../../support/running-service.ts'
import { freePorts } from '../../support/free-port.ts'
import { type BuiltImage, buildImage } from './build-image.ts'
import { unless } from './unless.ts'

// Many machines of CI let nobody start a container. The service runs in the file system of the image instead, which is
// mounted read-only, as the user that the image names, with its entry point and its environment.

const COMPRESSED_MAX = 120_000_000
const missing = [
  unless('buildah', 'apt-get install buildah'),
  unless('mmdebstrap', 'apt-get install mmdebstrap'),
  process.getuid?.() === 0 ? {} : { skip: 'only root can mount an image' },
].find(({ skip }) => skip !== undefined)

test(
  'the image of the guide is small, and serves with a read-only root and without rights',
  missing ?? {},
  async (t) => {
    const image = await buildImage()
    t.after(image.remove)
    const archive = join(temporaryFolder(), 'image.tar')
    image.buildah(['push', '--quiet', image.name, `oci-archive:${archive}`])
    const { size } = statSync(archive)
    assert.ok(size <= COMPRESSED_MAX, `it takes ${size} bytes, compressed`)
    for (const path of ['bin/sh', 'usr/bin/sh', 'usr/local/bin/npm', 'usr/bin/gcc', 'usr/bin/apt'])
      assert.ok(!existsSync(join(image.root, path)), `${path} is not there`)
    t.diagnostic(`${size} bytes compressed`)
    await serves(t, image)
  },
)

async function serves(t: TestContext, { root, config }: BuiltImage): Promise<void> {
  assert.equal(config.User, '65532:65532')
  const data = temporaryFolder()
  outputOf('chown', ['65532:65532', data], pathToFileURL('/'))
  const [port = ''] = await freePorts(1)
  const environment = [...config.Env, `CLAVIGER_PORT=${port}`, 'CLAVIGER_HOST=127.0.0.1']
  const variables = Object.fromEntries(environment.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  const within = (command: readonly string[]) =>
    start(['--mount', 'sh', '-ec', WITHIN, root, data, ...command], variables, { program: 'unshare' })

  const [node = ''] = config.Entrypoint
  const writing = within([node, '-e', "require('node:fs').writeFileSync('/opt/written', '')"])
  assert.notEqual(await writing.ended, 0)
  assert.match(writing.output(), /EROFS/)

  const { key } = founder()
  const made = within([...config.Entrypoint, 'init', ...initArguments(key.publicKey)])
  assert.equal(await made.ended, 0, made.output())
  const organizationId = /^ORGANIZATION_ID=(.*)$/m.exec(made.output())?.[1] ?? ''
  const service = await ready(within([...config.Entrypoint, ...config.Cmd]), data, '')
  t.after(service.kill)
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  const healthy = within(config.Healthcheck.Test.slice(1))
  assert.equal(await healthy.ended, 0, healthy.output())
  assert.equal(await service.stop(), 0)
  const ill = within(config.Healthcheck.Test.slice(1))
  assert.notEqual(await ill.ended, 0)
}

/** Of a shell: $0 is the root of the image, $1 the volume, and what follows is the command. */
const WITHIN = `
  mount --bind "$0" "$0"
  mount --bind "$1" "$0/var/lib/claviger"
  mount --rbind /proc "$0/proc"
  mount --rbind /dev "$0/dev"
  mount -o remount,bind,ro "$0"
  shift
  exec /usr/sbin/chroot --userspec=65532:65532 "$0" "$@"
`
