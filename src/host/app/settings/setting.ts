/** The value of each setting as text, by its name; empty values are left out. */
export type Texts = { readonly [name: string]: string }

/** The source of settings. */
export type Source = {
  readonly texts: Texts
  /** Relative paths start here. */
  readonly workingFolder: string
  /** Collects the problems as sentences that begin with the name of the setting. */
  readonly problems: string[]
}

/** The documentation of one setting for an operator. */
export type Setting = {
  readonly name: `CLAVIGER_${string}`
  /** In Markdown, like the meaning. */
  readonly shownDefault: string
  readonly meaning: string
  /**
   * Whether this text is a secret: its reader could send messages in the name of this service, write to its database or
   * open its root key.
   */
  readonly holdsSecret: (text: string) => boolean
}

/** A part of the configuration, with its settings. */
export type Part<T> = {
  readonly settings: readonly Setting[]
  readonly value: (source: Source) => T
}

type Terms<T> = Pick<Setting, 'name' | 'meaning'> & {
  readonly holdsSecret?: Setting['holdsSecret']
  /** A problem never quotes a text that may contain a secret. */
  readonly read: (text: string, name: string, source: Source) => T
}

/** The default, if it is computed; it may depend on other parts. */
type Computed<T> = { readonly shown: string; readonly from: (source: Source) => T }

/** A setting that always has a value. */
export function setting<T>({
  read,
  default: unset,
  ...terms
}: Terms<T> & { readonly default: string | Computed<T> }): Part<T> {
  const { name } = terms
  const shownDefault = typeof unset === 'string' ? shown(unset) : unset.shown
  return {
    settings: [described(terms, shownDefault)],
    value: (source) => {
      const text = source.texts[name]
      if (text === undefined && typeof unset !== 'string') return unset.from({ ...source, problems: [] })
      return read(text ?? String(unset), name, source)
    },
  }
}

/** A setting without a default. */
export function optionalSetting<T>({ read, ...terms }: Terms<T>): Part<T | undefined> {
  const { name } = terms
  return {
    settings: [described(terms, 'none')],
    value: (source) => {
      const text = source.texts[name]
      return text === undefined ? undefined : read(text, name, source)
    },
  }
}

/** Settings that are all set, or all unset. */
export function together<V extends object>(
  terms: {
    readonly [Field in keyof V]: Terms<V[Field]>
  },
): Part<V | undefined> {
  const entries = Object.entries<Terms<unknown>>(terms)
  const settings = entries.map(([, term]) => described(term, 'none'))
  const names = settings.map(({ name }) => name)
  return {
    settings,
    value: (source) => {
      const given = entries.flatMap(([field, { name, read }]) => {
        const text = source.texts[name]
        return text === undefined ? [] : [[field, read(text, name, source)]]
      })
      if (given.length > 0 && given.length < names.length)
        source.problems.push(
          `${names.join(names.length > 2 ? ', ' : ' and ')} are set together or not at all`,
        )
      // Each field has the value that its own format has read.
      return given.length < names.length ? undefined : (Object.fromEntries(given) as V)
    },
  }
}

function described(
  { name, meaning, holdsSecret = () => false }: Omit<Terms<unknown>, 'read'>,
  shownDefault: string,
): Setting {
  return { name, shownDefault, meaning, holdsSecret }
}

function shown(text: string): string {
  return text === '' ? 'none' : `\`${text}\``
}
