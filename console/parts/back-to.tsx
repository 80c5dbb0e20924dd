import { pathTo } from './path-to.ts'

/** The way from one of several to all of them. */
export function BackTo({ path, label }: { readonly path: string; readonly label: string }) {
  return (
    <p>
      <a href={pathTo(path)}>{label}</a>
    </p>
  )
}
