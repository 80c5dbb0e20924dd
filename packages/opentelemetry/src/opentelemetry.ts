import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { telling } from './telling.ts'

type Attributes = { readonly [name: string]: string | number }

/** What has ended, with times in milliseconds since 1970. */
type Traced = {
  readonly name: string
  readonly kind: 'request' | 'delivery'
  /** As it came, in the form of W3C Trace Context. */
  readonly traceparent?: string | undefined
  readonly from: number
  readonly to: number
  readonly isError: boolean
  readonly attributes: Attributes
  readonly stages: readonly { readonly name: string; readonly from: number; readonly to: number }[]
}

type Options = {
  /** Of the collector, with the path. */
  readonly url: string
  readonly version: string
  /** Spans are lost, or are taken again. */
  readonly onTold: (told: 'fails' | 'recovered', detail: string) => void
  /** For tests. */
  readonly queueMax?: number
}

const KINDS = { request: SpanKind.SERVER, delivery: SpanKind.PRODUCER }
const EXPORT_MS_MAX = 10_000

/**
 * Sends spans to a collector in the background. Where it is slow or gone, spans are left out, and nothing else happens.
 */
export function tracing({ url, version, onTold, queueMax = 2_048 }: Options) {
  const exporter = telling(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS_MAX }), onTold)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'claviger', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: queueMax,
        maxExportBatchSize: Math.min(512, queueMax),
        exportTimeoutMillis: EXPORT_MS_MAX,
      }),
    ],
  })
  const tracer = provider.getTracer('claviger', version)
  return {
    note: ({ name, kind, traceparent, from, to, isError, attributes, stages }: Traced): void => {
      const options = { kind: KINDS[kind], startTime: from, attributes }
      const span = tracer.startSpan(name, options, parentOf(traceparent))
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
      const within = trace.setSpan(ROOT_CONTEXT, span)
      for (const stage of stages) {
        const startTime = stage.from
        tracer.startSpan(stage.name, { kind: SpanKind.CLIENT, startTime }, within).end(stage.to)
      }
      span.end(to)
    },
    /** Sends what is left, as far as the collector takes it. */
    close: async (): Promise<void> => await provider.shutdown(),
  }
}

/** The text has the form already; all zeros are no trace, and the API leaves them out. */
function parentOf(traceparent: string | undefined) {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
