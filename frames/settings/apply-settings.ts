import { ownValue, parsedJson } from '../base/json.ts'
import { badSettings } from '../failures.ts'
import type { Fields } from '../channel/fields.ts'
import { styleValues } from './style-values.ts'

/** What a page may style: the text itself, and in a frame for imports also the passphrase. */
export type Styled = {
  readonly text: HTMLElement
  readonly passphrase?: {
    readonly input: HTMLElement
    readonly label: HTMLElement
    readonly show: (isShown: boolean) => void
  }
}

/**
 * Applies the settings of a page: JSON of `styles`, and for an import of `passphraseStyles` and `enablePassphrase`. All
 * of them or none.
 *
 * @throws Failure `badSettings`
 */
export function applySettings({ text, passphrase }: Styled, fields: Fields): void {
  const given = settingsIn(fields.text('value'))
  for (const name of Object.keys(given)) {
    if (name !== 'styles' && (passphrase === undefined || !PASSPHRASE_SETTINGS.includes(name)))
      throw badSettings({ why: `${JSON.stringify(name.slice(0, 64))} is no setting of this frame` })
  }
  const styles = stylesIn(given, 'styles')
  const passphraseStyles = stylesIn(given, 'passphraseStyles')
  const isEnabled = ownValue(given, 'enablePassphrase')
  if (isEnabled !== undefined && typeof isEnabled !== 'boolean')
    throw badSettings({ why: '"enablePassphrase" is neither true nor false' })
  expectReadable(text, styles)
  if (passphrase !== undefined) expectReadable(passphrase.input, passphraseStyles)
  style(text, styles)
  if (passphrase === undefined) return
  style(passphrase.input, passphraseStyles)
  const labelColour = passphraseStyles.get('labelColor')
  if (labelColour !== undefined) passphrase.label.style.color = labelColour
  if (isEnabled !== undefined) passphrase.show(isEnabled)
}

const PASSPHRASE_SETTINGS = ['passphraseStyles', 'enablePassphrase']
const LENGTH_MAX = 16 * 1024
/** A text stays readable; the colours of the published kit have 3.1. */
const CONTRAST_MIN = 2

type Styles = ReadonlyMap<string, string>

function settingsIn(json: string): object {
  if (json.length > LENGTH_MAX) throw badSettings({ why: `they are longer than ${LENGTH_MAX} characters` })
  const value = parsedJson(json)
  if (typeof value !== 'object' || value === null) throw badSettings({ why: 'they are not a JSON object' })
  return value
}

function stylesIn(given: object, name: string): Styles {
  const styles = ownValue(given, name) ?? {}
  if (typeof styles !== 'object') throw badSettings({ why: `"${name}" is not an object` })
  return new Map(
    Object.entries(styles).map(([property, value]: [string, unknown]) => {
      if (typeof value !== 'string' || styleValues.get(property)?.(value) !== true)
        throw badSettings({ why: `${JSON.stringify(property.slice(0, 64))} cannot be set so` })
      return [property, value]
    }),
  )
}

function style(element: HTMLElement, styles: Styles): void {
  // The names are those of the table, and none of them is a method.
  for (const [property, value] of styles)
    if (property !== 'labelColor') Object.assign(element.style, { [property]: value })
}

/** Colours are compared as the browser reads them, on a copy that takes no room. */
function expectReadable(element: HTMLElement, styles: Styles): void {
  if (!styles.has('color') && !styles.has('backgroundColor')) return
  const probe = element.ownerDocument.createElement('div')
  const now = getComputedStyle(element)
  probe.style.color = now.color
  probe.style.backgroundColor = now.backgroundColor
  style(probe, new Map([...styles].filter(([property]) => COLOURS.includes(property))))
  element.ownerDocument.body.append(probe)
  const { color, backgroundColor } = getComputedStyle(probe)
  probe.remove()
  if (contrast(luminance(color), luminance(backgroundColor)) < CONTRAST_MIN)
    throw badSettings({ why: 'the text would hardly differ from what is behind it' })
}

const COLOURS = ['color', 'backgroundColor']

/** WCAG 2.2, contrast ratio. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** WCAG 2.2, relative luminance, of `rgb(r, g, b)`. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/\d+/g) ?? []).map((part) => linear(Number(part) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
