/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asRecord(value: unknown): Fields {
  return isRecord(value) ? value : {}
}
