import { useEffect, useState } from 'preact/hooks'
import { TextField } from './text-field.tsx'

const PAUSE_MS = 250

/** A field for what is looked for. It tells once somebody has paused: not every letter is worth a request. */
export function SearchField({
  label,
  onText,
}: {
  readonly label: string
  readonly onText: (text: string) => void
}) {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => onText(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return <TextField label={label} type="search" value={typed ?? ''} onText={setTyped} />
}
