import type { Shape } from './shape.ts'

/**
 * One published version of an activity's wire form. An older form is read as the next one (`up`), so that carrying an
 * activity out knows one shape; its answer is given in its own form again (`down`).
 */
export type Form = {
  readonly type: string
  readonly intentKey: string
  readonly intent: Shape<unknown>
  readonly resultKey: string
  readonly result: Shape<unknown>
  readonly up: (intent: unknown) => unknown
  readonly down: (result: unknown) => unknown
  /** A request of this type that has this field is one of the next type. */
  readonly nextBy?: { readonly field: string; readonly type: string }
}

/** A chain of forms, oldest first; I and R are the intent and result of the newest. */
export type Forms<I, R> = {
  readonly all: readonly Form[]
  /**
   * The next published version, with the way up from the version before it and the way its result is told in older
   * ones.
   */
  readonly next: <I2, R2 = R>(
    type: string,
    intent: Shape<I2>,
    steps: {
      readonly up: (older: I) => NoInfer<I2>
      /** A field that the version before does not have: clients were published that send it under the older type. */
      readonly by?: string
      readonly result?: {
        readonly key: string
        readonly shape: Shape<R2>
        readonly down: (newer: R2) => NoInfer<R>
      }
    },
  ) => Forms<I2, R2>
  /** Only in the type: the newest intent and result. */
  readonly newest?: { readonly intent: I; readonly result: R }
}

export function form<I, R>(
  type: string,
  intent: Shape<I>,
  result: { readonly key: string; readonly shape: Shape<R> },
): Forms<I, R> {
  return chain([
    {
      type,
      intentKey: intentKeyOf(type),
      intent,
      resultKey: result.key,
      result: result.shape,
      up: same,
      down: same,
    },
  ])
}

function chain<I, R>(all: readonly Form[]): Forms<I, R> {
  return {
    all,
    next: (type, intent, { up, by, result }) => {
      const last = all[all.length - 1]
      if (last === undefined) throw new Error('a chain of forms begins with one')
      const { down } = result ?? { down: same }
      // The steps are typed by `next`. Inside the chain each is applied to the output of the form before it.
      const older = all.map((form) => ({
        ...form,
        up: (value: unknown) => up(form.up(value) as never),
        down: (value: unknown) => form.down(down(value as never)),
        ...(by === undefined || form !== last ? {} : { nextBy: { field: by, type } }),
      }))
      const newest: Form = {
        type,
        intentKey: intentKeyOf(type),
        intent,
        resultKey: result?.key ?? last.resultKey,
        result: result?.shape ?? last.result,
        up: same,
        down: same,
      }
      return chain([...older, newest])
    },
  }
}

/** `ACTIVITY_TYPE_CREATE_USERS_V3` carries `createUsersIntentV3`: true of every published type. */
export function intentKeyOf(type: string): string {
  const { kind, version } = typeParts(type)
  const words = kind.toLowerCase().split('_')
  const camel = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  return `${camel}Intent${version}`
}

/**
 * `ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE` carries `setServiceFeatureIntent` where the feature is of this service
 * alone; undefined for what sets no feature.
 */
export function serviceIntentKeyOf(type: string): string | undefined {
  return type.endsWith('_ORGANIZATION_FEATURE')
    ? intentKeyOf(type).replace('Organization', 'Service')
    : undefined
}

/** `ACTIVITY_TYPE_CREATE_USERS_V3` is `CreateUsersV3` in names of schemas. */
export function pascalOf(type: string): string {
  const key = intentKeyOf(type)
  return `${key.charAt(0).toUpperCase()}${key.slice(1).replace('Intent', '')}`
}

/** The value of `activity.kind` in policies: the type without its prefix and version. */
export function kindOf(type: string): string {
  return typeParts(type).kind
}

function typeParts(type: string): { readonly kind: string; readonly version: string } {
  const parts = /^ACTIVITY_TYPE_([A-Z0-9_]+?)(?:_(V\d+))?$/.exec(type)
  return { kind: parts?.[1] ?? type, version: parts?.[2] ?? '' }
}

function same<T>(value: T): T {
  return value
}
