/** Turns of the event loop that a test takes by hand. */
export function turnsByHand() {
  const waiting: (() => void)[] = []
  return {
    turn: () => new Promise<void>((resolve) => waiting.push(resolve)),
    next: async () => {
      waiting.shift()?.()
      for (let passed = 0; passed < 10; passed++) await Promise.resolve()
    },
  }
}
