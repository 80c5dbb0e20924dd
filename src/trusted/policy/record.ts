import type { Run } from './run.ts'
import type { Tree } from './tree.ts'
import type { Value } from './types.ts'
import type { Problem } from './problem.ts'

/** One step of an evaluation, and the steps it was made of. */
export type Note = {
  readonly tree: Tree
  /** The item of a list function, when the step is in its body. */
  readonly item: { readonly name: string; readonly value: Value } | undefined
  readonly result: Value | Problem
  readonly parts: readonly Note[]
  /** Some parts were evaluated and not noted, for want of room. */
  readonly isCut: boolean
}

/** Listens to an evaluation and changes nothing about it: not its value, and not the steps it takes. */
export type Recorder = {
  readonly listening: (tree: Tree, run: Run) => Run
  /** @param slot  where the list function puts the item that the body runs for */
  readonly withItem: (name: string, slot: number, body: Run) => Run
  /** The whole, once it has been evaluated. */
  readonly noted: () => Note | undefined
}

/** @param room  how many notes may still be taken; several recorders may share it */
export function newRecorder(room: { left: number }): Recorder {
  let open: Open = { parts: [], isCut: false }
  let item: Note['item']
  return {
    listening: (tree, run) => (frame) => {
      const around = open
      if (room.left <= 0) {
        around.isCut = true
        return run(frame)
      }
      room.left -= 1
      const inner: Open = { parts: [], isCut: false }
      const own = item
      item = undefined
      open = inner
      const result = run(frame)
      open = around
      around.parts.push({ tree, item: own, result, ...inner })
      return result
    },
    withItem: (name, slot, body) => (frame) => {
      const value = frame.variables[slot]
      // The first note of the body takes it.
      item = value === undefined ? undefined : { name, value }
      return body(frame)
    },
    noted: () => open.parts[0],
  }
}

type Open = { readonly parts: Note[]; isCut: boolean }
