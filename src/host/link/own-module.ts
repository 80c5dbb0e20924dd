/**
 * A module of ours that is started by its file, as a process or a thread. In a clone it is TypeScript; in the package
 * it is the JavaScript that was made of it, as the module is that asks for it.
 *
 * @param path  from the module that asks, with the ending `.ts`
 * @param from  that module's `import.meta.url`
 */
export function ownModule(path: `${string}.ts`, from: string): URL {
  return new URL(from.endsWith('.js') ? path.replace(/ts$/, 'js') : path, from)
}
