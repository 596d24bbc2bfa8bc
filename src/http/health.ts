/** One fact about the process, asked anew each time. */
export interface Check {
  readonly ok: boolean
  /** For the log; not part of the public answer. */
  readonly reason: string
}

export type Checks = Readonly<Record<string, () => Check>>

export interface Verdict {
  readonly ok: boolean
  readonly failing: readonly { readonly name: string; readonly reason: string }[]
}

/** All checks, or the one of that name; null when there is none of that name. */
export function verdictOf(checks: Checks, name?: string): Verdict | null {
  const named = name === undefined ? Object.entries(checks) : Object.entries(checks).filter(([key]) => key === name)
  if (name !== undefined && named.length === 0) return null
  const failing = named.flatMap(([key, check]) => {
    const { ok, reason } = check()
    return ok ? [] : [{ name: key, reason }]
  })
  return { ok: failing.length === 0, failing }
}
