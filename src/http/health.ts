/** One fact about the process, asked anew each time. */
export interface Check {
  readonly ok: boolean
  /** For the log; not part of the public answer. */
  readonly reason: string
  /** Told to whoever asks for this check by its name while it is well. */
  readonly text?: string
}

export type Checks = Readonly<Record<string, () => Check>>

export interface Verdict {
  readonly ok: boolean
  readonly failing: readonly { readonly name: string; readonly reason: string }[]
  /** Of the one check that was asked for by its name. */
  readonly text?: string
}

/** All checks, or the one of that name; null when there is none of that name. */
export function verdictOf(checks: Checks, name?: string): Verdict | null {
  const named = Object.entries(checks).filter(([key]) => name === undefined || key === name)
  if (name !== undefined && named.length === 0) return null
  const told = named.map(([key, check]) => ({ name: key, ...check() }))
  const failing = told.flatMap(({ name: key, ok, reason }) => (ok ? [] : [{ name: key, reason }]))
  const text = name === undefined ? undefined : told[0]?.text
  return { ok: failing.length === 0, failing, ...(text === undefined ? {} : { text }) }
}
