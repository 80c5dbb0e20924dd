/** What a test is called in messages: names repeat from file to file. */
export function labelOf({ file, name }: { readonly file: string; readonly name: string }): string {
  return `${file}: ${name}`
}
