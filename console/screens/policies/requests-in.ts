import {
  type AbstractRequest,
  type AbstractValue,
  anything,
  fields,
  oneOf,
} from '../../../src/trusted/policy/lint/abstract-request.ts'

type Places = { readonly [name: string]: number }

/**
 * One of several values, or fields by the places of values that stand before it, or anything, with why there may be
 * none.
 */
type WrittenValue = readonly (boolean | string)[] | Places | string

/** Kind, what stands between kind and signer in the name, facts, signer, and what is not as with most. */
type WrittenRequest = readonly [
  kind: string,
  between: string,
  facts: Places,
  signer?: string,
  unusual?: Partial<AbstractRequest>,
]

/** The requests of a table of values; four words say all of a request that has nothing else to it. */
export function requestsIn(
  written: readonly WrittenValue[],
  requests: readonly (WrittenRequest | string)[],
): readonly AbstractRequest[] {
  const values: AbstractValue[] = []
  const factsAt = (places: Places): AbstractRequest['facts'] =>
    Object.fromEntries(Object.entries(places).map(([name, place]) => [name, values[place]]))
  for (const one of written) values.push(valueOf(one, factsAt))
  return requests.map((request) =>
    typeof request === 'string' ? ofFourWords(request) : ofParts(request, factsAt),
  )
}

type FactsAt = (places: Places) => AbstractRequest['facts']

function valueOf(written: WrittenValue, factsAt: FactsAt): AbstractValue {
  if (typeof written === 'string') return written === '' ? anything : { kind: 'anything', lacks: written }
  return isList(written) ? oneOf(...written) : fields(factsAt(written))
}

function isList(written: Exclude<WrittenValue, string>): written is readonly (boolean | string)[] {
  return Array.isArray(written)
}

function ofParts(
  [kind, between, facts, signer = '', unusual]: WrittenRequest,
  factsAt: FactsAt,
): AbstractRequest {
  return {
    name: [kind, between, signer].filter((part) => part !== '').join(' '),
    kind,
    ...(signer === '' ? {} : { signer }),
    isOpaque: false,
    contents: [],
    ...unusual,
    facts: factsAt(facts),
  }
}

/** Of `CREATE_POLICY POLICY CREATE _V3`: kind, resource, action, and what follows the kind in each type. */
function ofFourWords(text: string): AbstractRequest {
  const [kind = '', resource = '', action = '', endings = ''] = text.split(' ')
  const types = endings.split(',').map((ending) => `ACTIVITY_TYPE_${kind}${ending}`)
  const about = {
    type: oneOf(...types),
    kind: oneOf(kind),
    resource: oneOf(resource),
    action: oneOf(action),
    organization_id: anything,
    params: fields({}),
  }
  return {
    name: kind,
    kind,
    isOpaque: false,
    contents: [],
    facts: { activity: fields(about), usage: anything },
  }
}
