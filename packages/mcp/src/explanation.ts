import * as z from 'zod'

/** An answer of `try_activity`, as far as it is read here. */

const result = z.union([
  z.object({ value: z.string() }),
  z.object({ problem: z.object({ kind: z.enum(['missing', 'failed']), reason: z.string() }) }),
])

export type Part = {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly result: z.infer<typeof result>
  readonly item?: { readonly name: string; readonly value: string } | undefined
  readonly parts: readonly Part[]
  readonly isCut?: boolean | undefined
}

const part: z.ZodType<Part> = z.lazy(() =>
  z.object({
    kind: z.string(),
    start: z.number(),
    end: z.number(),
    text: z.string(),
    result,
    item: z.object({ name: z.string(), value: z.string() }).optional(),
    parts: z.array(part),
    isCut: z.boolean().optional(),
  }),
)

const expression = z.object({ text: z.string(), result: result.optional(), whole: part.optional() })

const explainedPolicy = z.object({
  policyId: z.string(),
  effect: z.enum(['EFFECT_ALLOW', 'EFFECT_DENY']),
  outcome: z.string(),
  condition: expression.optional(),
  consensus: expression.optional(),
  time: expression.optional(),
})

export type ExplainedPolicy = z.infer<typeof explainedPolicy>

const judgement = z.object({
  decision: z.enum(['allow', 'wait', 'deny']),
  deniedBy: z.array(z.string()),
  voters: z.array(z.string()),
  policyEvaluations: z.array(z.object({ policyId: z.string(), outcome: z.string() })),
  explanations: z.array(z.object({ policies: z.array(explainedPolicy) })),
})

export type Judgement = z.infer<typeof judgement>

export const tried = z.object({ judgement, drafted: judgement.optional() })

export function isTrue({ result: told }: Part): boolean {
  return 'value' in told && told.value === 'true'
}

/** The operands of an `&&` and of those directly inside it, in their order. */
export function conjuncts(whole: Part): readonly Part[] {
  return whole.kind === 'and' ? whole.parts.flatMap(conjuncts) : [whole]
}

export function* everyPart(whole: Part): Generator<Part> {
  yield whole
  for (const under of whole.parts) yield* everyPart(under)
}
