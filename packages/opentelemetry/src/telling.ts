import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** The same exporter, which tells when it begins to fail and when it is well again, and no more. */
export function telling(
  exporter: SpanExporter,
  onTold: (told: 'fails' | 'recovered', detail: string) => void,
): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // 0 is success.
        const failed = result.code !== 0
        if (failed !== isFailing) {
          isFailing = failed
          onTold(failed ? 'fails' : 'recovered', result.error?.name ?? '')
        }
        done(result)
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  }
}
