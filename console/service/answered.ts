/** The service has answered with something that no service of this kind answers. */
export class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer'
}

/** A part of an answer, which is believed to have no field before it was looked at. */
export class Answered {
  readonly value: unknown
  /** Where it stands in the answer. */
  readonly path: string

  constructor(value: unknown, path = '') {
    this.value = value
    this.path = path
  }

  /** @throws StrangeAnswer, like all that follow */
  text(name: string): string {
    const { value } = this.field(name)
    if (typeof value === 'string') return value
    throw this.strange(name)
  }

  /** Empty where there is none. */
  textOrNone(name: string): string {
    return this.has(name) ? this.text(name) : ''
  }

  /** A number, or the digits of one. */
  number(name: string): number {
    const { value } = this.field(name)
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
    if (typeof number === 'number') return number
    throw this.strange(name)
  }

  flag(name: string): boolean {
    const { value } = this.field(name)
    if (typeof value === 'boolean') return value
    throw this.strange(name)
  }

  object(name: string): Answered {
    const found = this.field(name)
    if (isObject(found.value)) return found
    throw this.strange(name)
  }

  list(name: string): readonly Answered[] {
    const { value } = this.field(name)
    if (!Array.isArray(value)) throw this.strange(name)
    return value.map((item: unknown, at) => new Answered(item, `${this.path}${name}[${at}].`))
  }

  listOrNone(name: string): readonly Answered[] {
    return this.has(name) ? this.list(name) : []
  }

  texts(name: string): readonly string[] {
    return this.list(name).map(({ value, path }) => {
      if (typeof value === 'string') return value
      throw new StrangeAnswer(path)
    })
  }

  /** The names of the fields that it has. */
  names(): readonly string[] {
    return isObject(this.value) ? Object.keys(this.value) : []
  }

  has(name: string): boolean {
    const { value } = this.field(name)
    return value !== undefined && value !== null
  }

  private field(name: string): Answered {
    if (!isObject(this.value)) throw new StrangeAnswer(this.path)
    const value = Object.hasOwn(this.value, name) ? this.value[name] : undefined
    return new Answered(value, `${this.path}${name}.`)
  }

  private strange(name: string): StrangeAnswer {
    return new StrangeAnswer(`${this.path}${name}`)
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
