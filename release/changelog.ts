/** The section of a version in `CHANGELOG.md`: under `## 1.2.3, 2026-11-30`, up to the next version. */
type ReleaseNotes = { readonly date: string; readonly text: string }

/**
 * The notes of this version, which must be the newest of the changelog and have the day on which it is released.
 *
 * @throws Error that says what the changelog has instead
 */
export function releaseNotes(changelog: string, version: string): ReleaseNotes {
  const [, newest = '', when = '', text = ''] =
    /^## ([^,\n]+), (.+)\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? []
  if (newest !== version)
    throw new Error(
      `package.json has version ${version}, and the newest of CHANGELOG.md is ${newest || 'missing'}`,
    )
  if (!/^\d{4}-\d{2}-\d{2}$/.test(when))
    throw new Error(`CHANGELOG.md says "## ${version}, ${when}": write the day of the release, as 2026-11-30`)
  if (text.trim() === '') throw new Error(`CHANGELOG.md says nothing about version ${version}`)
  return { date: when, text: text.trim() }
}
