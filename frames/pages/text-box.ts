/**
 * Where a frame shows a key. It cannot be dragged out of the frame into the page: without that, a page that hides the
 * frame could make a person do so with a game.
 */
export function textBox({ document }: Window, label: string): HTMLElement {
  const box = document.createElement('div')
  box.id = 'text'
  box.setAttribute('role', 'textbox')
  box.setAttribute('aria-readonly', 'true')
  box.setAttribute('aria-label', label)
  box.tabIndex = 0
  document.addEventListener('dragstart', (event) => event.preventDefault())
  document.body.append(box)
  return box
}
