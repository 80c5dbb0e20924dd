import type { RotationProgress } from '../rotation/rotation.ts'
import { metric } from './metric.ts'

/** The metrics of the root key and of resealing, in the text format of Prometheus (version 0.0.4). */
export function rotationMetrics({ held, resealed, shown, isResealing }: RotationProgress): string {
  const found = shown?.found ?? []
  return [
    metric('root_key_version', 'gauge', 'The version of the root key with which this host seals.', [
      ` ${held?.seals ?? 0}`,
    ]),
    metric('root_key_trouble', 'gauge', '1 while the changed root key file is not accepted.', [
      ` ${held?.trouble === undefined ? 0 : 1}`,
    ]),
    metric('resealing', 'gauge', '1 while this host reseals rows.', [` ${isResealing ? 1 : 0}`]),
    metric('resealed_rows_total', 'counter', 'Rows that this host has resealed.', [` ${resealed}`]),
    metric('reseal_pass_rows', 'gauge', 'Rows that the current pass has checked.', [` ${shown?.rows ?? 0}`]),
    metric(
      'reseal_pass_found',
      'gauge',
      'Rows that the current pass has found under another version, by that version.',
      found.map(({ version, rows }) => `{version="${version}"} ${rows}`),
    ),
  ].join('')
}
