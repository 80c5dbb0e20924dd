/** A mail before it becomes text or HTML: its parts, in order. */
export type Letter = { readonly subject: string; readonly logoUrl?: string; readonly parts: readonly Part[] }

export type Part =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** A text to be copied exactly. */
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }

type LetterTexts = { readonly subject: string; readonly text: string; readonly html: string }

/** The same letter in both forms. Every text in it is escaped here and nowhere else. */
export function letterTexts(letter: Letter): LetterTexts {
  return { subject: letter.subject, text: plainText(letter), html: html(letter) }
}

function plainText({ parts }: Letter): string {
  const blocks = parts.map((part) => (part.kind === 'link' ? `${part.label}:\n${part.url}` : part.text))
  return `${blocks.join('\n\n')}\n`
}

// The largest logo in the published interface is 340 by 124 pixels.
function html({ subject, logoUrl, parts }: Letter): string {
  const logo =
    logoUrl === undefined
      ? ''
      : `<p><img src="${escaped(logoUrl)}" alt="" style="max-width:340px;max-height:124px"></p>\n`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family:sans-serif;max-width:34em;margin:2em auto;padding:0 1em;line-height:1.5">
${logo}${parts.map(partHtml).join('\n')}
</body>
</html>
`
}

function partHtml(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p>${escaped(part.text)}</p>`
    case 'copy':
      return `<p style="font:bold 1.4em monospace;overflow-wrap:anywhere">${escaped(part.text)}</p>`
    case 'link':
      return `<p><a href="${escaped(part.url)}">${escaped(part.label)}</a></p>`
  }
}

/** The text, escaped for use between tags and inside double quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
