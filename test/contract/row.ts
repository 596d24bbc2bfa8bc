import type { World } from './world.ts'

export type Server = 'embedded' | 'real'

/** One sentence about the API server, or about the product on it, and what shows that it is true. */
export interface Row {
  readonly name: string
  readonly run: (world: World) => Promise<void>
  /** On one of the servers only, and why. */
  readonly only?: { readonly server: Server; readonly because: string }
}

export interface Group {
  readonly name: string
  readonly rows: readonly Row[]
}

type Marked = Omit<Row, 'name'>

/** Rows by their sentences; one that holds on one server only says `only(…)`. */
export function group(name: string, rows: Readonly<Record<string, Row['run'] | Marked>>): Group {
  const made = Object.entries(rows).map(([sentence, row]) => ({
    name: sentence,
    ...(typeof row === 'function' ? { run: row } : row),
  }))
  return { name, rows: made }
}

/** Why a row about something that only the real server has is marked. */
export const lacking = 'the embedded server says 501 of what it lacks'

export function only(server: Server, because: string, run: Row['run']): Marked {
  return { run, only: { server, because } }
}

export function holdsOn(server: Server, { only: mark }: Row): boolean {
  return mark === undefined || mark.server === server
}

export async function runRow({ run }: Row, world: World): Promise<void> {
  try {
    await run(world)
  } finally {
    await world.end()
  }
}
