import { Failure } from '../../../trusted/base/failure.ts'
import { type JsonValue, readJson } from '../../../trusted/base/strict-json.ts'
import { CommandError } from '../command-error.ts'
import { readFile } from '../read-file.ts'

/** @throws CommandError  with the name of the file, if it is not JSON */
export function readJsonFile(path: string): JsonValue {
  const bytes = readFile(path)
  return about(`${path} is not JSON`, () => readJson(bytes))
}

/** A failure about the contents of a file is reported with its name. */
export function about<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new CommandError(`${path}: ${error.message.replace(/^(invalid|bad) request body: /, '')}`)
  }
}
