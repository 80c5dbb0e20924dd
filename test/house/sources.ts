import { globSync, readFileSync } from 'node:fs'

export const root = new URL('../../', import.meta.url)

export type Source = { readonly path: string; readonly text: string }

/** Every file under `src` that is part of the service: tests, and what only tests import (in `testing`), are not. */
export function sources(): readonly Source[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
}
