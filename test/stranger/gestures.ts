/**
 * The time of a person who does something, by the keystroke-level model (Card, Moran, Newell: The Psychology of
 * Human-Computer Interaction, 1983), with reading beside it. It is a model: nobody was watched.
 */
export type Gestures = {
  /** What was done so far, in order. */
  readonly steps: readonly Step[]
  /** Makes up their mind what to do next. */
  readonly think: (what: string) => void
  /** Reads these words, each once. */
  readonly read: (what: string, text: string) => void
  /** Moves the pointer there and clicks so often. */
  readonly click: (what: string, times?: number) => void
  /** Turns the wheel until the place is seen. */
  readonly scroll: (what: string) => void
  /** Presses so many keys; a chord of three keys is three. */
  readonly press: (what: string, keys: number) => void
  /** Waits for the machine, as long as it took here. */
  readonly wait: <T>(what: string, machine: () => Promise<T>) => Promise<T>
}

type Step = {
  readonly kind: 'think' | 'read' | 'click' | 'scroll' | 'press' | 'wait'
  readonly what: string
  readonly seconds: number
}

const THINK_S = 1.35
const POINT_S = 1.1
const BUTTON_S = 0.1
/** The model has no wheel: as long as pointing. */
const SCROLL_S = POINT_S
/** Of somebody who does not type for a living. */
const KEY_S = 0.28
/** The hand goes from the keys to the pointer, or back. */
const HAND_S = 0.4
/** Brysbaert: How many words do we read per minute?, 2019: silent reading of English that is no fiction. */
const WORDS_PER_MINUTE = 238
/** Digits and addresses are read in groups. */
const LETTERS_OF_A_WORD = 6

/** @param now  milliseconds, by which waiting for the machine is measured */
export function gestures(now: () => number): Gestures {
  const steps: Step[] = []
  let hand: 'keys' | 'pointer' = 'keys'
  const moved = (to: typeof hand): number => {
    const seconds = hand === to ? 0 : HAND_S
    hand = to
    return seconds
  }
  return {
    steps,
    think: (what) => void steps.push({ kind: 'think', what, seconds: THINK_S }),
    read: (what, text) => void steps.push({ kind: 'read', what, seconds: readingSeconds(wordsIn(text)) }),
    click: (what, times = 1) =>
      void steps.push({ kind: 'click', what, seconds: moved('pointer') + POINT_S + times * 2 * BUTTON_S }),
    scroll: (what) => void steps.push({ kind: 'scroll', what, seconds: moved('pointer') + SCROLL_S }),
    press: (what, keys) => void steps.push({ kind: 'press', what, seconds: moved('keys') + keys * KEY_S }),
    wait: async (what, machine) => {
      const start = now()
      const result = await machine()
      steps.push({ kind: 'wait', what, seconds: (now() - start) / 1_000 })
      return result
    },
  }
}

export function wordsIn(text: string): number {
  return text
    .split(/\s+/)
    .filter((token) => /[\p{L}\p{N}]/u.test(token))
    .reduce(
      (sum, token) => sum + (token.length > 2 * LETTERS_OF_A_WORD ? token.length / LETTERS_OF_A_WORD : 1),
      0,
    )
}

/** @param words  so many, each read once */
export function readingSeconds(words: number): number {
  return (words / WORDS_PER_MINUTE) * 60
}

/** Without what the machine took, which a busy one takes longer for. */
export function ownSeconds(steps: readonly Step[]): number {
  return sum(steps.filter(({ kind }) => kind !== 'wait'))
}

function machineSeconds(steps: readonly Step[]): number {
  return sum(steps.filter(({ kind }) => kind === 'wait'))
}

function sum(steps: readonly Step[]): number {
  return steps.reduce((total, { seconds }) => total + seconds, 0)
}

export function told(steps: readonly Step[]): string {
  const lines = steps.map(
    ({ kind, what, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${kind.padEnd(6)}  ${what}`,
  )
  const acts = steps.filter(({ kind }) => kind !== 'think' && kind !== 'read' && kind !== 'wait').length
  const [own, machine] = [ownSeconds(steps), machineSeconds(steps)].map((seconds) => seconds.toFixed(1))
  return [...lines, `${own} s by the model in ${acts} gestures, and ${machine} s of this machine`].join('\n')
}
