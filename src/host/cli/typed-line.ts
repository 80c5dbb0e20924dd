/**
 * Asks a person at the terminal.
 *
 * The question goes to standard error: with the output in a file, it would be there too, and the command would wait for
 * a person who sees nothing.
 *
 * @returns  the typed line without the white space around it; empty at the end of the input
 */
export async function typedLine(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  const line = await new Promise<string>((resolve) => {
    stdin.once('data', (typed: Buffer) => resolve(typed.toString('utf8')))
    stdin.once('end', () => resolve(''))
  })
  stdin.pause()
  return line.trim()
}
