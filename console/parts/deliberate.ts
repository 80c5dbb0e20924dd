/**
 * Does it at a click of its own. The second click of a double click is none: what it hits has come under the pointer by
 * the first one, as a question does that has just been opened, or a page that a link has led to. A key counts as no
 * click (UI Events, 5.3.3).
 */
export function deliberate(act: () => void): (click: { readonly detail: number }) => void {
  return ({ detail }) => {
    if (detail < 2) act()
  }
}
