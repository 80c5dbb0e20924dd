import type { Config } from './config.ts'

/** The store is reachable and has nothing in it. */
export class EmptyStore extends Error {
  override readonly name = 'EmptyStore'

  constructor({ databaseUrl, dataFolder }: Config) {
    super(
      `there is no organization in ${databaseUrl === undefined ? dataFolder : 'this database'}: is it the right one? ` +
        'claviger init founds the first; with --allow-empty it is served as it is',
    )
  }
}
