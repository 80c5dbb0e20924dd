import { tmpdir } from 'node:os'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { deliveryMetrics } from '../../app/delivery-metrics.ts'
import { metrics } from '../../app/metrics.ts'
import { processMetrics } from '../../app/process-metrics.ts'
import { rotationMetrics } from '../../app/rotation-metrics.ts'
import { noneFound, quotaMetrics } from '../../app/watching-quotas.ts'
import { storeMetrics } from '../../app/store-metrics.ts'
import { workMetrics } from '../../app/work-metrics.ts'

/** The page of metrics, read from the output after every event has happened once. */
export function metricsPage(): string {
  return markdownPage([
    '# Metrics',
    'Derived by `npm run derive` from what `/metrics` tells.',
    '`GET /metrics` answers without a stamp, in the text format of Prometheus (version 0.0.4). Every host counts for itself since its start. With `CLAVIGER_OPERATOR_PORT` it has a port of its own, together with `/readyz` and `/healthz`, and the port of the interface has `/healthz` alone of these.',
    ['| Metric | Type | Unit | Labels | Meaning |', '|---|---|---|---|---|', ...told().map(row)].join('\n'),
    'A histogram has the series `_bucket`, `_sum` and `_count`, a summary `_sum` and `_count`. The label `route` is a path of the interface, or `none` for an unknown path. The label `kind` of a delivery is what is delivered, and `ending` is how the attempt ended. A `pool` of connections is for `units` (changes, and what decisions look up), `records` (signatures), `lists`, or `vital`, by which readiness is known.',
    '[Monitoring](../how-to/monitoring.md#prometheus) has alerts to begin with.',
  ])
}

type Told = {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
}

function told(): readonly Told[] {
  const text = everythingOnce()
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name = '', help = '', type = '']) => {
      const series = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm')
      const labels = [...text.matchAll(series)].flatMap(([, pairs = '']) =>
        [...pairs.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
      )
      return { name, type, help, labels: [...new Set(labels)].filter((label) => label !== 'le') }
    },
  )
}

function everythingOnce(): string {
  const measured = metrics()
  measured.answered({ route: '/', status: 200, seconds: 0 })
  measured.limited('address')
  const delivered = deliveryMetrics()
  delivered.ended({ kind: 'webhook', ending: 'delivered', seconds: 0 })
  const counts = [{ kind: 'webhook', waiting: 0, dead: 0, oldestAt: null }] as const
  const found = [{ version: 1, rows: 1 }]
  const count = { pass: '', to: 2, place: '', rows: 1, found, unsealed: 0, seal: '' }
  const turning = { held: undefined, resealed: 0, shown: count, isResealing: true }
  const worked = workMetrics()
  worked.called('decide', 0)
  worked.committed('committed', 0)
  worked.recorded({ type: 'ACTIVITY_TYPE_CREATE_WALLET', status: 'ACTIVITY_STATUS_COMPLETED' })
  worked.unauthenticated('none')
  const build = { version: '0.0.0', store: 'sqlite', secp256k1: 'native' }
  const machine = processMetrics({ build, dataFolder: tmpdir(), storeFiles: [import.meta.filename] })
  machine.end()
  return [
    machine.text(),
    measured.text(),
    worked.text(),
    storeMetrics({
      commits: { batches: 1, units: 1 },
      pools: [{ pool: 'units', used: 0, idle: 1, waiting: 0 }],
    }),
    quotaMetrics(noneFound()),
    rotationMetrics(turning),
    delivered.text(counts, 0),
  ].join('')
}

function row({ name, type, help, labels }: Told): string {
  const unit = /_seconds(_total)?$/.test(name) ? 'seconds' : name.endsWith('_bytes') ? 'bytes' : 'count'
  return `| \`${name}\` | ${type} | ${unit} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`
}
