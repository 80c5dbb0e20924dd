/**
 * The names in the parameters of a request: those of the objects that it creates or changes, and of the keys that it
 * signs with. The parameters were read when the request came, and are as deep as their shapes.
 *
 * @param intent  JSON
 */
export function namesInRequest(intent: string): readonly string[] {
  const names = new Set<string>()
  JSON.parse(intent, (key: string, value: unknown) => {
    if (typeof value === 'string' && value !== '' && isName(key)) names.add(value)
    return value
  })
  return [...names]
}

function isName(key: string): boolean {
  return key === 'signWith' || key === 'userEmail' || /(^n|N)ame$/.test(key)
}
