import type { Config } from './config.ts'

/** The store is reachable and empty. */
export class EmptyStore extends Error {
  override readonly name = 'EmptyStore'

  constructor({ databaseUrl, dataFolder }: Config) {
    super(
      `there is no organization in ${databaseUrl === undefined ? dataFolder : 'this database'}: is it the right one? ` +
        'claviger init creates the first one; --allow-empty serves the empty store',
    )
  }
}
