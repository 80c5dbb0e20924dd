import type { Styled } from '../settings/apply-settings.ts'

/** A sentence or a key, and where the page asks for it a passphrase; else an empty text. */
export type Typed = { readonly text: string; readonly passphrase: string }

type ImportForm = Required<Styled> & {
  readonly text: HTMLTextAreaElement
  readonly typed: () => Typed
  readonly clear: () => void
}

export function importForm({ document, navigator }: Window): ImportForm {
  const text = document.createElement('textarea')
  text.id = 'text'
  text.setAttribute('aria-label', 'Recovery phrase or private key')
  const label = document.createElement('label')
  label.htmlFor = 'passphrase'
  label.textContent = 'Passphrase'
  label.hidden = true
  const input = document.createElement('input')
  input.id = 'passphrase'
  input.hidden = true
  for (const field of [text, input]) {
    // Nothing of it goes to a spelling service, a keyboard's dictionary or a password manager.
    for (const name of ['autocomplete', 'autocapitalize', 'autocorrect']) field.setAttribute(name, 'off')
    field.spellcheck = false
    field.addEventListener('paste', () => clearClipboard(navigator))
  }
  document.addEventListener('dragstart', (event) => event.preventDefault())
  document.body.append(text, label, input)
  return {
    text,
    passphrase: {
      input,
      label,
      show: (isShown) => {
        label.hidden = !isShown
        input.hidden = !isShown
        if (!isShown) input.value = ''
      },
    },
    typed: () => ({ text: text.value, passphrase: input.value }),
    clear: () => {
      text.value = ''
      input.value = ''
    },
  }
}

/** What was pasted stays in the clipboard for every other page; the page around the frame may forbid clearing it. */
function clearClipboard({ clipboard }: Navigator): void {
  clipboard.writeText('').catch(() => {})
}
