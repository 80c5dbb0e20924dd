import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkWith } from '../../support/check-with.ts'
import { projectFolder, temporaryFolder } from '../../support/running-service.ts'

// The chart, rendered by Helm and read by a validator of Kubernetes. No cluster has run it in a test.
const programs = join(projectFolder, 'node_modules/.cache/claviger-guides/bin')
const helm = join(programs, 'helm')
const chart = join(projectFolder, 'deploy/helm/claviger')

const here = [helm, join(programs, 'kubernetes-validate')].every((program) => existsSync(program))
  ? {}
  : { skip: 'helm or kubernetes-validate is not installed here: .ci/run has the commands' }

/** What helm takes a cluster for that it cannot ask. */
const CLUSTER = ['--kube-version', '1.31.0']
const NAMED = ['--set', 'init.publicKey=02ab']
const OPTIONS = {
  'as it is': NAMED,
  'with a volume of a CSI driver': [
    ...NAMED,
    '--set-json',
    'rootKey.csi={"driver":"secrets-store.csi.k8s.io","readOnly":true,"volumeAttributes":{"secretProviderClass":"root"}}',
  ],
  'with secret settings': [
    ...NAMED,
    '--set-json',
    'secretSettings={"CLAVIGER_SMTP_URL":{"existingSecret":"mail","key":"url"}}',
    '--set-json',
    'rootKey.secretSettings={"CLAVIGER_ROOT_PASSPHRASE":{"existingSecret":"root","key":"passphrase"}}',
  ],
  'with all pods stopped before new ones': [...NAMED, '--set', 'strategy=Recreate'],
  'with peers, without init': [
    ...['--set', 'init.enabled=false'],
    '--set-json',
    'networkPolicy.clients=[{"namespaceSelector":{}}]',
    '--set-json',
    'networkPolicy.monitoring=[{"podSelector":{"matchLabels":{"app":"prometheus"}}}]',
  ],
}

test('Helm finds nothing wrong with the chart, and sees a fault', here, async () => {
  const linted = (folder: string) =>
    checkWith(helm, ['lint', '--strict', ...CLUSTER, ...NAMED, folder], folder)
  assert.equal(await linted(chart), undefined)
  const other = join(temporaryFolder(), 'claviger')
  cpSync(chart, other, { recursive: true })
  const service = join(other, 'templates/service.yaml')
  writeFileSync(
    service,
    readFileSync(service, 'utf8').replace('.Values.service.port', '.Values.services.port'),
  )
  assert.notEqual(await linted(other), undefined)
})

test(
  'Kubernetes takes what the chart becomes, however it is set, and the check sees a fault',
  here,
  async () => {
    const valid = async (text: string) => {
      const path = join(temporaryFolder(), 'rendered.yaml')
      writeFileSync(path, text)
      return await checkWith(join(programs, 'kubernetes-validate'), ['--strict', path], projectFolder)
    }
    for (const [name, options] of Object.entries(OPTIONS))
      assert.equal(await valid(rendered(options)), undefined, name)
    assert.notEqual(await valid(rendered(NAMED).replace('readinessProbe', 'readyProbe')), undefined)
  },
)

test('the root key is in the container of the vault alone, which has another user and no port', here, () => {
  const { spec } = objectsOf(rendered(NAMED)).Deployment.spec.template
  const containers = [...spec.initContainers, ...spec.containers]
  const holding = containers.filter(({ volumeMounts }) =>
    volumeMounts.some(({ name }) => name === 'root-key'),
  )
  assert.deepEqual(
    holding.map(({ name }) => name),
    ['vault'],
  )
  const users = containers.map(({ name, securityContext }) => [name, securityContext.runAsUser])
  assert.deepEqual(users, [
    ['vault', 65_531],
    ['init', 65_532],
    ['claviger', 65_532],
  ])
  assert.equal(holding[0]?.ports, undefined)
  for (const { name, securityContext } of containers)
    assert.deepEqual(
      [
        securityContext.readOnlyRootFilesystem,
        securityContext.allowPrivilegeEscalation,
        securityContext.capabilities,
      ],
      [true, false, { drop: ['ALL'] }],
      name,
    )
})

test(
  'nobody may connect until peers are named, and a chart without the key of the first user is refused',
  here,
  () => {
    assert.deepEqual(objectsOf(rendered(NAMED)).NetworkPolicy.spec.ingress, [])
    assert.equal(
      objectsOf(rendered(OPTIONS['with peers, without init'])).NetworkPolicy.spec.ingress.length,
      2,
    )
    assert.throws(() => rendered([]), /init.publicKey is the public key of the first root user/)
    assert.throws(() => rendered([...NAMED, '--set', 'rootKey.existingSecret=']), /names the root key/)
  },
)

test('users with large numbers, as OpenShift gives them, are numbers for Kubernetes', here, () => {
  const [service, vault] = [1_000_650_000, 1_000_650_001]
  const users = JSON.stringify({ service, vault, group: service })
  const text = rendered([...NAMED, '--set-json', `users=${users}`])
  const { initContainers, containers } = objectsOf(text).Deployment.spec.template.spec
  for (const { securityContext } of [...initContainers, ...containers]) {
    assert.equal(securityContext['runAsGroup'], service)
    assert.ok([service, vault].includes(Number(securityContext['runAsUser'])))
  }
  // Kubernetes takes no 1.00065e+09 for a whole number.
  assert.doesNotMatch(text, /\de\+\d/)
})

test('a setting reaches the service as it was written, or the chart is refused', here, () => {
  const withSettings = (yaml: string) => {
    const values = join(temporaryFolder(), 'values.yaml')
    writeFileSync(values, `settings:\n  ${yaml}\n`)
    return rendered([...NAMED, '--values', values])
  }
  for (const [yaml, value] of [
    ['CLAVIGER_CONSOLE: "off"', 'off'],
    ["CLAVIGER_DRAIN_SECONDS: '0'", '0'],
  ] as const) {
    const { env } = objectsOf(withSettings(yaml)).Deployment.spec.template.spec.containers[0] ?? {}
    assert.equal(env?.find(({ name }) => yaml.startsWith(name))?.value, value)
  }
  // YAML reads these as no texts: the console would stay on, and a million would become 1e+06.
  for (const yaml of ['CLAVIGER_CONSOLE: off', 'CLAVIGER_DRAIN_SECONDS: 0', 'CLAVIGER_CONNECTIONS: 1000000'])
    assert.throws(
      () => withSettings(yaml),
      /settings\.CLAVIGER_\w+ is no text: put its value in quotes/,
      yaml,
    )
})

test(
  'a secret setting comes from its Secret, and what opens the root key goes to the vault alone',
  here,
  () => {
    const { spec } = objectsOf(rendered(OPTIONS['with secret settings'])).Deployment.spec.template
    const holders = (setting: string) =>
      [...spec.initContainers, ...spec.containers].flatMap(({ name, env }) =>
        env.flatMap((one) => (one.name === setting ? [[name, one.valueFrom]] : [])),
      )
    const from = (name: string, key: string) => ({ secretKeyRef: { name, key } })
    assert.deepEqual(holders('CLAVIGER_SMTP_URL'), [['claviger', from('mail', 'url')]])
    assert.deepEqual(holders('CLAVIGER_ROOT_PASSPHRASE'), [['vault', from('root', 'passphrase')]])
    for (const [named, missing] of [
      ['secretSettings={"CLAVIGER_SMTP_URL":{"key":"url"}}', 'existingSecret'],
      ['rootKey.secretSettings={"CLAVIGER_ROOT_PASSPHRASE":{"existingSecret":"root"}}', 'key'],
      ['secretSettings={"CLAVIGER_SMTP_URL":"smtps://ada:secret@mail.example"}', 'existingSecret'],
    ] as const)
      assert.throws(
        () => rendered([...NAMED, '--set-json', named]),
        new RegExp(`CLAVIGER_\\w+ needs ${missing}: it comes from a Secret`),
      )
  },
)

test(
  'a setting that the chart itself sets, or that is for the vault, is refused with its place',
  here,
  () => {
    for (const [name, place] of [
      ['CLAVIGER_PORT', 'service.port'],
      ['CLAVIGER_OPERATOR_PORT', 'service.operatorPort'],
      ['CLAVIGER_DATABASE_URL', 'database'],
      ['CLAVIGER_VAULT', 'leave it out'],
      ['CLAVIGER_ROOT_PASSPHRASE', 'rootKey.secretSettings'],
    ] as const) {
      const refused = new RegExp(`${name} is .*: .*${place.replace('.', '\\.')}`)
      const secret = JSON.stringify({ [name]: { existingSecret: 'one', key: 'two' } })
      assert.throws(() => rendered([...NAMED, '--set', `settings.${name}=8080`]), refused)
      assert.throws(() => rendered([...NAMED, '--set-json', `secretSettings=${secret}`]), refused)
    }
  },
)

test(
  'a pod has time to drain and to start, and no variables of Services, which begin like settings',
  here,
  () => {
    const podOf = (options: readonly string[]) => objectsOf(rendered(options)).Deployment.spec.template.spec
    assert.equal(podOf(NAMED).enableServiceLinks, false)
    assert.equal(podOf(NAMED).terminationGracePeriodSeconds, 30)
    const longer = [...NAMED, '--set-string', 'settings.CLAVIGER_DRAIN_SECONDS=60']
    assert.equal(podOf(longer).terminationGracePeriodSeconds, 85)
    // Of a file of values in which all of them are commented out, the name is left.
    assert.equal(podOf([...NAMED, '--set-json', 'settings=null']).terminationGracePeriodSeconds, 30)
    const { periodSeconds = 0, failureThreshold = 0 } = podOf(NAMED).containers[0]?.startupProbe ?? {}
    assert.equal(periodSeconds * failureThreshold, 300)
  },
)

test('pods are replaced in turn, or all stopped first where it is said so', here, () => {
  const strategyOf = (options: readonly string[]) => objectsOf(rendered(options)).Deployment.spec.strategy
  assert.deepEqual(strategyOf(NAMED), {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
  })
  assert.deepEqual(strategyOf(OPTIONS['with all pods stopped before new ones']), { type: 'Recreate' })
})

test(
  'the chart has no embedded store: without a database it is refused, and the data folder holds nothing that stays',
  here,
  () => {
    assert.throws(
      () => rendered([...NAMED, '--set', 'database.existingSecret=']),
      /database.existingSecret names the Secret with the address of the database/,
    )
    const { spec } = objectsOf(rendered(NAMED)).Deployment.spec.template
    const serving = [...spec.initContainers, ...spec.containers].filter(({ name }) => name !== 'vault')
    for (const { name, env } of serving)
      assert.ok(
        env.some((one) => one.name === 'CLAVIGER_DATABASE_URL' && one.valueFrom !== undefined),
        name,
      )
    assert.deepEqual(spec.volumes.find(({ name }) => name === 'data')?.emptyDir, { sizeLimit: '64Mi' })
  },
)

test('a disruption takes one pod at a time, and Prometheus asks the operator port', here, () => {
  const objects = objectsOf(rendered([...NAMED, '--set', 'serviceMonitor.enabled=true']))
  assert.equal(objects.PodDisruptionBudget.spec.maxUnavailable, 1)
  const { endpoints, selector } = objects.ServiceMonitor.spec
  assert.deepEqual([endpoints[0]?.port, endpoints[0]?.path], ['operator', '/metrics'])
  assert.equal(selector.matchLabels['claviger/port'], 'operator')
})

function rendered(options: readonly string[]): string {
  const args = ['template', 'treasury', chart, ...CLUSTER, ...options]
  return execFileSync(helm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

type Container = {
  readonly name: string
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
  readonly ports?: unknown
  readonly startupProbe?: { readonly periodSeconds: number; readonly failureThreshold: number }
  readonly securityContext: { readonly [name: string]: unknown }
  readonly volumeMounts: readonly { readonly name: string }[]
}

/** As far as these tests look into them. */
type Objects = {
  readonly Deployment: {
    readonly spec: {
      readonly strategy: unknown
      readonly template: {
        readonly spec: {
          readonly enableServiceLinks?: boolean
          readonly terminationGracePeriodSeconds: number
          readonly initContainers: readonly Container[]
          readonly containers: readonly Container[]
          readonly volumes: readonly { readonly name: string; readonly emptyDir?: unknown }[]
        }
      }
    }
  }
  readonly NetworkPolicy: { readonly spec: { readonly ingress: readonly unknown[] } }
  readonly PodDisruptionBudget: { readonly spec: { readonly maxUnavailable: number } }
  readonly ServiceMonitor: {
    readonly spec: {
      readonly endpoints: readonly { readonly port: string; readonly path: string }[]
      readonly selector: { readonly matchLabels: { readonly [name: string]: string } }
    }
  }
}

/** The objects by their kinds; the validator brings a reader of YAML. */
function objectsOf(yaml: string): Objects {
  const program = 'import json, sys, yaml; print(json.dumps([o for o in yaml.safe_load_all(sys.stdin) if o]))'
  const json = execFileSync(join(programs, 'python'), ['-c', program], { input: yaml, encoding: 'utf8' })
  const objects = JSON.parse(json) as readonly { readonly kind: string }[]
  // Each test asks for kinds and fields that the validator has seen there.
  return Object.fromEntries(objects.map((object) => [object.kind, object])) as unknown as Objects
}
