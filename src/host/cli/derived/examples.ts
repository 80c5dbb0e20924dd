import { readFileSync } from 'node:fs'

/** A request and the answer of the service, in JSON. */
export type Exchange = { readonly request: object; readonly answer: object }

/** The examples that `npm run derive` has taken from a service. */
export type Examples = {
  /** By the name of the operation. */
  readonly operations: { readonly [operation: string]: Exchange }
  /** By the name of the endpoint of the auth proxy. */
  readonly authProxy: { readonly [endpoint: string]: Exchange }
  /**
   * The service's statements about itself, by path; without texts, and without those that change with every version.
   */
  readonly service: { readonly [path: string]: object }
  /** An error body by its HTTP status. */
  readonly refusals: { readonly [status: string]: object }
}

export const EXAMPLES_PATH = 'docs/reference/examples.json'

export function readExamples(root: URL): Examples {
  // The file is derived by `test/examples/capture.ts`, which writes this type.
  return JSON.parse(readFileSync(new URL(EXAMPLES_PATH, root), 'utf8')) as Examples
}
