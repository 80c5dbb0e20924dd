/** gRPC status codes that the interface uses, and the HTTP status that goes with each. */
export const httpStatusByCode = {
  3: 400,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  12: 501,
  13: 500,
  14: 503,
  16: 401,
} as const

type GrpcCode = keyof typeof httpStatusByCode

// The keys of an object are strings; these are the numeric codes again.
export const GRPC_CODES = Object.keys(httpStatusByCode).map(Number) as readonly GrpcCode[]

export const INVALID_ARGUMENT = 3
export const NOT_FOUND = 5
export const ALREADY_EXISTS = 6
export const PERMISSION_DENIED = 7
export const RESOURCE_EXHAUSTED = 8
export const FAILED_PRECONDITION = 9
export const UNIMPLEMENTED = 12
export const INTERNAL = 13
export const UNAVAILABLE = 14
export const UNAUTHENTICATED = 16

type ErrorDetail = { readonly '@type': string } & Readonly<Record<string, unknown>>

/** The error body of the interface: `details` is always an array. */
export type ErrorBody = {
  readonly code: GrpcCode
  readonly message: string
  readonly details: readonly ErrorDetail[]
  readonly turnkeyErrorCode?: string
}

/**
 * An expected error that is shown to the caller; repeating the request is harmless. Anything else that is thrown is a
 * bug.
 */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly kind: string
  readonly code: GrpcCode
  readonly details: readonly ErrorDetail[]
  readonly errorCode: string | undefined

  constructor(
    kind: string,
    code: GrpcCode,
    message: string,
    details: readonly ErrorDetail[],
    errorCode?: string,
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = details
    this.errorCode = errorCode
  }
}

export type FailureKind<D> = {
  readonly kind: string
  readonly code: GrpcCode
  (data: D): Failure
}

/**
 * Declares a failure once. `say` is lower case without a full stop, quotes what was sent, and never names our code;
 * texts that published clients match on are kept to the letter.
 */
export function defineFailure<D = void>(spec: {
  readonly kind: string
  readonly code: GrpcCode
  readonly say: (data: D) => string
  readonly details?: (data: D) => readonly ErrorDetail[]
  readonly errorCode?: string
}): FailureKind<D> {
  const make = (data: D): Failure => {
    const details =
      spec.details?.(data) ?? (spec.errorCode === undefined ? [] : [errorCodeDetail(spec.errorCode)])
    return new Failure(spec.kind, spec.code, spec.say(data), details, spec.errorCode)
  }
  return Object.assign(make, { kind: spec.kind, code: spec.code })
}

export function errorBody(failure: Failure): ErrorBody {
  const { code, message, details, errorCode } = failure
  return { code, message, details, ...(errorCode === undefined ? {} : { turnkeyErrorCode: errorCode }) }
}

/** The failure from which an error of the vault was made, for the answer to the client. */
export function failureOf({ code, message, details, turnkeyErrorCode }: ErrorBody): Failure {
  return new Failure('told', code, message, details, turnkeyErrorCode)
}

function errorCodeDetail(errorCode: string): ErrorDetail {
  return { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode: errorCode }
}
